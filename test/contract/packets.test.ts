/** One suite for every implementation of the red packets that `claim` hands out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClaimMessage } from '../../core/claim.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { Packets } from '../../functions/buy/claim.ts'
import type { Outbox } from '../../functions/buy/dispatch.ts'
import { redisPacketsAndOutbox } from '../../functions/stores/claims.redis.ts'
import { pendingClaimPages } from '../../redis/claims.ts'
import { freeze } from '../../redis/freeze.ts'
import { aRain, aTap, aWarmRain } from '../redis/rain.ts'
import { type RedisRig, shopperIdOf, startRedisRig } from '../redis/support.ts'
import { memoryPackets } from './fakes/packets.ts'

type Rig = {
  packets: Packets
  outbox: Outbox<ShopperId>
  /** A loaded sale with a packet for each of `amounts`. */
  open: (amounts: readonly number[], changes?: Partial<Sale>) => Promise<Sale>
  freeze: (saleId: SaleId) => Promise<void>
  waiting: (saleId: SaleId) => Promise<ClaimMessage[]>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const packets = memoryPackets()
  return {
    packets,
    outbox: packets,
    async open(amounts, changes) {
      const sale = aRain(amounts, changes)
      packets.put(sale, amounts)
      return sale
    },
    freeze: async (saleId) => packets.freeze(saleId),
    waiting: async (saleId) => packets.waiting(saleId),
    stop: async () => {},
  }
}

async function inRedis(): Promise<Rig> {
  const rig: RedisRig = await startRedisRig()
  return {
    ...redisPacketsAndOutbox(rig.redis),
    open: (amounts, changes) => aWarmRain(rig.redis, amounts, changes),
    freeze: (saleId) => freeze(rig.redis, saleId),
    waiting: async (saleId) => {
      const found: ClaimMessage[] = []
      for await (const page of pendingClaimPages(rig.redis, saleId, 100)) found.push(...page)
      return found
    },
    stop: rig.stop,
  }
}

describe.each([
  ['memory', inMemory],
  ['Redis', inRedis],
])('red packets in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  it('go to one shopper each, in order, and a repeat finds the same one (P3, I5)', async () => {
    const sale = await rig.open([70, 30])
    const message = {
      saleId: sale.saleId,
      shopperId: shopperIdOf(1),
      packet: 0,
      amount: 70,
      currency: 'CNY',
      claimedAt: 5_000,
    }
    expect(await rig.packets.take(aTap(sale, 1))).toEqual({
      ...{ kind: 'claimed', remaining: 1, booked: 1, stockRevision: 0 },
      message: { ...message, requestId: 'request-1' },
    })
    expect(await rig.packets.take(aTap(sale, 1, { now: 6_000, requestId: 'again' }))).toEqual({
      kind: 'repeat',
      message: { ...message, requestId: 'request-1' },
    })
    expect(await rig.packets.take(aTap(sale, 2))).toMatchObject({
      ...{ kind: 'claimed', remaining: 0, booked: 2 },
      message: { packet: 1, amount: 30 },
    })
    expect(await rig.packets.take(aTap(sale, 3))).toEqual({
      ...{ kind: 'sold-out', remaining: 0, booked: 2, stockRevision: 0 },
    })
  })

  it('put each claim into the outbox, and remove it with the acknowledgement (O4)', async () => {
    const sale = await rig.open([1, 2, 3])
    const taken = await Promise.all([1, 2, 3].map((shopper) => rig.packets.take(aTap(sale, shopper))))
    const messages = taken.map((one) => (one.kind === 'claimed' ? one.message : undefined))
    const waiting = await rig.waiting(sale.saleId)
    expect(waiting).toHaveLength(3)
    expect(waiting).toEqual(expect.arrayContaining(messages))
    await Promise.all([1, 3].map((shopper) => rig.outbox.acknowledge(sale.saleId, shopperIdOf(shopper))))
    const left = await rig.waiting(sale.saleId)
    expect(left.map(({ shopperId }) => shopperId)).toEqual([shopperIdOf(2)])
    expect(await rig.packets.take(aTap(sale, 1))).toMatchObject({ kind: 'repeat' })
  })

  it('are never more than there are, for any number of concurrent claims (P3, I1)', async () => {
    const sale = await rig.open([5, 6, 7, 8, 9])
    const taps = Array.from({ length: 60 }, (_, shopper) => rig.packets.take(aTap(sale, shopper % 40)))
    const tapped = await Promise.all(taps)
    const claimed = tapped.flatMap((one) => (one.kind === 'claimed' ? [one.message] : []))
    expect(claimed.map(({ packet }) => packet).sort()).toEqual([0, 1, 2, 3, 4])
    expect(new Set(claimed.map(({ shopperId }) => shopperId)).size).toBe(5)
  })

  it('reject each invalid claim by its own name (G2, I6)', async () => {
    const sale = await rig.open([1])
    const kindOf = async (of: Sale, changes: object = {}) =>
      (await rig.packets.take(aTap(of, 1, changes))).kind
    expect(await kindOf(sale, { now: 999 })).toBe('not-started')
    expect(await kindOf(sale, { now: 9_000 })).toBe('ended')
    expect(await kindOf(sale, { startToken: 'z'.repeat(43) })).toBe('stale-page')
    expect(await kindOf(await rig.open([1], { flag: 'paused' }))).toBe('paused')
    expect(await kindOf(await rig.open([1], { flag: 'off' }))).toBe('not-started')
    expect(await kindOf(aRain([1]))).toBe('unknown-sale')
    expect(await kindOf(sale)).toBe('claimed')
  })

  it('are not handed out while they are recovered or incomplete, and a repeat finds its own (I6, I2)', async () => {
    const sale = await rig.open([1, 2])
    await rig.packets.take(aTap(sale, 1))
    await rig.freeze(sale.saleId)
    expect(await rig.packets.take(aTap(sale, 2))).toEqual({ kind: 'unavailable' })
    expect(await rig.packets.take(aTap(sale, 1))).toMatchObject({ kind: 'repeat', message: { amount: 1 } })
    const partly = await rig.open([1, 2], { stock: 3, packets: { count: 3, totalAmount: 6 } })
    const kinds = [1, 2, 3].map(async (shopper) => (await rig.packets.take(aTap(partly, shopper))).kind)
    expect((await Promise.all(kinds)).sort()).toEqual(['claimed', 'claimed', 'unavailable'])
  })
})
