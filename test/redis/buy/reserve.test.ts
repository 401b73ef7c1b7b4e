import { describe, expect, it } from 'vitest'
import { parseShopperId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { acknowledgeOrders, claimDue } from '../../../redis/orders/outbox.ts'
import { shardOf, shardsOf } from '../../../redis/shards.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import {
  aPurchase,
  aSale,
  aWarmSale,
  commandCounts,
  everythingOf,
  raw,
  tokenOf,
  useRedisRig,
  waitingIn,
} from '../support.ts'

const rig = useRedisRig()

const warmed = (changes?: Partial<Sale>) => aWarmSale(rig.redis, changes)

const everything = (sale: Sale) => everythingOf(rig.redis, sale.saleId)

describe('a reservation', () => {
  it('returns the very message that waits in the outbox (O4)', async () => {
    const sale = await warmed()
    const purchase = aPurchase(sale, 1, 1, { requestId: 'quote " and 中文 \\ stay' })
    const made = await reserve(rig.redis, purchase)
    const messages = await waitingIn(rig.redis, sale.saleId)

    expect(made.kind).toBe('reserved')
    if (made.kind !== 'reserved') return
    expect(messages).toMatchObject([{ orderId: purchase.orderId, body: JSON.stringify(made.message) }])
    expect(made.message).toMatchObject({ reservedAt: 5_000, requestId: purchase.requestId })
  })

  it('finds its own order even after the sale ended, or sold out (I2)', async () => {
    const sale = await warmed({ stock: 1 })
    const purchase = aPurchase(sale, 1)
    await reserve(rig.redis, purchase)
    const same = { kind: 'repeat', quantity: 1, remaining: 0, orderId: purchase.orderId }

    expect(await reserve(rig.redis, { ...purchase, now: 10_000 })).toMatchObject(same)
    expect(await reserve(rig.redis, { ...purchase, startToken: tokenOf(99) })).toMatchObject(same)
  })

  it.each([1, 2])(
    'of a stock of %d shards is repeated with its message, until that has left the outbox (O4, S15)',
    async (shards) => {
      const stocks = { exec: rig.redis.exec, shardCount: async () => shards }
      const sale = aSale({ stock: 10 })
      for (const shard of await shardsOf(stocks, sale.saleId)) await warmStock(shard, sale)
      const purchase = aPurchase(sale, 1)
      const made = await reserve(stocks, purchase)
      // The units left in one shard are not those of the whole stock.
      const remaining = shards === 1 ? 9 : -1
      expect(made).toMatchObject({ kind: 'reserved', remaining })
      const { orderId, shopperId } = purchase
      const repeat = { kind: 'repeat', quantity: 1, remaining, orderId }
      const message = made.kind === 'reserved' && made.message
      expect(await reserve(stocks, purchase)).toEqual({ ...repeat, message })
      const home = await shardOf(stocks, sale.saleId, shopperId)
      await claimDue(home, sale.saleId, [orderId], { now: 20_000, minAgeMs: 0 })
      expect(await reserve(stocks, purchase), 'also once it was sent again').toEqual({ ...repeat, message })
      await acknowledgeOrders(stocks, sale.saleId, [purchase])
      expect(await reserve(stocks, purchase)).toEqual(repeat)
    },
  )

  it('accepts a shopper id that equals a field name of the stock', async () => {
    const sale = await warmed({ stock: 100 })
    const fields = [...((await everything(sale))[0]?.keys() ?? [])]
    const names = [
      ...fields,
      'left',
      'frozen',
      'heldBack',
      'variants',
      'total:m',
      'shopper:total',
      'noscript',
      '-1',
      '0',
    ]
    for (const [nth, name] of names.entries()) {
      const shopperId = parseShopperId(name)
      if (shopperId === undefined) throw new Error(`${name} is no shopper`)
      expect(await reserve(rig.redis, aPurchase(sale, nth, 1, { shopperId }))).toMatchObject({ kind: 'reserved' })
    }
    expect(fields).toEqual(expect.arrayContaining(['total', 'booked', 'flag', 'startToken', 'opensAt']))
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ total: 100, booked: names.length, flag: 'on' })
  })
})

describe('a refusal', () => {
  const refused = async (sale: Sale, changes: Parameters<typeof aPurchase>[3]) => {
    const before = await everything(sale)
    const answer = await reserve(rig.redis, aPurchase(sale, 1, 1, changes))
    expect(await everything(sale)).toEqual(before)
    return answer
  }

  it('says unknown-sale when the stock key is missing: never unlimited (S5, S18)', async () => {
    expect(await refused(aSale(), {})).toEqual({ kind: 'unknown-sale' })
  })

  it('says stale-page for the start token of another epoch, or none (C6)', async () => {
    const sale = await warmed({ epoch: 2, startToken: tokenOf(2) })
    expect(await refused(sale, { startToken: tokenOf(1) })).toEqual({ kind: 'stale-page' })
    expect(await refused(sale, { startToken: '' })).toEqual({ kind: 'stale-page' })
    expect(await refused(sale, { startToken: tokenOf(2).slice(0, 42) })).toEqual({ kind: 'stale-page' })
  })

  it.each(['1', '2', '3', 'on', '1000', 'goods', 'startToken'])(
    'says stale-page to %s, which is in the stock but is not a token (C6)',
    async (startToken) => {
      const sale = await warmed({ limitPerShopper: 3, maxPerOrder: 2 })
      expect(await refused(sale, { startToken })).toEqual({ kind: 'stale-page' })
    },
  )

  it('never accepts an empty token for a sale without one (C6)', async () => {
    const sale = await warmed({ flag: 'off', epoch: 0, startToken: null })
    expect(await refused(sale, { startToken: '' })).toEqual({ kind: 'not-started' })
    const armed = await warmed({ flag: 'on', epoch: 0, startToken: null })
    for (const startToken of ['', 'none', '0']) {
      expect(await refused(armed, { startToken })).toEqual({ kind: 'stale-page' })
    }
  })

  it('says sold-out, not unlimited, when more is booked than exists (I6)', async () => {
    const sale = await warmed()
    for (const booked of ['11', '12']) {
      await raw(rig.redis, 'HSET', stockKeys(sale.saleId).stock, 'booked', booked)
      expect(await refused(sale, {})).toEqual({
        kind: 'sold-out',
        remaining: 0,
        stockRevision: 0,
        booked: Number(booked),
      })
      expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ available: 0 })
    }
  })
})

describe('the cost of a call', () => {
  const callsOf = async (work: () => Promise<unknown>) => {
    await raw(rig.redis, 'CONFIG', 'RESETSTAT')
    await work()
    const counts = await commandCounts(rig.redis)
    const own = new Set(['evalsha', 'eval', 'info', 'config|resetstat'])
    return [...counts].filter(([name]) => !own.has(name)).reduce((sum, [, calls]) => sum + calls, 0)
  }

  it('is one command for a refusal, two for a repeat or one that counts as a try, and three for a reservation (L2, R2)', async () => {
    const sale = await warmed({ stock: 2 })
    const paused = await warmed({ flag: 'paused' })
    const off = await warmed({ flag: 'off' })
    const frozen = await warmed()
    await freeze(rig.redis, frozen.saleId)
    const first = aPurchase(sale, 1, 1, { quantity: 2 })
    for (const one of [sale, paused, off, frozen]) await reserve(rig.redis, aPurchase(one, 9, 1, { now: 0 }))

    expect(await callsOf(() => reserve(rig.redis, first))).toBe(3)
    const counted = [
      aPurchase(sale, 1, 2),
      aPurchase(sale, 3, 1, { quantity: 3 }),
      aPurchase(sale, 3, 2, { quantity: 3 }),
    ]
    for (const purchase of counted) {
      expect(await callsOf(() => reserve(rig.redis, purchase))).toBe(2)
    }
    // The outbox is read only for a repeat.
    expect(await callsOf(() => reserve(rig.redis, first))).toBe(2)
    const refusals = [
      aPurchase(sale, 2),
      aPurchase(sale, 3, 1, { startToken: tokenOf(9) }),
      aPurchase(sale, 3, 1, { now: 0 }),
      aPurchase(sale, 3, 1, { now: 9_000 }),
      aPurchase(paused, 3),
      aPurchase(off, 3),
      aPurchase(frozen, 3),
      aPurchase(aSale(), 3),
    ]
    for (const purchase of refusals) {
      expect(await callsOf(() => reserve(rig.redis, purchase))).toBe(1)
    }
    expect(await callsOf(() => reserve(rig.redis, aPurchase(sale, 3)))).toBe(1)
  })
})
