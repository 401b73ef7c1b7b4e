/** The whole system, shared by the tests of one file. */
import { afterAll } from 'vitest'
import { startStack } from '../../../local/stack.ts'
import { openSystem, type System } from '../../../proof/bench/system.ts'
import type { CrowdOptions, RushOptions } from '../../../proof/rush/options.ts'

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

/** A crowd without faults, for one database. On a busy machine a shopper who retries may be throttled for a minute. */
export const calmCrowd: CrowdOptions = {
  ...{ shoppers: 300, shards: 1, oneShard: false, concurrency: 32, seed: 1 },
  ...{ patienceMs: 120_000, settleMs: 120_000, fault: undefined, kill: undefined },
  startStep: () => ({ to: () => {}, end: () => {} }),
}

/** A sale of ten goods, one for each shopper, for a calm crowd. */
export const calm: RushOptions = { ...calmCrowd, kind: 'goods', stock: 10, quantity: 1, limitPerShopper: 1 }
