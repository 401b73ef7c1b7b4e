/** Packets that a recovery holds back: claims that arrive take them, and the others are released in order. */
import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { readAdmissions, replenish } from '../../../redis/gate/replenish.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { claim } from '../../../redis/packets/claim.ts'
import {
  clearPackets,
  countPackets,
  loadPackets,
  packetsPerCall,
  retirePackets,
  unholdPackets,
} from '../../../redis/packets/packets.ts'
import { claimOfShopper, restoreClaims } from '../../../redis/packets/stored-claims.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { raw, shopperIdOf, useRedisRig } from '../support.ts'
import { aRain, aTap, loadRain } from './rain.ts'

const { redis } = useRedisRig()

const since = 4_000
const amountOf = (packet: number) => 100 + packet

/** An unfrozen sale whose packets below `held` are held back; the others wait. */
async function unfrozen(packets: number, held: number): Promise<Sale> {
  const sale = aRain(Array.from({ length: packets }, (_, packet) => amountOf(packet)))
  await warmStock(redis, sale)
  await freeze(redis, sale.saleId)
  await clearPackets(redis, sale.saleId)
  await loadPackets(redis, sale.saleId, {
    ...{ from: 0, to: packets, currency: 'CNY', rebuilding: true },
    held: Array.from({ length: held }, (_, packet) => packet),
    packets: Array.from({ length: packets - held }, (_, at) => ({
      rank: held + at + 1,
      packet: held + at,
      amount: amountOf(held + at),
    })),
  })
  await unfreeze(redis, { ...sale, version: 2 }, 0, { units: undefined, since })
  return sale
}

describe('whether a shopper has claimed a packet', () => {
  it('is known of an open stock, and not of one that is missing or frozen, unless the claim is there (I2)', async () => {
    const sale = aRain([10, 20])
    const asked = (shopper: number) => claimOfShopper(redis, sale.saleId, shopperIdOf(shopper))
    expect(await asked(1)).toBe('unknown')
    await loadRain(redis, sale, [10, 20])
    expect(await asked(1)).toBe('none')
    await claim(redis, aTap(sale, 1))
    expect(await asked(1)).toMatchObject({ packet: 0, amount: 10, claimedAt: 5_000 })
    await freeze(redis, sale.saleId)
    expect(await asked(1)).toMatchObject({ packet: 0 })
    expect(await asked(2)).toBe('unknown')
  })

  it('is not known while packets are held back, whose claims may still arrive (I2)', async () => {
    const { saleId } = await unfrozen(3, 1)
    expect(await claimOfShopper(redis, saleId, shopperIdOf(1))).toBe('unknown')
  })
})

const lateClaim = (shopper: number, packet: number) => ({
  ...{ shopperId: shopperIdOf(shopper), packet, amount: amountOf(packet) },
  ...{ currency: 'CNY', claimedAt: 3_000 },
})
/** What stays held back is of dead letters. */
const settled = ({ saleId }: Sale) =>
  releaseHeldBack(redis, saleId, { since, keep: 1000, quietSince: undefined, isSettled: true })
const unhold = ({ saleId }: Sale, packets: readonly number[], changes: object = {}) =>
  unholdPackets(redis, saleId, {
    ...{ since, mostBooked: 1000, currency: 'CNY' },
    packets: packets.map((packet) => ({ packet, amount: amountOf(packet) })),
    ...changes,
  })

describe('packets that are held back', () => {
  it('are booked, and an empty list is not sold out until it is settled whose they are (I6, G7)', async () => {
    const sale = await unfrozen(3, 2)
    const counts = { booked: 2, heldBack: 2, available: 1, packets: { loaded: 3, waiting: 1 } }
    expect(await readStock(redis, sale.saleId)).toMatchObject(counts)
    expect(await claim(redis, aTap(sale, 1))).toMatchObject({
      ...{ kind: 'claimed', booked: 3, remaining: 0, message: { packet: 2 } },
    })
    expect(await claim(redis, aTap(sale, 2))).toEqual({ kind: 'unavailable' })
    await settled(sale)
    expect(await claim(redis, aTap(sale, 2))).toMatchObject({ kind: 'sold-out', booked: 3, remaining: 0 })
    await raw(redis, 'HSET', stockKeys(sale.saleId).stock, 'heldBack', '1')
    expect(await claim(redis, aTap(sale, 2))).toEqual({ kind: 'unavailable' })
  })

  it('go to the claims that arrive, each once, and to no claim of another packet (I2, I5)', async () => {
    const sale = await unfrozen(4, 2)
    const { saleId } = sale
    const claims = [lateClaim(7, 1), lateClaim(8, 3)]
    expect(await restoreClaims(redis, saleId, claims)).toEqual({ restored: 1, refused: 1 })
    expect(await restoreClaims(redis, saleId, claims)).toEqual({ restored: 0, refused: 1 })
    expect(await countPackets(redis, saleId)).toMatchObject({ claims: 1, heldBack: 1, waiting: 2 })
    expect(await claim(redis, aTap(sale, 7))).toMatchObject({ kind: 'repeat', message: { packet: 1 } })
    expect(await unhold(sale, [0, 1])).toMatchObject({ kind: 'unheld', packets: 1 })
  })

  it('replace the second packet of a shopper whose first claim arrives late (P3)', async () => {
    const sale = await unfrozen(3, 1)
    const { saleId } = sale
    expect(await claim(redis, aTap(sale, 1))).toMatchObject({ kind: 'claimed', message: { packet: 1 } })
    expect(await restoreClaims(redis, saleId, [lateClaim(1, 0)])).toEqual({ restored: 1, refused: 0 })
    expect(await restoreClaims(redis, saleId, [lateClaim(1, 0)])).toEqual({ restored: 0, refused: 0 })
    expect(await countPackets(redis, saleId)).toMatchObject({ claims: 1, heldBack: 1, waiting: 1 })
    expect(await claim(redis, aTap(sale, 1))).toMatchObject({ kind: 'repeat', message: { packet: 0 } })
    expect(await unhold(sale, [1])).toMatchObject({ kind: 'unheld', packets: 1 })
    expect(await claim(redis, aTap(sale, 2))).toMatchObject({ booked: 2, message: { packet: 1 } })
    expect(await claim(redis, aTap(sale, 3))).toMatchObject({ booked: 3, message: { packet: 2 } })
  })

  it('are claimed first once they are released, in order, and every rank stays correct (G7)', async () => {
    const sale = await unfrozen(6, 4)
    await claim(redis, aTap(sale, 1))
    // In chunks, the last one first.
    expect(await unhold(sale, [2, 3])).toEqual({ kind: 'unheld', packets: 2, stockRevision: 1 })
    expect(await unhold(sale, [0, 1])).toEqual({ kind: 'unheld', packets: 2, stockRevision: 1 })
    expect(await unhold(sale, [0, 1, 2, 3, 4, 5])).toEqual({ kind: 'unheld', packets: 0, stockRevision: 1 })
    for (const [shopper, packet] of [0, 1, 2, 3, 5].entries()) {
      expect(await claim(redis, aTap(sale, 10 + shopper))).toMatchObject({
        ...{ kind: 'claimed', booked: shopper + 2, message: { packet, amount: amountOf(packet) } },
      })
    }
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 6, available: 0, heldBack: 0 })
  })

  it('are a restock when they are released into an empty list', async () => {
    const sale = await unfrozen(2, 2)
    await settled(sale)
    expect(await claim(redis, aTap(sale, 1))).toMatchObject({ kind: 'sold-out', stockRevision: 1 })
    expect(await unhold(sale, [0])).toEqual({ kind: 'unheld', packets: 1, stockRevision: 2 })
    expect(await unhold(sale, [1])).toEqual({ kind: 'unheld', packets: 1, stockRevision: 2 })
  })

  it('stay while more were handed out than the gate knows, after another unfreeze, and during a freeze (I2)', async () => {
    const sale = await unfrozen(4, 2)
    await claim(redis, aTap(sale, 1))
    expect(await unhold(sale, [0, 1], { mostBooked: 2 })).toEqual({ kind: 'moved' })
    expect(await unhold(sale, [0, 1], { since: since - 1 })).toEqual({ kind: 'superseded' })
    await freeze(redis, sale.saleId)
    expect(await unhold(sale, [0, 1])).toEqual({ kind: 'superseded' })
    expect(await countPackets(redis, sale.saleId)).toMatchObject({ heldBack: 2, waiting: 1 })
    expect(await unhold(aRain([1]), [0])).toEqual({ kind: 'unknown-sale' })
  })

  it('are removed once the packets are cleared, or the sale is over', async () => {
    const sale = await unfrozen(4, 2)
    expect(await retirePackets(redis, sale.saleId, 9_000)).toBe('retired')
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 0, heldBack: 0 })
    expect(await raw(redis, 'EXISTS', stockKeys(sale.saleId).held)).toBe(0)
    const other = await unfrozen(4, 2)
    await freeze(redis, other.saleId)
    await clearPackets(redis, other.saleId)
    expect(await readStock(redis, other.saleId)).toMatchObject({ booked: 0, heldBack: 0 })
    expect(await raw(redis, 'EXISTS', stockKeys(other.saleId).held)).toBe(0)
  })

  it('are released in calls of a bounded size', async () => {
    const sale = await unfrozen(2, 2)
    const many = Array.from({ length: packetsPerCall + 1 }, (_, packet) => packet)
    await expect(unhold(sale, many)).rejects.toThrow(RangeError)
    expect(await unhold(sale, many.slice(1))).toMatchObject({ kind: 'unheld', packets: 1 })
  })
})

describe('the largest number of booked packets at the gate', () => {
  it('does not fall when fewer are booked later, or the stock cannot be counted (I2)', async () => {
    const { saleId } = aRain([1])
    const publish = (asOf: number, booked: number | undefined) =>
      replenish(redis, saleId, { asOf, total: 9, booked, stockRevision: 0, epoch: 1, ratio: 1 })
    await publish(1_000, 7)
    await publish(20_000, 3)
    expect(await readAdmissions(redis, saleId)).toMatchObject({ booked: 3, mostBooked: 7 })
    await publish(40_000, undefined)
    expect(await readAdmissions(redis, saleId)).toMatchObject({ booked: 3, mostBooked: 7 })
  })
})
