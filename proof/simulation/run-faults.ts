/** Simulates sales under injected faults and prints the report. */

import type { FaultOptions } from './options.ts'
import { startRealRedis } from './parts/redis.ts'
import { faultReport } from './report.ts'
import { simulateSales } from './simulate-sales.ts'

/** True when every invariant held in every sale. */
export async function runFaults({
  sales,
  seed,
  only,
  kind,
  split,
  variants,
  draw,
  startStep,
}: FaultOptions): Promise<boolean> {
  const [from, to] = only === undefined ? [1, sales] : [only, only]
  const redis = await startRealRedis()
  const step = startStep('sales', to - from + 1)
  const start = performance.now()
  try {
    const run = await simulateSales(redis, {
      seed,
      from,
      to,
      ...(kind === undefined ? {} : { kind }),
      ...(split === undefined ? {} : { isSplit: split }),
      ...(variants === undefined ? {} : { hasVariants: variants }),
      ...(draw === undefined ? {} : { hasDraw: draw }),
      onSale: ({ number }) => step.to(number - from + 1),
    })
    step.end()
    console.log(faultReport(run, (performance.now() - start) / 1000))
    return run.failed === undefined
  } finally {
    step.end()
    await redis.stop()
  }
}
