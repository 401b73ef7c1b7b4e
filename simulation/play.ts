/** Plays sales under injected faults and prints what came of them. */

import type { FaultOptions } from './options.ts'
import { startRealRedis } from './parts/redis.ts'
import { reportLines } from './report.ts'
import { playSales } from './run.ts'

/** True when every invariant held in every sale. */
export async function playFaults({ sales, seed, only, kind, startStep }: FaultOptions): Promise<boolean> {
  const [from, to] = only === undefined ? [1, sales] : [only, only]
  const redis = await startRealRedis()
  const step = startStep('sales', to - from + 1)
  const start = performance.now()
  try {
    const run = await playSales(redis, {
      seed,
      from,
      to,
      ...(kind === undefined ? {} : { kind }),
      played: ({ number }) => step.to(number - from + 1),
    })
    step.end()
    console.log(reportLines(run, (performance.now() - start) / 1000))
    return run.failed === undefined
  } finally {
    step.end()
    await redis.stop()
  }
}
