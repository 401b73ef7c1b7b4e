/** The measurement of the scripts, in the common form. */

import { startStep } from '../../cli/progress.ts'
import type { Measurement } from './measurement.ts'
import { benchScripts } from './scripts/cost.ts'

const rounds = 9
const buyers = 4000
const grownTo = [1000, 10_000, 100_000, 1_000_000]
const mostBytesPerBuyer = 160

/**
 * Microseconds that each answer of reserve.lua costs Redis, compared with a script that only
 * counts.
 */
export async function measureScripts(): Promise<Measurement> {
  const step = startStep('scripts', rounds)
  const { costs, grown, redis } = await benchScripts({
    rounds,
    buyers,
    grownTo,
    onRound: (done) => step.to(done),
  })
  step.end()
  const ratios = costs.flatMap(({ name, ratio, target }) =>
    target === undefined
      ? []
      : [
          {
            what: `reserve.lua, ${name} ÷ counting script`,
            value: ratio.toFixed(2),
            target: `≤ ${target}`,
            met: ratio <= target,
          },
        ],
  )
  const cancelled = costs.flatMap(({ name, cancelledRatio }) =>
    cancelledRatio === undefined
      ? []
      : [
          {
            what: `reserve.lua, ${name} ÷ never`,
            value: cancelledRatio.toFixed(2),
            target: '≤ 2.5',
            met: cancelledRatio <= 2.5,
          },
        ],
  )
  const growth = grown.map(({ buyers, microseconds, bytesPerBuyer }) => ({
    what: `reserve.lua, accept with ${buyers} buyers, µs per call; bytes of each buyer`,
    value: `${microseconds.toFixed(2)}; ${bytesPerBuyer.toFixed(0)}`,
    target: `≤ ${mostBytesPerBuyer} bytes`,
    met: bytesPerBuyer <= mostBytesPerBuyer,
  }))
  const others = costs.map(({ name, microseconds, bareRatio }) => ({
    what: `${name}, µs per call in Redis (÷ bare script)`,
    value: `${microseconds.toFixed(2)} (${bareRatio.toFixed(2)})`,
  }))
  return { name: `scripts (Redis ${redis})`, lines: [...ratios, ...cancelled, ...growth, ...others] }
}
