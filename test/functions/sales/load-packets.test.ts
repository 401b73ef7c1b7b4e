import { describe, expect, it } from 'vitest'
import { loadSalePackets, packetsUpTo, splitAmounts } from '../../../functions/sales/load-packets.ts'
import { drawFromSeed } from '../../../functions/sales/seeded-random.ts'
import { memoryPacketSeeds, memoryPacketStock } from '../../contract/fakes/packet-stock.ts'
import { aRain } from '../../redis/rain.ts'
import { aSale } from '../../redis/support.ts'

const seed = new Uint8Array(32).fill(7)
const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0)

const waves = [
  { startsAt: 1_000, endsAt: 9_000, stock: 5, totalAmount: 500 },
  { startsAt: 20_000, endsAt: 30_000, stock: 4, totalAmount: 1000 },
]

/** As a sale is while it is put on the shelf. */
const unstarted = { epoch: 0 }

function shelfOf(total: number | undefined) {
  const shelf = memoryPacketStock(() => total)
  return { packetStock: shelf, packetSeeds: memoryPacketSeeds(), clock: () => 5_000 }
}

describe('the draws of a seed', () => {
  const numbers = (from: Uint8Array, stream: number) => {
    const draw = drawFromSeed(from, stream)
    return Array.from({ length: 40_000 }, () => draw(1_000_003))
  }

  it('are the same each time, and others for another seed or another stream (P1)', () => {
    const first = numbers(seed, 0)
    expect(numbers(seed, 0)).toEqual(first)
    expect(numbers(seed, 1)).not.toEqual(first)
    expect(numbers(new Uint8Array(32), 0)).not.toEqual(first)
  })

  it('spread evenly', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    for (const number of numbers(seed, 0)) {
      const tenth = Math.floor(number / 100_000.4)
      counts[tenth] = (counts[tenth] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 4000)).toBeLessThan(300)
  })

  it('need a whole seed', () => {
    expect(() => drawFromSeed(new Uint8Array(16), 0)).toThrow()
  })
})

describe('the amounts of a sale', () => {
  it('are those of the windows up to the present one, each with its own total (P1, R7)', () => {
    const sale = aRain([100, 100, 100, 100, 100], { windows: waves })
    expect(packetsUpTo(sale)).toBe(5)
    const first = splitAmounts(seed, sale)
    expect([first.length, sum(first)]).toEqual([5, 500])
    const both = splitAmounts(seed, { ...sale, windowIndex: 1, stock: 9 })
    expect([...both.slice(0, 5)]).toEqual([...first])
    expect([both.length, sum(both.slice(5))]).toEqual([9, 1000])
  })
})

describe('putting packets on the shelf', () => {
  it('loads all of them in chunks, and a second time nothing (I5)', async () => {
    const ports = shelfOf(10)
    const sale = aRain(
      Array.from({ length: 10 }, () => 100),
      unstarted,
    )
    await loadSalePackets(ports, sale)
    const loaded = ports.packetStock.loaded.get(sale.saleId) ?? []
    expect(loaded.map(({ rank, packet }) => [rank, packet])).toEqual(
      Array.from({ length: 10 }, (_, at) => [at + 1, at]),
    )
    expect(sum(loaded.map(({ amount }) => amount))).toBe(1000)
    expect(ports.packetStock.chunks).toBe(4)
    await loadSalePackets(ports, sale)
    expect(ports.packetStock.chunks).toBe(4)
  })

  it('goes on where a crash cut it off, with the same amounts', async () => {
    const sale = aRain(
      Array.from({ length: 10 }, () => 100),
      unstarted,
    )
    const whole = shelfOf(10)
    await loadSalePackets(whole, sale)
    const cut = shelfOf(10)
    const { load } = cut.packetStock
    let calls = 0
    cut.packetStock.load = async (...args) => {
      calls += 1
      if (calls === 3) throw new Error('Redis is unavailable')
      return load(...args)
    }
    await expect(loadSalePackets(cut, sale)).rejects.toThrow('unavailable')
    await loadSalePackets(cut, sale)
    expect(cut.packetStock.loaded).toEqual(whole.packetStock.loaded)
  })

  it('adds those of the next window when the sale has turned to it (R7)', async () => {
    const ports = shelfOf(9)
    const sale = aRain([100, 100, 100, 100, 100], { windows: waves })
    await loadSalePackets(ports, { ...sale, ...unstarted })
    await loadSalePackets(ports, { ...sale, windowIndex: 1, stock: 9, flag: 'off' })
    const loaded = ports.packetStock.loaded.get(sale.saleId) ?? []
    expect(loaded.map(({ packet }) => packet)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(sum(loaded.slice(5).map(({ amount }) => amount))).toBe(1000)
  })

  it('leaves out what was claimed, holds back what may have been, and ranks the others behind both (P10)', async () => {
    const ports = shelfOf(6)
    const sale = aRain([100, 100, 100, 100, 100, 100])
    await loadSalePackets(ports, sale, { claimed: new Set([0, 1, 3]), handedOutBelow: 4 })
    const loaded = ports.packetStock.loaded.get(sale.saleId) ?? []
    expect(loaded.map(({ rank, packet }) => [rank, packet])).toEqual([
      [5, 4],
      [6, 5],
    ])
    expect(await ports.packetStock.count(sale.saleId)).toMatchObject({ loaded: 6, waiting: 2, heldBack: 1 })
  })

  it('leaves a started sale alone of whose packets Redis has forgotten some: who has them only a rebuild knows (P3)', async () => {
    const sale = aRain([100, 100, 100, 100, 100], { windows: waves })
    for (const started of [sale, { ...sale, windowIndex: 1, stock: 9 }]) {
      const ports = shelfOf(9)
      await loadSalePackets(ports, started)
      expect(ports.packetStock.chunks).toBe(0)
      await loadSalePackets(ports, started, { claimed: new Set([0]), handedOutBelow: 1 })
      expect(ports.packetStock.loaded.get(sale.saleId)).toHaveLength(started.stock - 1)
    }
  })

  it('does nothing for other kinds, for a lost stock, and for a sale that is over', async () => {
    for (const [total, sale] of [
      [10, aSale()],
      [undefined, aRain([1])],
      [1, aRain([1], { flag: 'closed' })],
      [1, aRain([1], { endsAt: 5_000 })],
    ] as const) {
      const ports = shelfOf(total)
      await loadSalePackets(ports, sale)
      expect(ports.packetStock.chunks).toBe(0)
    }
  })

  it('says so when the stock is lost meanwhile (I6)', async () => {
    const ports = shelfOf(4)
    ports.packetStock.load = async () => ({ kind: 'unknown-sale' })
    await expect(loadSalePackets(ports, aRain([1, 1, 1, 1], unstarted))).rejects.toThrow(/lost the stock/)
  })
})
