import { beforeEach, describe, expect, it, vi } from 'vitest'
import { claimPacket, type WantedPacket } from '../../../functions/buy/claim.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aRain, loadRain } from '../../redis/packets/rain.ts'
import { aSale, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { type ClaimRig, claimRig } from './claim-support.ts'

const sale = aRain([70, 20, 10])
const { saleId } = sale
const admission = 1_800_000_000
let rig: ClaimRig

const redis = useRedis()
beforeEach(async () => {
  rig = claimRig(redis)
  await loadRain(redis, sale, [70, 20, 10])
})

function tap(shopper: number, changes: Partial<WantedPacket> = {}) {
  return claimPacket(rig.ports, {
    saleId,
    shopperId: shopperIdOf(shopper),
    startToken: sale.startToken ?? '',
    requestId: 'request-1',
    admission,
    ...changes,
  })
}

const kindOf = async (shopper: number, changes: Partial<WantedPacket> = {}) => (await tap(shopper, changes)).kind

describe('claim', () => {
  it('hands out a packet and queues the claim, which stays in the outbox until it is credited (P2, O2, O4)', async () => {
    const message = {
      ...{ saleId, shopperId: shopperIdOf(1), packet: 0, amount: 70, currency: 'CNY' },
      ...{ claimedAt: 5_000, requestId: 'request-1' },
    }
    expect(await tap(1)).toEqual({ kind: 'claimed', message, remaining: 2, booked: 1, stockRevision: 0 })
    const admitted = { second: admission, booked: 1, stockRevision: 0 }
    expect(rig.queue.messages).toEqual([{ ...message, admitted }])
    expect(await rig.waiting(saleId)).toEqual([message])
    expect(rig.telemetry.counted('Claimed')).toBe(1)
  })

  it('gives a shopper the same packet again, and sends nothing a second time (P3, I5)', async () => {
    await tap(1)
    expect(await tap(1)).toMatchObject({ kind: 'repeat', message: { packet: 0, amount: 70 } })
    expect(rig.queue.messages).toHaveLength(1)
    expect(await rig.claimed(saleId)).toBe(1)
    expect(rig.telemetry.counted('Repeated')).toBe(1)
  })

  it('gives a shopper whose reply was lost the same packet again, which still waits to be sent (I5)', async () => {
    rig.stock.loseNextReply()
    await expect(tap(1)).rejects.toThrow(RedisUnavailable)
    expect(await tap(1)).toMatchObject({ kind: 'repeat', message: { packet: 0 } })
    expect(await rig.claimed(saleId)).toBe(1)
    expect((await rig.waiting(saleId)).map(({ packet }) => packet)).toEqual([0])
  })

  it('keeps the packet when SQS is unavailable: the claim waits in the outbox (O4, I2)', async () => {
    rig.queue.goDown()
    expect(await kindOf(1)).toBe('claimed')
    expect(await rig.waiting(saleId)).toHaveLength(1)
    expect(rig.telemetry.counted('SendFailed')).toBe(1)
    const [line] = rig.telemetry.lines
    expect(line).toMatchObject({ level: 'warn', facts: { packetId: `${saleId}-p0`, requestId: 'request-1' } })
    expect(JSON.stringify(line), 'no log says who has a packet').not.toContain('shopper-1')
  })

  it('hands nothing out while Redis is unavailable (I6)', async () => {
    rig.stock.goDown()
    await expect(tap(1)).rejects.toThrow()
    expect(rig.queue.messages).toEqual([])
    expect(rig.completed).toEqual([])
  })

  it('rejects a claim on an unknown sale, and on a sale of another kind (I6)', async () => {
    const goods = aSale()
    await warmStock(redis, goods)
    expect(await kindOf(1, { saleId: goods.saleId })).toBe('stale-page')
    expect(await kindOf(1, { saleId: aSale().saleId })).toBe('unknown-sale')
    expect(rig.telemetry.counted('Refused')).toBe(2)
    expect(rig.completed.map(([, decided]) => decided)).toEqual([[{ second: admission }], [{ second: admission }]])
  })

  it.each([
    ['not-started', { now: 999 }, {}],
    ['ended', { now: 9_000 }, {}],
    ['stale-page', {}, { startToken: 'z'.repeat(43) }],
  ] as const)('sends no message when it answers %s, and counts a refusal', async (kind, at, changes) => {
    Object.assign(rig.clock, at)
    expect(await kindOf(1, changes)).toBe(kind)
    expect([rig.queue.messages, rig.published]).toEqual([[], []])
    expect(rig.telemetry.counted('Refused')).toBe(1)
    expect(rig.completed).toEqual([[saleId, [{ second: admission }]]])
  })

  it('sends no message and reports no stock to the gate while the sale is frozen (I6)', async () => {
    await freeze(redis, saleId)
    expect(await kindOf(1)).toBe('unavailable')
    expect([rig.queue.messages, rig.published]).toEqual([[], []])
    expect(rig.completed).toEqual([[saleId, [{ second: admission }]]])
  })

  it('notifies the gate when the last packet is claimed, and when none is left (G4)', async () => {
    await tap(1)
    await tap(2)
    expect(rig.published).toEqual([])
    await tap(3)
    expect(rig.published).toEqual([0])
    expect(await kindOf(4)).toBe('sold-out')
    expect(rig.published).toEqual([0, 0])
    expect(rig.telemetry.counted('SoldOut')).toBe(1)
  })

  it('has the consumer report what took a packet, and reports every other tap itself, once each (G5, G7)', async () => {
    await tap(1)
    await tap(1)
    await tap(2)
    await tap(3)
    await tap(4)
    const second = admission
    expect(rig.queue.messages.map(({ admitted }) => admitted)).toEqual(
      [1, 2, 3].map((booked) => ({ second, booked, stockRevision: 0 })),
    )
    expect(rig.completed.map(([, decided]) => decided)).toEqual([
      [{ second }],
      [{ second, booked: 3, stockRevision: 0 }],
    ])
    await tap(5, { admission: undefined })
    expect(rig.completed, 'no report for a tap without an admission').toHaveLength(2)
  })

  it('keeps the packet when the gate cannot be notified (I2)', async () => {
    rig.ports.admissions = { complete: () => Promise.reject(new RedisUnavailable('gone')) }
    rig.ports.soldOut = { publish: () => Promise.reject(new RedisUnavailable('gone')) }
    expect(await Promise.all([1, 2, 3].map((shopper) => kindOf(shopper)))).toEqual(['claimed', 'claimed', 'claimed'])
    expect(rig.queue.messages).toHaveLength(3)
    expect(rig.telemetry.counted('GateUpdateFailed')).toBe(1)
  })

  it('gives up on a gate that is unavailable long before a shopper would notice (I6)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      for (const shopper of [1, 2, 3]) await tap(shopper)
      const reported = Promise.withResolvers<void>()
      rig.ports.admissions = {
        complete: () => {
          reported.resolve()
          return new Promise(() => {})
        },
      }
      let answered: string | undefined
      const answer = kindOf(4).then((kind) => {
        answered = kind
      })
      await reported.promise
      await vi.advanceTimersByTimeAsync(149)
      expect(answered).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      await answer
      expect(answered).toBe('sold-out')
    } finally {
      vi.useRealTimers()
    }
  })
})
