/** The measurement of the scripts, in the common form. */

import { atMost, type Measurement } from './harness.ts'
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
  const { costs, grown, redis } = await benchScripts({ rounds, step: 'scripts', buyers, grownTo })
  const ratios = costs.flatMap(({ name, ratio, target }) =>
    target === undefined ? [] : [atMost(`reserve.lua, ${name} ÷ counting script`, ratio, target, { digits: 2 })],
  )
  const cancelled = costs.flatMap(({ name, cancelledRatio }) =>
    cancelledRatio === undefined ? [] : [atMost(`reserve.lua, ${name} ÷ never`, cancelledRatio, 2.5, { digits: 2 })],
  )
  const growth = grown.map(({ buyers, microseconds, bytesPerBuyer }) =>
    atMost(
      `reserve.lua, accept with ${buyers} buyers, µs per call; bytes of each buyer`,
      bytesPerBuyer,
      mostBytesPerBuyer,
      {
        value: `${microseconds.toFixed(2)}; ${bytesPerBuyer.toFixed(0)}`,
        target: `${mostBytesPerBuyer} bytes`,
      },
    ),
  )
  const others = costs.map(({ name, microseconds, bareRatio }) => ({
    what: `${name}, µs per call in Redis (÷ bare script)`,
    value: `${microseconds.toFixed(2)} (${bareRatio.toFixed(2)})`,
  }))
  return { name: `scripts (Redis ${redis})`, lines: [...ratios, ...cancelled, ...growth, ...others] }
}
