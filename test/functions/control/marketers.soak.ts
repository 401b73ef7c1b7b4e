/**
 * Two marketers act on one sale at once (I5, I6). Every pair of actions runs in every order in which their reads and
 * writes can happen, with at most so many preemptions of one that could continue: in each, one may overtake the
 * other at any call. In a sample of the pairs it may be overtaken again at any call, which takes several times as long.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { type ReplayedRedis, replayed } from '../../redis/replayed.ts'
import { useRedis } from '../../redis/test-store.ts'
import {
  type Action,
  actions,
  type Beginning,
  type Crash,
  disagreements,
  openWorld,
  reconcileOnce,
} from './marketers.ts'
import { explore } from './schedules.ts'

// A random id would make every state a new one.
vi.mock(import('../../../redis/stock/stock-definition.ts'), async (load) => ({
  ...(await load()),
  newFreezeId: () => 'the-only-freeze',
}))

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = seededRandom(seed)
/** One pair in four has two preemptions. */
const preemptions = () => (random() < 0.25 ? 2 : 1)
/** Sales with windows, variants and shards have more calls: two preemptions were tried once, and found nothing more. */
const onePreemption = () => 1

const server = useRedis()
let redis: ReplayedRedis
beforeEach(() => {
  redis = replayed(server)
})

const names = Object.keys(actions) as Action[]
const allPairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other] as const))
/** Only a sale that was never started can be deleted. */
const pairsWithoutDelete = allPairs.filter((both) => !both.includes('delete'))
const pairsWith = (action: Action) => allPairs.filter((both) => both.includes(action))

const cases: readonly [Beginning, readonly (readonly [Action, Action])[], () => number][] = [
  ['no sale', pairsWith('create'), preemptions],
  ['a draft', allPairs, preemptions],
  ['a warmed sale', allPairs, preemptions],
  ['an open sale', pairsWithoutDelete, preemptions],
  ['a paused sale', pairsWithoutDelete, preemptions],
  ['a sold out sale', pairsWith('stock'), preemptions],
  // Without a recovery the stock stays lost.
  ['an open sale that Redis has lost', pairsWith('recover'), preemptions],
  ['a sale between two windows', pairsWithoutDelete, onePreemption],
  ['an open sale with variants', pairsWithoutDelete, onePreemption],
  ['an open split sale', pairsWithoutDelete, onePreemption],
]

describe.each(cases)(`two marketers of %s, seed ${seed}`, (beginning, pairs, draw) => {
  const drawn = pairs.map((both) => [...both, draw()] as const)
  it.each(drawn)('%s and %s, preempted %i times, and all stores agree at the end', async (one, other, most) => {
    const both = [one, other] as const
    const explored = await explore(most, (schedule) =>
      openWorld(redis, schedule, beginning, both, async (rig, path) => {
        const order = path.join(', ')
        if (beginning !== 'an open split sale') {
          expect(await disagreements(rig), order).toEqual([])
          expect(await reconcileOnce(rig), order).toMatchObject({ repaired: 0, recovered: 0 })
        } else await reconcileOnce(rig)
        expect(await disagreements(rig), `${order}, reconcile`).toEqual([])
      }),
    )
    expect(explored.schedules).toBeGreaterThan(1)
  })
})

const crashedIn: readonly Beginning[] = [
  'no sale',
  'a draft',
  'a warmed sale',
  'an open sale',
  'an open sale that Redis has lost',
]

describe.each(crashedIn)('a marketer of %s whose process dies', (beginning) => {
  it.each(names)(
    'at any call of %s, beside any action of another one, leaves nothing that reconcile does not finish',
    async (dying) => {
      let crashes = 0
      for (const other of names) {
        for (let at = 0; ; at += 1) {
          const crash: Crash = { at, reached: false }
          let reached = false
          await explore(0, (schedule) => {
            crash.reached = false
            return openWorld(
              redis,
              schedule,
              beginning,
              [dying, other],
              async (rig, path) => {
                reached ||= crash.reached
                const order = `${dying} dies at its call ${at}: ${path.join(', ')}`
                await reconcileOnce(rig, { isTurn: true })
                expect(await disagreements(rig), order).toEqual([])
              },
              crash,
            )
          })
          if (!reached) break
          crashes += 1
        }
      }
      expect(crashes).toBeGreaterThanOrEqual(names.length)
    },
  )
})
