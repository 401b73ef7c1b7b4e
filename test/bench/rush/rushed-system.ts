/** The whole system, shared by the tests of one file. */
import { afterAll } from 'vitest'
import { openSystem, type System } from '../../../bench/system.ts'
import { startStack } from '../../../local/stack.ts'

/**
 * Call once per file, outside of its tests. Failed messages return soon, so that a test need not
 * wait a minute.
 */
export async function openRushedSystem({ databases }: { databases: number }): Promise<System> {
  const stack = await startStack({ demo: false, visibilitySeconds: 3, databases })
  const system = await openSystem(`http://127.0.0.1:${stack.port}`, stack.databases)
  afterAll(async () => {
    system.close()
    await stack.stop()
  })
  return system
}
