/** Purchases of one moment that share calls. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { gatherPurchases } from '../../../functions/stores/gathered-purchases.redis.ts'
import type { RedisClient } from '../../../redis/client.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { type Purchase, type Reservation, reserve, reserveScript } from '../../../redis/reserve.ts'
import { reserveManyScript } from '../../../redis/reserve-many.ts'
import { readStock } from '../../../redis/stock.ts'
import {
  aPurchase,
  aSale,
  aWarmSale,
  commandCounts,
  type RedisRig,
  raw,
  startRedisRig,
  tokenOf,
} from '../../redis/support.ts'

let server: RedisRig
/** The scripts of the commands sent alone; those sent together are none of these. */
let sent: string[]
let redis: RedisClient
let decide: (purchase: Purchase) => Promise<Reservation>
let fails: (command: readonly string[]) => boolean

beforeAll(async () => {
  server = await startRedisRig()
  for (const { source } of [reserveScript, reserveManyScript])
    await raw(server.redis, 'SCRIPT', 'LOAD', source)
})
afterAll(() => server.stop())
beforeEach(async () => {
  const names = new Map<unknown, string>()
  for (const { name, source } of [reserveScript, reserveManyScript]) {
    names.set(await raw(server.redis, 'SCRIPT', 'LOAD', source), name)
  }
  sent = []
  fails = () => false
  redis = {
    exec(args) {
      sent.push(names.get(args[1]) ?? args[0])
      return fails(args) ? Promise.reject(new Error('no reply')) : server.redis.exec(args)
    },
    together: (commands) => server.redis.together(commands),
  }
  decide = gatherPurchases(redis)
})

const kindsOf = (answers: readonly Reservation[]) => answers.map(({ kind }) => kind)

describe('purchases of one moment', () => {
  it('asks reserve.lua at once for a purchase that is alone, as on Lambda', async () => {
    const sale = await aWarmSale(server.redis)
    for (const shopper of [1, 2]) await decide(aPurchase(sale, shopper))
    // The first call learns the facts of the sale.
    expect(sent).toEqual(['reserve', 'reserve', 'reserve'])
  })

  it('decides those of new shoppers in one call', async () => {
    const sale = await aWarmSale(server.redis, { stock: 60 })
    await decide(aPurchase(sale, 1))
    sent = []
    const asked = Array.from({ length: 50 }, (_, at) => aPurchase(sale, at + 2))
    const answers = await Promise.all(asked.map(decide))
    expect(sent).toEqual(['reserve-many'])
    expect(new Set(kindsOf(answers))).toEqual(new Set(['reserved']))
    expect(answers.map((one) => 'message' in one && one.message.orderId)).toEqual(
      asked.map(({ orderId }) => orderId),
    )
    expect(await readStock(server.redis, sale.saleId)).toMatchObject({ available: 9 })
  })

  it('gives each the answer that it has alone', async () => {
    const [sale, other] = [await aWarmSale(server.redis, { stock: 4 }), await aWarmSale(server.redis)]
    await reserve(server.redis, aPurchase(sale, 1))
    const twice = aPurchase(sale, 2)
    const answers = await Promise.all(
      [
        aPurchase(sale, 1),
        twice,
        twice,
        aPurchase(sale, 3, 1, { quantity: 3 }),
        aPurchase(sale, 4, 1, { quantity: 0 }),
        aPurchase(other, 1, 1, { startToken: tokenOf(0) }),
        aPurchase(other, 2, 1, { quantity: 2 }),
        aPurchase(aSale(), 1),
        aPurchase(sale, 5, 1, { quantity: 2 }),
        aPurchase(sale, 6),
      ].map(decide),
    )
    expect(kindsOf(answers)).toEqual([
      ...['repeat', 'reserved', 'repeat', 'invalid-request', 'invalid-request'],
      ...['stale-page', 'reserved', 'unknown-sale', 'reserved', 'sold-out'],
    ])
    expect(await readStock(server.redis, sale.saleId)).toMatchObject({ available: 0 })
  })

  it('sends together what has to be asked alone', async () => {
    const sale = await aWarmSale(server.redis, { stock: 60 })
    const asked = Array.from({ length: 20 }, (_, at) => aPurchase(sale, at + 1))
    await Promise.all(asked.map(decide))
    sent = []
    await raw(server.redis, 'CONFIG', 'RESETSTAT')
    expect(new Set(kindsOf(await Promise.all(asked.map(decide))))).toEqual(new Set(['repeat']))
    expect(sent).toEqual(['reserve-many'])
    // One by one in Redis; the facts of the sale are asked for again over this way.
    expect((await commandCounts(server.redis)).get('evalsha')).toBeGreaterThan(20)
  })

  it('rejects only the purchases whose call had no reply', async () => {
    const [broken, sound] = [await aWarmSale(server.redis), await aWarmSale(server.redis)]
    fails = (args) => args.includes(stockKeys(broken.saleId).stock)
    const answers = await Promise.allSettled(
      [aPurchase(broken, 1), aPurchase(sound, 1), aPurchase(broken, 2)].map(decide),
    )
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
    expect(answers[0]).toMatchObject({ reason: expect.any(RedisUnavailable) })
    fails = () => false
    expect(kindsOf(await Promise.all([1, 2].map((shopper) => decide(aPurchase(broken, shopper)))))).toEqual([
      'reserved',
      'reserved',
    ])
  })
})
