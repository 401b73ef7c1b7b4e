/**
 * Entry of stack-process.ts: starts the system with options in JSON and reports its address to its
 * parent.
 */
import { startStack } from '../../local/stack.ts'

const [options = '{}'] = process.argv.slice(2)
const stack = await startStack(JSON.parse(options))
process.on('disconnect', () => {
  stack.stop().finally(() => process.exit(0))
})
process.send?.(stack.url)
