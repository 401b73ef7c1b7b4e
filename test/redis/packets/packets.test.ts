/** Packets are loaded once, held back by a recovery, released in order, and removed in the end. */
import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { readAdmissions, replenish } from '../../../redis/gate/replenish.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { restore } from '../../../redis/orders/restore.ts'
import {
  countPackets,
  heldPackets,
  loadPackets,
  type PacketChunk,
  packetsPerCall,
  releaseHeldPackets,
  retirePackets,
} from '../../../redis/packets/packets.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { updateDefinition, warmStock } from '../../../redis/stock/warm.ts'
import { raw, shopperIdOf, useRedisRig } from '../support.ts'
import { aClaim, aRain, aWarmRain, claimAll, claimIdOf, packetsOf, waitingPackets } from './rain.ts'

const { redis } = useRedisRig()

const amounts = Array.from({ length: packetsPerCall + 1 }, (_, number) => 100 + number)
const packets = packetsOf(amounts)
const chunkOf = (from: number, to: number, changes: Partial<PacketChunk> = {}): PacketChunk => ({
  ...{ from, to, packets: packets.slice(from, to), held: [], moves: undefined },
  ...changes,
})
const numbersIn = async (sale: Sale) => (await waitingPackets(redis, sale)).map(({ number }) => number)

describe('loading packets (P1)', () => {
  it('loads chunks in order, each once, and returns where to continue', async () => {
    const sale = aRain(amounts.slice(0, 5))
    const load = (from: number, to: number) => loadPackets(redis, sale.saleId, chunkOf(from, to))
    expect(await load(0, 2)).toEqual({ kind: 'unknown-sale' })
    await warmStock(redis, sale)
    const answers = [await load(2, 4), await load(0, 2), await load(0, 2), await load(2, 5)]
    expect(answers.map(({ kind }) => kind)).toEqual(['gap', 'loaded', 'repeat', 'loaded'])
    expect(await countPackets(redis, sale.saleId)).toEqual({
      ...{ total: 5, booked: 0, stockRevision: 0, heldBack: 0, loaded: 5, waiting: 5 },
    })
    expect(await waitingPackets(redis, sale)).toEqual(packets.slice(0, 5))
  })

  it('is for a recovery alone while the sale is frozen, which begins anew and notices what moves (P10)', async () => {
    const sale = await aWarmRain(redis, amounts.slice(0, 4))
    const { saleId } = sale
    await claimAll(redis, sale, 1)
    const anew = { moves: 0, packets: packets.slice(2, 4), held: packets.slice(1, 2) }
    expect(await loadPackets(redis, saleId, chunkOf(0, 4, anew))).toMatchObject({ kind: 'not-now' })
    await freeze(redis, saleId)
    expect(await loadPackets(redis, saleId, chunkOf(4, 5))).toMatchObject({ kind: 'not-now' })
    for (const _ of ['one', 'again']) {
      expect(await loadPackets(redis, saleId, chunkOf(0, 4, anew))).toEqual({ kind: 'loaded', loaded: 4 })
      expect([await numbersIn(sale), await heldPackets(redis, saleId)]).toEqual([[2, 3], [1]])
    }
    const order = { orderId: claimIdOf(sale, 9), shopperId: shopperIdOf(9), quantity: 1, reservedAt: 1 }
    await restore(redis, saleId, [{ ...order, packet: { number: 3, amount: 103, currency: 'CNY' } }])
    expect(await loadPackets(redis, saleId, chunkOf(0, 4, anew))).toMatchObject({ kind: 'moved' })
    expect(await numbersIn(sale)).toEqual([2])
  })

  it('accepts a chunk of the largest size with the largest amounts in one call, and rejects more', async () => {
    const sale = aRain(amounts.slice(1))
    await warmStock(redis, sale)
    const large = packets.slice(1).map((packet) => ({ ...packet, amount: 999_999_999_999 }))
    const chunk = chunkOf(0, packetsPerCall, { packets: large })
    expect(await loadPackets(redis, sale.saleId, chunk)).toEqual({ kind: 'loaded', loaded: packetsPerCall })
    expect(await waitingPackets(redis, sale)).toEqual(large)
    await expect(loadPackets(redis, sale.saleId, chunkOf(0, packetsPerCall + 1))).rejects.toThrow(RangeError)
  })
})

describe('retiring packets', () => {
  it('waits until the sale is over, and leaves the orders', async () => {
    const sale = await aWarmRain(redis, [1, 1, 1])
    const { saleId } = sale
    await claimAll(redis, sale, 1)
    expect(await retirePackets(redis, saleId, 8_999)).toBe('open')
    expect((await countPackets(redis, saleId))?.waiting).toBe(2)
    for (const _ of ['one', 'again']) expect(await retirePackets(redis, saleId, 9_000)).toBe('retired')
    const counts = { total: 3, booked: 1, loaded: 1, waiting: 0, heldBack: 0 }
    expect(await countPackets(redis, saleId)).toMatchObject(counts)
    expect((await reserve(redis, aClaim(sale, 0))).kind).toBe('repeat')
  })

  it('accepts a closed sale, and rejects one between windows or frozen', async () => {
    const windows = [1_000, 20_000].map((startsAt) => ({
      startsAt,
      endsAt: startsAt + 8_000,
      stock: 1,
      totalAmount: 1,
    }))
    const waves = await aWarmRain(redis, [1], { windows })
    expect(await retirePackets(redis, waves.saleId, 10_000)).toBe('open')
    const closed = await aWarmRain(redis, [1])
    await updateDefinition(redis, { ...closed, flag: 'closed', version: 2 })
    expect(await retirePackets(redis, closed.saleId, 5_000)).toBe('retired')
    const frozen = await aWarmRain(redis, [1])
    await freeze(redis, frozen.saleId)
    expect(await retirePackets(redis, frozen.saleId, 99_000)).toBe('open')
    expect(await retirePackets(redis, aRain([1]).saleId, 99_000)).toBe('unknown-sale')
  })
})

const since = 4_000

/** An unfrozen sale whose packets below `held` are held back; the others wait. */
async function unfrozen(count: number, held: number): Promise<Sale> {
  const sale = aRain(amounts.slice(0, count))
  await warmStock(redis, sale)
  await freeze(redis, sale.saleId)
  const all = { packets: packets.slice(held, count), held: packets.slice(0, held), moves: 0 }
  await loadPackets(redis, sale.saleId, chunkOf(0, count, all))
  await unfreeze(redis, { ...sale, version: 2 }, 0, { units: held, since })
  return sale
}

describe('packets that are held back', () => {
  /** The units that stay held back belong to dead letters. */
  const settled = ({ saleId }: Sale) =>
    releaseHeldBack(redis, saleId, { since, keep: 1000, quietSince: undefined, isFinal: true })
  const sell = ({ saleId }: Sale, numbers: readonly number[], changes: object = {}) =>
    releaseHeldPackets(redis, saleId, { since, maxBooked: 1000, numbers, ...changes })
  const arrive = ({ saleId }: Sale, shopper: number, number: number) =>
    restore(redis, saleId, [
      {
        ...{ orderId: claimIdOf({ saleId }, shopper), shopperId: shopperIdOf(shopper), quantity: 1, reservedAt: 3_000 },
        packet: packetsOf([100 + number], number)[0] ?? fail(),
      },
    ])
  const fail = (): never => {
    throw new Error('there is no packet')
  }

  it('are booked, and an empty list is not sold out until it is settled whose they are (I6, G7)', async () => {
    const sale = await unfrozen(3, 2)
    const counts = { booked: 2, heldBack: 2, available: 1, packets: { loaded: 3, waiting: 1 } }
    expect(await readStock(redis, sale.saleId)).toMatchObject(counts)
    const last = { kind: 'reserved', booked: 3, remaining: 0, holdsBack: true, message: { packet: { number: 2 } } }
    expect(await reserve(redis, aClaim(sale, 1))).toMatchObject(last)
    expect(await reserve(redis, aClaim(sale, 2))).toEqual({ kind: 'unavailable', isHeldBack: true })
    await settled(sale)
    expect(await reserve(redis, aClaim(sale, 2))).toMatchObject({ kind: 'sold-out', booked: 3, remaining: 0 })
  })

  it('go to the orders that arrive, each once; one of the list leaves what is held back (I2, I5)', async () => {
    const sale = await unfrozen(4, 2)
    for (const orders of [1, 0]) {
      expect(await arrive(sale, 7, 1)).toMatchObject({ orders })
      expect(await arrive(sale, 8, 3)).toMatchObject({ orders, booked: 3 })
    }
    expect(await countPackets(redis, sale.saleId)).toMatchObject({ booked: 3, heldBack: 1, waiting: 1 })
    expect(await sell(sale, [0, 1])).toMatchObject({ kind: 'released', packets: 1 })
    expect(await numbersIn(sale)).toEqual([0, 2])
  })

  it('replace the second packet of a shopper whose first order arrives late (P3)', async () => {
    const sale = await unfrozen(3, 1)
    await claimAll(redis, sale, 1, 1)
    for (const orders of [1, 0]) expect(await arrive(sale, 1, 0)).toMatchObject({ orders, booked: 1 })
    expect(await countPackets(redis, sale.saleId)).toMatchObject({ booked: 1, heldBack: 0, waiting: 2 })
    expect(await reserve(redis, aClaim(sale, 1))).toMatchObject({ kind: 'repeat', packet: { number: 0 } })
    expect(await numbersIn(sale)).toEqual([1, 2])
  })

  it('are claimed first once they are released, in order, each once (G7, I5)', async () => {
    const sale = await unfrozen(6, 4)
    await claimAll(redis, sale, 1)
    expect(await heldPackets(redis, sale.saleId)).toEqual([0, 1, 2, 3])
    expect(await sell(sale, [3, 2])).toEqual({ kind: 'released', packets: 2, stockRevision: 1 })
    expect(await sell(sale, [1, 0])).toMatchObject({ packets: 2 })
    expect(await sell(sale, [5, 4, 3, 2, 1, 0])).toMatchObject({ packets: 0 })
    expect(await numbersIn(sale)).toEqual([0, 1, 2, 3, 5])
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 1, available: 5, heldBack: 0 })
  })

  it('are a restock when they are released into an empty list', async () => {
    const sale = await unfrozen(2, 2)
    await settled(sale)
    expect(await reserve(redis, aClaim(sale, 1))).toMatchObject({ kind: 'sold-out', stockRevision: 1 })
    expect(await sell(sale, [0])).toEqual({ kind: 'released', packets: 1, stockRevision: 2 })
    expect(await sell(sale, [1])).toEqual({ kind: 'released', packets: 1, stockRevision: 2 })
  })

  it('stay while more were handed out than the gate knows, after another unfreeze, and in a freeze (I2)', async () => {
    const sale = await unfrozen(4, 2)
    await claimAll(redis, sale, 1)
    expect(await sell(sale, [1, 0], { maxBooked: 2 })).toEqual({ kind: 'moved' })
    expect(await sell(sale, [1, 0], { since: since - 1 })).toEqual({ kind: 'superseded' })
    await freeze(redis, sale.saleId)
    expect(await sell(sale, [1, 0])).toEqual({ kind: 'superseded' })
    expect(await countPackets(redis, sale.saleId)).toMatchObject({ heldBack: 2, waiting: 1 })
    expect(await sell(aRain([1]), [0])).toEqual({ kind: 'unknown-sale' })
    await expect(sell(sale, amounts)).rejects.toThrow(RangeError)
  })

  it('are removed once the sale is over', async () => {
    const sale = await unfrozen(4, 2)
    expect(await retirePackets(redis, sale.saleId, 9_000)).toBe('retired')
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 0, heldBack: 0 })
    expect(await raw(redis, 'EXISTS', stockKeys(sale.saleId).held)).toBe(0)
  })
})

describe('the largest number of booked packets at the gate', () => {
  it('does not fall when fewer are booked later, or the stock cannot be counted (I2)', async () => {
    const { saleId } = aRain([1])
    const publish = (asOf: number, booked: number | undefined) =>
      replenish(redis, saleId, { asOf, total: 9, booked, stockRevision: 0, epoch: 1, ratio: 1 })
    await publish(1_000, 7)
    await publish(20_000, 3)
    expect(await readAdmissions(redis, saleId)).toMatchObject({ booked: 3, maxBooked: 7 })
    await publish(40_000, undefined)
    expect(await readAdmissions(redis, saleId)).toMatchObject({ booked: 3, maxBooked: 7 })
  })
})
