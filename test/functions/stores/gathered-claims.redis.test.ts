/** Claims of red packets and their outbox, by commands that share requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClaimMessage } from '../../../core/claim.ts'
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale.ts'
import { gatherCommands } from '../../../functions/stores/gathered.redis.ts'
import { claim } from '../../../redis/claim.ts'
import { acknowledgeClaims, pendingClaimPages } from '../../../redis/claims.ts'
import type { Commander } from '../../../redis/command.ts'
import { freeze } from '../../../redis/freeze.ts'
import { aRain, aTap, aWarmRain } from '../../redis/rain.ts'
import { type RedisRig, shopperIdOf, startRedisRig } from '../../redis/support.ts'

let server: RedisRig
let packets: Commander
beforeAll(async () => {
  server = await startRedisRig()
  packets = gatherCommands(server.redis)
})
afterAll(() => server.stop())

/** A warmed sale with a packet for each of `amounts`. */
const open = (amounts: readonly number[], changes?: Partial<Sale>) =>
  aWarmRain(server.redis, amounts, changes)

async function waiting(saleId: SaleId): Promise<ClaimMessage[]> {
  const found: ClaimMessage[] = []
  for await (const page of pendingClaimPages(server.redis, saleId, 100)) found.push(...page)
  return found
}

describe('red packets', () => {
  it('go to one shopper each, in order, and a repeated claim finds its packet again (P3, I5)', async () => {
    const sale = await open([70, 30])
    const message = {
      saleId: sale.saleId,
      shopperId: shopperIdOf(1),
      packet: 0,
      amount: 70,
      currency: 'CNY',
      claimedAt: 5_000,
    }
    expect(await claim(packets, aTap(sale, 1))).toEqual({
      ...{ kind: 'claimed', remaining: 1, booked: 1, stockRevision: 0 },
      message: { ...message, requestId: 'request-1' },
    })
    expect(await claim(packets, aTap(sale, 1, { now: 6_000, requestId: 'again' }))).toEqual({
      kind: 'repeat',
      message: { ...message, requestId: 'request-1' },
    })
    expect(await claim(packets, aTap(sale, 2))).toMatchObject({
      ...{ kind: 'claimed', remaining: 0, booked: 2 },
      message: { packet: 1, amount: 30 },
    })
    expect(await claim(packets, aTap(sale, 3))).toEqual({
      ...{ kind: 'sold-out', remaining: 0, booked: 2, stockRevision: 0 },
    })
  })

  it('put each claim into the outbox, and the acknowledgement removes it (O4)', async () => {
    const sale = await open([1, 2, 3])
    const taken = await Promise.all([1, 2, 3].map((shopper) => claim(packets, aTap(sale, shopper))))
    const messages = taken.map((one) => (one.kind === 'claimed' ? one.message : undefined))
    const found = await waiting(sale.saleId)
    expect(found).toHaveLength(3)
    expect(found).toEqual(expect.arrayContaining(messages))
    await Promise.all(
      [1, 3].map((shopper) =>
        acknowledgeClaims(packets, sale.saleId, [{ shopperId: shopperIdOf(shopper), packet: shopper - 1 }]),
      ),
    )
    const left = await waiting(sale.saleId)
    expect(left.map(({ shopperId }) => shopperId)).toEqual([shopperIdOf(2)])
    expect(await claim(packets, aTap(sale, 1))).toMatchObject({ kind: 'repeat' })
  })

  it('are never handed out twice, however many shoppers tap at once (P3, I1)', async () => {
    const sale = await open([5, 6, 7, 8, 9])
    const taps = Array.from({ length: 60 }, (_, shopper) => claim(packets, aTap(sale, shopper % 40)))
    const tapped = await Promise.all(taps)
    const claimed = tapped.flatMap((one) => (one.kind === 'claimed' ? [one.message] : []))
    expect(claimed.map(({ packet }) => packet).sort()).toEqual([0, 1, 2, 3, 4])
    expect(new Set(claimed.map(({ shopperId }) => shopperId)).size).toBe(5)
  })

  it('reject each kind of invalid claim with its own code (G2, I6)', async () => {
    const sale = await open([1])
    const kindOf = async (of: Sale, changes: object = {}) => (await claim(packets, aTap(of, 1, changes))).kind
    expect(await kindOf(sale, { now: 999 })).toBe('not-started')
    expect(await kindOf(sale, { now: 9_000 })).toBe('ended')
    expect(await kindOf(sale, { startToken: 'z'.repeat(43) })).toBe('stale-page')
    expect(await kindOf(await open([1], { flag: 'paused' }))).toBe('paused')
    expect(await kindOf(await open([1], { flag: 'off' }))).toBe('not-started')
    expect(await kindOf(aRain([1]))).toBe('unknown-sale')
    expect(await kindOf(sale)).toBe('claimed')
  })

  it('cannot be claimed while they are recovered or incomplete, and a repeat still finds its own (I6, I2)', async () => {
    const sale = await open([1, 2])
    await claim(packets, aTap(sale, 1))
    await freeze(server.redis, sale.saleId)
    expect(await claim(packets, aTap(sale, 2))).toEqual({ kind: 'unavailable' })
    expect(await claim(packets, aTap(sale, 1))).toMatchObject({ kind: 'repeat', message: { amount: 1 } })
    const partly = await open([1, 2], { stock: 3, packets: { count: 3, totalAmount: 6 } })
    const kinds = [1, 2, 3].map(async (shopper) => (await claim(packets, aTap(partly, shopper))).kind)
    expect((await Promise.all(kinds)).sort()).toEqual(['claimed', 'claimed', 'unavailable'])
  })
})
