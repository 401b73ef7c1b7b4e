/** The whole system, open to rushes while the tests of one file run. */
import { afterAll } from 'vitest'
import { openSystem, type System } from '../../../bench/system.ts'
import { startStack } from '../../../local/stack.ts'

/** To be called once in a file, outside of its tests. What failed once comes back soon: a test does not wait a minute. */
export async function openRushedSystem(): Promise<System> {
  const stack = await startStack({ demo: false, visibilitySeconds: 3 })
  const system = await openSystem(`http://127.0.0.1:${stack.port}`)
  afterAll(async () => {
    system.close()
    await stack.stop()
  })
  return system
}
