import { describe, expect, it } from 'vitest'
import { readBuyRequest } from '../../../core/buy/buy-request.ts'
import { phaseAt } from '../../../core/sale/phase.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { UnexpectedReply } from '../../../redis/errors.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { outboxSize } from '../../../redis/orders/outbox.ts'
import { claim } from '../../../redis/packets/claim.ts'
import {
  acknowledgeClaims,
  claimPages,
  pendingClaimPages,
  restoreClaims,
} from '../../../redis/packets/stored-claims.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { flip } from '../../../redis/stock/warm.ts'
import { aPurchase, aWarmSale, commandCounts, raw, shopperIdOf, tokenOf, useRedisRig } from '../support.ts'
import { aRain, aTap, aWarmRain, tapAll } from './rain.ts'

const { redis } = useRedisRig()

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(...page)
  return found
}

describe('a claim', () => {
  it('gets the next packet, is remembered with it, and waits to be sent (P2, P4)', async () => {
    const sale = await aWarmRain(redis, [1221, 5, 700])
    const { saleId } = sale
    const message = {
      ...{ saleId, shopperId: shopperIdOf(1), packet: 0, amount: 1221, currency: 'CNY' },
      ...{ claimedAt: 5_000, requestId: 'request-1' },
    }
    const counts = { booked: 1, remaining: 2, stockRevision: 0 }
    expect(await claim(redis, aTap(sale, 1))).toEqual({ kind: 'claimed', message, ...counts })
    expect(await all(claimPages(redis, saleId, 100))).toEqual([message])
    expect(await all(pendingClaimPages(redis, saleId, 100))).toEqual([message])
    expect(await readStock(redis, saleId)).toMatchObject({
      ...{ total: 3, booked: 1, available: 2 },
      packets: { loaded: 3, waiting: 2 },
    })
    await acknowledgeClaims(redis, saleId, [message])
    expect(await outboxSize(redis, saleId)).toBe(0)
    expect(await all(claimPages(redis, saleId, 100))).toEqual([message])
  })

  it('of a shopper with a packet finds that one, even with another token and after the end (P3, I5)', async () => {
    const sale = await aWarmRain(redis, [10, 20])
    const first = await claim(redis, aTap(sale, 1))
    const again = await claim(redis, aTap(sale, 1, { now: 99_000, startToken: tokenOf(7), requestId: 'later' }))
    expect(again).toEqual({ kind: 'repeat', message: first.kind === 'claimed' && first.message })
    await freeze(redis, sale.saleId)
    expect((await claim(redis, aTap(sale, 1))).kind).toBe('repeat')
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 1 })
  })

  it('has separate answers for claimed, claimed before and none left (P5)', async () => {
    const sale = await aWarmRain(redis, [10])
    const kinds = [
      await claim(redis, aTap(sale, 1)),
      await claim(redis, aTap(sale, 1)),
      await claim(redis, aTap(sale, 2)),
    ].map(({ kind }) => kind)
    expect(kinds).toEqual(['claimed', 'repeat', 'sold-out'])
    expect(await claim(redis, aTap(sale, 2))).toEqual({ kind: 'sold-out', booked: 1, remaining: 0, stockRevision: 0 })
  })

  it('runs only on the keys of its sale, and none is a shopper (P5, P6)', async () => {
    const sale = await aWarmRain(redis, [10])
    const before = new Set([await raw(redis, 'KEYS', '*')].flat())
    await claim(redis, aTap(sale, 1))
    const added = [await raw(redis, 'KEYS', '*')].flat().filter((key) => !before.has(key))
    const { claims, outbox } = stockKeys(sale.saleId)
    expect(added.toSorted()).toEqual([claims, outbox])
  })

  it.each([
    ['before the start', { now: 999 }, 'not-started'],
    ['after the end', { now: 9_000 }, 'ended'],
    ['with the token of another opening', { startToken: tokenOf(2) }, 'stale-page'],
    ['with a part of the token', { startToken: tokenOf(1).slice(0, -1) }, 'stale-page'],
  ] as const)('%s is rejected', async (_, changes, kind) => {
    const sale = await aWarmRain(redis, [10])
    expect(await claim(redis, aTap(sale, 1, changes))).toEqual({ kind })
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 0, packets: { waiting: 1 } })
  })

  it.each([
    [{ flag: 'off' }, 'not-started'],
    [{ flag: 'paused' }, 'paused'],
    [{ flag: 'closed' }, 'ended'],
  ] as const)('of a sale whose flag is %o is %s, as its phase says', async (changes, kind) => {
    const sale = await aWarmRain(redis, [10], changes)
    expect((await claim(redis, aTap(sale, 1))).kind).toBe(kind)
    const phase = phaseAt({ ...sale, hasNext: false }, 5_000, 1)
    expect({ scheduled: 'not-started', paused: 'paused', ended: 'ended' }[String(phase)]).toBe(kind)
  })

  it('is too early before the next window (R7)', async () => {
    const windows = [
      { startsAt: 1_000, endsAt: 9_000, stock: 1, totalAmount: 10 },
      { startsAt: 20_000, endsAt: 30_000, stock: 1, totalAmount: 10 },
    ]
    const sale = await aWarmRain(redis, [10], { windows })
    expect((await claim(redis, aTap(sale, 1, { now: 9_500 }))).kind).toBe('not-started')
  })

  it('on an unknown sale, a frozen one, or one that lost its packets is rejected (I6, P10)', async () => {
    expect(await claim(redis, aTap(aRain([10]), 1))).toEqual({ kind: 'unknown-sale' })
    const sale = await aWarmRain(redis, [10, 20])
    await claim(redis, aTap(sale, 1))
    await raw(redis, 'DEL', stockKeys(sale.saleId).packets)
    expect(await claim(redis, aTap(sale, 2))).toEqual({ kind: 'unavailable' })
    await freeze(redis, sale.saleId)
    expect(await claim(redis, aTap(sale, 2))).toEqual({ kind: 'unavailable' })
  })

  it('never takes goods, and a purchase never takes a packet', async () => {
    const [goods, rain] = [await aWarmSale(redis), await aWarmRain(redis, [10, 20])]
    expect(await claim(redis, aTap(goods, 1))).toEqual({ kind: 'stale-page' })
    expect(await reserve(redis, aPurchase(rain, 1))).toEqual({ kind: 'stale-page' })
    // The word that distinguishes the two cannot be part of a token in a request.
    const body = JSON.stringify({ quantity: 1, startToken: `p:${rain.startToken}` })
    expect(readBuyRequest(body)).toMatchObject({ ok: false, field: 'startToken' })
  })

  it('reads first and writes last, at most five times in all (P9)', async () => {
    const sale = await aWarmRain(redis, [10, 20])
    await claim(redis, aTap(sale, 9))
    await raw(redis, 'CONFIG', 'RESETSTAT')
    await claim(redis, aTap(sale, 1))
    const counts = await commandCounts(redis)
    const calls = ['hget', 'hmget', 'rpop', 'hset'].map((name) => counts.get(name) ?? 0)
    expect(calls).toEqual([1, 1, 1, 2])
    await raw(redis, 'CONFIG', 'RESETSTAT')
    await claim(redis, aTap(sale, 1))
    expect((await commandCounts(redis)).get('hget')).toBe(1)
    expect((await commandCounts(redis)).get('hset')).toBeUndefined()
  })

  it('with a request id that has spaces is kept and found again', async () => {
    const sale = await aWarmRain(redis, [10])
    await claim(redis, aTap(sale, 1, { requestId: ' a b\n' }))
    expect(await claim(redis, aTap(sale, 1))).toMatchObject({ kind: 'repeat', message: { requestId: 'ab' } })
    const other = await aWarmRain(redis, [10])
    await claim(redis, aTap(other, 1, { requestId: '' }))
    expect(await claim(redis, aTap(other, 1))).toMatchObject({ kind: 'repeat', message: { requestId: '-' } })
  })

  it('that is stored malformed is a fault, and pays nothing', async () => {
    const sale = await aWarmRain(redis, [10])
    await raw(redis, 'HSET', stockKeys(sale.saleId).claims, shopperIdOf(1), 'nonsense')
    await expect(claim(redis, aTap(sale, 1))).rejects.toThrow(UnexpectedReply)
    await expect(all(claimPages(redis, sale.saleId, 10))).rejects.toThrow(UnexpectedReply)
  })

  it('continues after a resume with the old token', async () => {
    const sale = await aWarmRain(redis, [10, 20])
    await flip(redis, { ...sale, flag: 'paused', version: 2 })
    expect((await claim(redis, aTap(sale, 1))).kind).toBe('paused')
    await flip(redis, { ...sale, version: 3 })
    expect((await claim(redis, aTap(sale, 1))).kind).toBe('claimed')
  })
})

describe('many taps at once', () => {
  it('leave each shopper one packet and each packet one shopper (P3)', async () => {
    const amounts = Array.from({ length: 300 }, (_, at) => at + 1)
    const sale = await aWarmRain(redis, amounts)
    const taps = Array.from({ length: 1500 }, (_, at) => claim(redis, aTap(sale, at % 500)))
    const tapped = await Promise.all(taps)
    const claims = tapped.flatMap((one) => (one.kind === 'claimed' ? [one.message] : []))
    expect(claims).toHaveLength(300)
    expect(new Set(claims.map(({ shopperId }) => shopperId)).size).toBe(300)
    expect(claims.map(({ packet }) => packet).toSorted((a, b) => a - b)).toEqual(amounts.map((n) => n - 1))
    expect(claims.reduce((sum, { amount }) => sum + amount, 0)).toBe((300 * 301) / 2)
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 300, available: 0 })
  })
})

describe('claims that Redis forgot', () => {
  it('are restored in a frozen sale, and an existing one stays', async () => {
    const sale = await aWarmRain(redis, [10, 20, 30])
    await tapAll(redis, sale, 1)
    await freeze(redis, sale.saleId)
    const claims = [
      { shopperId: shopperIdOf(0), packet: 2, amount: 30, currency: 'CNY', claimedAt: 4_000 },
      { shopperId: shopperIdOf(5), packet: 1, amount: 20, currency: 'CNY', claimedAt: 4_000 },
    ]
    expect(await restoreClaims(redis, sale.saleId, claims)).toEqual({ restored: 1, refused: 1 })
    expect(await restoreClaims(redis, sale.saleId, claims)).toEqual({ restored: 0, refused: 1 })
    expect(await claim(redis, aTap(sale, 0))).toMatchObject({ kind: 'repeat', message: { packet: 0 } })
    expect(await claim(redis, aTap(sale, 5))).toMatchObject({
      kind: 'repeat',
      message: { packet: 1, amount: 20, currency: 'CNY', claimedAt: 4_000 },
    })
    expect(await restoreClaims(redis, aRain([1]).saleId, claims)).toBeUndefined()
  })
})
