/**
 * Settings of a sale that meet a draw: each value that goes with it is in one of the sales, the others are in
 * draw-of-sale.test.ts. `npm test` plays one of them, `npm run test:soak` all. `SETTINGS_SEED` repeats a run.
 */
import { expect, it } from 'vitest'
import { openRandom, seedOf } from '../../../../proof/simulation/engine/random.ts'
import { salesWith } from '../../../../test/functions/settings/pairs.ts'
import { playSale } from '../../../../test/functions/settings/play.ts'
import { useRedis } from '../../../../test/redis/test-store.ts'
import { playsWhole } from '../../../../test/whole-plays.ts'
import { holdDraw, sellToWinners } from './held-draw.ts'

const redis = useRedis()
const hourMs = 3_600_000
const seed = Number(process.env.SETTINGS_SEED ?? Date.now() % 1_000_000)
const random = openRandom(seed)
const sales = (['goods', 'coupon'] as const).flatMap((kind) =>
  salesWith({ kind, stock: 'limited', limit: 'one', windows: 'one', early: 'none' }, random),
)
const played = playsWhole() ? sales : [random.pick(sales)]

/** Entries for half an hour; offers are kept until the end of the sale. */
function definition(startsAt: number) {
  const closesAt = startsAt - hourMs / 4
  return { draw: { opensAt: closesAt - hourMs / 2, closesAt, claimSeconds: 7200 } }
}

it.each(played.map((settings) => [Object.values(settings).join(' '), settings] as const))(
  `a draw sells exactly the stock and leaves every store in agreement, seed ${seed}: %s (I1, I2, I3, I4, I5)`,
  async (_, settings) => {
    const addition = { definition, begin: holdDraw, sell: sellToWinners }
    const { violations } = await playSale(redis, settings, seedOf(seed, sales.indexOf(settings)), addition)
    expect(violations).toEqual([])
  },
)
