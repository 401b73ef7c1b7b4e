/** Entry of stack-process.ts: starts the system on the folder it is given and tells its parent where it is. */
import { startStack } from '../../local/stack.ts'

const [dataDir = ''] = process.argv.slice(2)
// A message whose reader was killed comes back after this long; a minute, as in the cloud, is long for a test.
const stack = await startStack({ dataDir, visibilitySeconds: 2 })
process.on('disconnect', () => {
  stack.stop().finally(() => process.exit(0))
})
process.send?.(stack.url)
