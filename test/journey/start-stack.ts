/**
 * Entry of stack-process.ts: starts the system with options in JSON and reports its address and shop key to its parent.
 */
import { startDescribedStack } from '../described-stack.ts'
import type { Started } from './stack-process.ts'

const [options = '{}'] = process.argv.slice(2)
const stack = await startDescribedStack(JSON.parse(options))
process.on('disconnect', () => {
  stack.stop().finally(() => process.exit(0))
})
const { url, shopKey } = stack
process.send?.({ url, shopKey } satisfies Started)
