/** The whole system, shared by the tests of one file. */
import { afterAll } from 'vitest'
import { startStack } from '../../../local/stack.ts'
import { openSystem, type System } from '../../../proof/bench/system.ts'
import type { RushOptions } from '../../../proof/rush/options.ts'

/** Call once per file, outside of its tests. Failed messages return soon, so that a test need not wait a minute. */
export async function openRushedSystem({ databases }: { databases: number }): Promise<System> {
  const stack = await startStack({ demo: false, visibilitySeconds: 3, databases })
  const system = await openSystem(`http://127.0.0.1:${stack.port}`, stack.databases)
  afterAll(async () => {
    system.close()
    await stack.stop()
  })
  return system
}

/** Ten goods without faults. On a busy machine a shopper who retries may be throttled for a minute. */
export const calm: RushOptions = {
  ...{ kind: 'goods', stock: 10, quantity: 1, shoppers: 300, concurrency: 32, seed: 1 },
  ...{ patienceMs: 120_000, settleMs: 120_000 },
  startStep: () => ({ to: () => {}, end: () => {} }),
}
