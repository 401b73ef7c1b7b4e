import { describe, expect, it } from 'vitest'
import { stockKeys } from '../../../redis/keys.ts'
import { claim } from '../../../redis/packets/claim.ts'
import {
  clearPackets,
  countPackets,
  loadPackets,
  packetsPerCall,
  retirePackets,
} from '../../../redis/packets/packets.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { flip, warmStock } from '../../../redis/stock/warm.ts'
import { nothingHeldBack, raw, useRedisRig } from '../support.ts'
import { aRain, aTap, aWarmRain, tapAll } from './rain.ts'

const { redis } = useRedisRig()

const cny = { currency: 'CNY', held: [] }
const packetsFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => ({ rank: from + at + 1, packet: from + at, amount: 100 + from + at }))

describe('loading packets (P1)', () => {
  it('loads chunks in order, each once, and returns where to continue', async () => {
    const sale = aRain([1, 1, 1, 1, 1])
    const { saleId } = sale
    const chunk = (from: number, to: number) => ({
      from,
      to,
      packets: packetsFrom(from, to),
      ...cny,
      rebuilding: false,
    })
    expect(await loadPackets(redis, saleId, chunk(0, 2))).toEqual({ kind: 'unknown-sale' })
    await warmStock(redis, sale)
    expect(await loadPackets(redis, saleId, chunk(2, 4))).toEqual({ kind: 'gap', loaded: 0 })
    expect(await loadPackets(redis, saleId, chunk(0, 2))).toEqual({ kind: 'loaded', loaded: 2 })
    expect(await loadPackets(redis, saleId, chunk(0, 2))).toEqual({ kind: 'repeat', loaded: 2 })
    expect(await loadPackets(redis, saleId, chunk(2, 5))).toEqual({ kind: 'loaded', loaded: 5 })
    expect(await countPackets(redis, saleId)).toEqual({
      total: 5,
      loaded: 5,
      waiting: 5,
      claims: 0,
      heldBack: 0,
      stockRevision: 0,
    })
    const claimed = [await claim(redis, aTap(sale, 1)), await claim(redis, aTap(sale, 2))]
    expect(claimed).toMatchObject([
      { kind: 'claimed', booked: 1, message: { packet: 0, amount: 100 } },
      { kind: 'claimed', booked: 2, message: { packet: 1, amount: 101 } },
    ])
  })

  it('skips what was claimed before, and counts it as loaded', async () => {
    const sale = aRain([1, 1, 1])
    await warmStock(redis, sale)
    const packets = [{ rank: 3, packet: 1, amount: 9 }]
    await freeze(redis, sale.saleId)
    await loadPackets(redis, sale.saleId, { ...cny, from: 0, to: 3, packets, rebuilding: true })
    await flip(redis, { ...sale, version: 2 })
    await unfreeze(redis, { ...sale, version: 2 }, 0, nothingHeldBack)
    expect(await countPackets(redis, sale.saleId)).toEqual({
      total: 3,
      loaded: 3,
      waiting: 1,
      claims: 0,
      heldBack: 0,
      stockRevision: 1,
    })
    expect(await claim(redis, aTap(sale, 1))).toMatchObject({ booked: 3, message: { packet: 1 } })
  })

  it('is allowed only to a recovery while the sale is frozen, and to other functions while it is not', async () => {
    const sale = aRain([1, 1])
    const { saleId } = sale
    await warmStock(redis, sale)
    const chunk = { ...cny, from: 0, to: 2, packets: packetsFrom(0, 2) }
    expect(await loadPackets(redis, saleId, { ...chunk, rebuilding: true })).toMatchObject({ kind: 'not-now' })
    await freeze(redis, saleId)
    expect(await loadPackets(redis, saleId, { ...chunk, rebuilding: false })).toMatchObject({ kind: 'not-now' })
    expect((await countPackets(redis, saleId))?.waiting).toBe(0)
    expect(await loadPackets(redis, saleId, { ...chunk, rebuilding: true })).toMatchObject({ kind: 'loaded' })
  })

  it('accepts a chunk of the largest size with the largest amounts in one call, and rejects more', async () => {
    const sale = aRain(Array.from({ length: packetsPerCall }, () => 1))
    await warmStock(redis, sale)
    const packets = packetsFrom(0, packetsPerCall).map((packet) => ({ ...packet, amount: 999_999_999_999 }))
    expect(
      await loadPackets(redis, sale.saleId, { ...cny, from: 0, to: packetsPerCall, packets, rebuilding: false }),
    ).toEqual({
      kind: 'loaded',
      loaded: packetsPerCall,
    })
    expect((await countPackets(redis, sale.saleId))?.waiting).toBe(packetsPerCall)
    const tooMany = { ...cny, from: 0, to: 1, packets: packetsFrom(0, packetsPerCall + 1), rebuilding: false }
    await expect(loadPackets(redis, sale.saleId, tooMany)).rejects.toThrow(RangeError)
  })
})

describe('a stock of packets', () => {
  it('has as many booked as claimed, and no more available than waiting', async () => {
    const sale = await aWarmRain(redis, [1, 1, 1, 1])
    await tapAll(redis, sale, 3)
    const counts = { total: 4, booked: 3, available: 1, packets: { loaded: 4, waiting: 1 } }
    expect(await readStock(redis, sale.saleId)).toMatchObject(counts)
    await raw(redis, 'DEL', stockKeys(sale.saleId).packets)
    expect(await readStock(redis, sale.saleId)).toMatchObject({ booked: 3, available: 0 })
  })
})

describe('clearing the packets', () => {
  it('needs a freeze, and keeps the outbox (P10)', async () => {
    const sale = await aWarmRain(redis, [1, 1])
    const { saleId } = sale
    await tapAll(redis, sale, 1)
    expect(await clearPackets(redis, saleId)).toBe('open')
    expect((await countPackets(redis, saleId))?.claims).toBe(1)
    await freeze(redis, saleId)
    expect(await clearPackets(redis, saleId)).toBe('cleared')
    expect(await countPackets(redis, saleId)).toEqual({
      total: 2,
      loaded: 0,
      waiting: 0,
      claims: 0,
      heldBack: 0,
      stockRevision: 0,
    })
    expect(await raw(redis, 'HLEN', stockKeys(saleId).outbox)).toBe(1)
    expect(await clearPackets(redis, aRain([1]).saleId)).toBe('unknown-sale')
  })
})

describe('retiring packets', () => {
  it('waits until the sale is over, and keeps the claims', async () => {
    const sale = await aWarmRain(redis, [1, 1, 1])
    const { saleId } = sale
    await tapAll(redis, sale, 1)
    expect(await retirePackets(redis, saleId, 8_999)).toBe('open')
    expect((await countPackets(redis, saleId))?.waiting).toBe(2)
    expect(await retirePackets(redis, saleId, 9_000)).toBe('retired')
    expect(await retirePackets(redis, saleId, 9_000)).toBe('retired')
    expect(await countPackets(redis, saleId)).toEqual({
      total: 3,
      loaded: 1,
      waiting: 0,
      claims: 1,
      heldBack: 0,
      stockRevision: 0,
    })
    expect((await claim(redis, aTap(sale, 0))).kind).toBe('repeat')
  })

  it('accepts a closed sale, and rejects one between windows or frozen', async () => {
    const windows = [
      { startsAt: 1_000, endsAt: 9_000, stock: 1, totalAmount: 1 },
      { startsAt: 20_000, endsAt: 30_000, stock: 1, totalAmount: 1 },
    ]
    const waves = await aWarmRain(redis, [1], { windows })
    expect(await retirePackets(redis, waves.saleId, 10_000)).toBe('open')
    const closed = await aWarmRain(redis, [1])
    await flip(redis, { ...closed, flag: 'closed', version: 2 })
    expect(await retirePackets(redis, closed.saleId, 5_000)).toBe('retired')
    const frozen = await aWarmRain(redis, [1])
    await freeze(redis, frozen.saleId)
    expect(await retirePackets(redis, frozen.saleId, 99_000)).toBe('open')
    expect(await retirePackets(redis, aRain([1]).saleId, 99_000)).toBe('unknown-sale')
  })
})
