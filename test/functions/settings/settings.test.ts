/**
 * Settings of a sale that meet each other. The sales are drawn so that every pair of settings that is allowed occurs in one of
 * them, and every pair that is not is refused. Variants and shoppers have ids that are names of other things, such as
 * `constructor`. `npm run test:all` plays every fourth, `npm run test:soak` all of them. `SETTINGS_SEED` and `SETTINGS_PART`
 * repeat a run.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { openRandom, seedOf } from '../../../proof/simulation/engine/random.ts'
import { useRedis } from '../../redis/test-store.ts'
import { playsWhole } from '../../whole-plays.ts'
import { type World, world } from '../../world/world.ts'
import { conflicts, definitionOf, plainSettings } from './choices.ts'
import { allowedPairs, has, nameOf, pairsIn, salesOfAllPairs, soldInEveryWay, together } from './pairs.ts'
import { playSale } from './play.ts'

const redis = useRedis()
const seed = Number(process.env.SETTINGS_SEED ?? 20261122)
/** Counts the outcomes of orders and shoppers over all sales. */
const happened = new Map<string, number>()
const sales = salesOfAllPairs(openRandom(seed))
/** 0 to 3: which of four sales is played. */
const part = Number(process.env.SETTINGS_PART ?? Date.now() % 4)
const played = [...sales.entries()].filter(([nth]) => playsWhole() || nth % 4 === part)

describe(`settings that meet, seed ${seed}, part ${part}`, () => {
  it('are in one of the sales below, in every pair that is allowed', () => {
    const met = new Set(sales.flatMap(pairsIn))
    expect([...allowedPairs().keys()].filter((pair) => !met.has(pair))).toEqual([])
  })

  it('have a challenge and variants in sales whose stock is lost and recovered, and variants, databases and windows in one with payments', () => {
    expect(together.filter((some) => !sales.some((settings) => has(settings, some)))).toEqual([])
  })

  it.each(played.map(([nth, settings]) => [Object.values(settings).join(' '), settings, nth] as const))(
    'sell exactly the stock and leave every store in agreement: %s (I1, I2, I3, I4, I5)',
    async (_, settings, nth) => {
      const { violations, seen } = await playSale(redis, settings, seedOf(seed, nth))
      for (const [what, times] of Object.entries(seen)) happened.set(what, (happened.get(what) ?? 0) + times)
      expect(violations).toEqual([])
      // All screens agree on a sale that has all of it at once; others with its settings are drawn, and so are their fates.
      if (nth === together.indexOf(soldInEveryWay))
        expect(
          Object.entries(seen)
            .filter(([, n]) => n > 0)
            .map(([what]) => what),
        ).toEqual(expect.arrayContaining(['paid', 'refunded', 'disputed', 'cancelled']))
    },
  )
})

it('the sales above had orders that were paid and others that were not; all of them, of every fate, and shoppers who waited for their turn', () => {
  const kinds = playsWhole()
    ? ['paid', 'disputed', 'cancelled', 'refunded', 'expired', 'redeemed', 'waited']
    : ['paid', 'cancelled']
  expect(kinds.filter((what) => (happened.get(what) ?? 0) === 0)).toEqual([])
})

describe('settings that exclude each other', () => {
  let own: World
  beforeAll(async () => {
    own = await world()
  })

  it.each(conflicts.map((conflict) => [nameOf(conflict), conflict] as const))(
    'are refused with the field that is wrong: %s',
    async (_, { of, field }) => {
      const definition = definitionOf({ ...plainSettings, price: 'free', ...of }, 'phone', own.clock.now + 3_600_000)
      const answer = await own.ask('POST', '/sales', definition, { 'x-turnstile': 'ready' })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    },
  )
})
