import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { loadSalePackets, packetsUpTo, reloadPackets } from '../../../functions/sales/load-packets.ts'
import { drawFromSeed, packetAmounts, splitAmounts } from '../../../functions/sales/packet-split.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { countPackets, heldPackets } from '../../../redis/packets/packets.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { removeStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aRain, waitingPackets } from '../../redis/packets/rain.ts'
import { aSale } from '../../redis/support.ts'
import { testStore, useRedis } from '../../redis/test-store.ts'
import { worldTable } from '../../world/table.ts'

const seed = new Uint8Array(32).fill(7)
const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0)

const waves = [
  { startsAt: 1_000, endsAt: 9_000, stock: 5, totalAmount: 500 },
  { startsAt: 20_000, endsAt: 30_000, stock: 4, totalAmount: 1000 },
]

/** In the first of two windows. */
const twoWaves = () => aRain([100, 100, 100, 100, 100], { windows: waves })

/** The seed of every sale. */
const seedOfOnes = (length: number) => new Uint8Array(length).fill(1)

/** The state of a sale while it is warmed. */
const unstarted = { epoch: 0 }

const redis = useRedis()

/** A stock of `total` units for `sale`; `chunks` counts the chunks received. */
async function warmed(sale: Sale, total = sale.stock) {
  await warmStock(redis, { ...sale, stock: total })
  const stock = testStore(redis)
  const chunks = { count: 0 }
  stock.before('load-packets', () => {
    chunks.count += 1
  })
  return { stock, table: worldTable().table, randomBytes: seedOfOnes, clock: () => 5_000, chunks }
}

const waitingIn = (sale: Sale) => waitingPackets(redis, sale)
const numbersIn = async (sale: Sale) => (await waitingIn(sale)).map(({ number }) => number)

/** Loads the packets of a frozen sale anew. */
async function reload(ports: Awaited<ReturnType<typeof warmed>>, sale: Sale, taken: number[], claimedBelow: number) {
  const known = { taken: new Set(taken), claimedBelow, moves: 0 }
  return reloadPackets(ports, redis, sale, await packetAmounts(ports, sale), known)
}

const many = () => aRain(Array(3_500).fill(100), unstarted)

describe('the draws of a seed', () => {
  const numbers = (from: Uint8Array, stream: number) => {
    const draw = drawFromSeed(from, stream)
    return Array.from({ length: 40_000 }, () => draw(1_000_003))
  }

  it('are the same each time, and differ for another seed or another stream (P1)', () => {
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

it('the amounts of a sale are those of the windows up to the present one, each with its own total (P1, R7)', () => {
  const sale = twoWaves()
  expect(packetsUpTo(sale)).toBe(5)
  const first = splitAmounts(seed, sale)
  expect([first.length, sum(first)]).toEqual([5, 500])
  const both = splitAmounts(seed, { ...sale, windowIndex: 1, stock: 9 })
  expect([...both.slice(0, 5)]).toEqual([...first])
  expect([both.length, sum(both.slice(5))]).toEqual([9, 1000])
})

describe('loading packets', () => {
  it('loads all of them in chunks, and nothing the second time (I5)', async () => {
    const sale = many()
    const ports = await warmed(sale)
    await loadSalePackets(ports, sale)
    const loaded = await waitingIn(sale)
    expect(loaded.map(({ number }) => number)).toEqual(Array.from({ length: 3_500 }, (_, at) => at))
    expect(sum(loaded.map(({ amount }) => amount))).toBe(350_000)
    expect(ports.chunks.count).toBe(4)
    await loadSalePackets(ports, sale)
    expect(ports.chunks.count).toBe(4)
  })

  it('continues where a crash cut it off, with the same amounts', async () => {
    const sale = many()
    await loadSalePackets(await warmed(sale), sale)
    const whole = await waitingIn(sale)
    await removeStock(redis, sale.saleId)
    const cut = await warmed(sale)
    cut.stock.before('load-packets', () => {
      if (cut.chunks.count === 3) throw new RedisUnavailable('gone')
    })
    await expect(loadSalePackets(cut, sale)).rejects.toThrow(RedisUnavailable)
    expect(await countPackets(redis, sale.saleId)).toMatchObject({ loaded: 2_000 })
    await loadSalePackets(cut, sale)
    expect(await waitingIn(sale)).toEqual(whole)
  })

  it('leaves out what is in orders, and holds back what may have been handed out; nothing waits after the end (P10)', async () => {
    for (const [endsAt, waiting] of [
      [9_000, [4, 5]],
      [5_000, []],
    ] as const) {
      const sale = aRain([100, 100, 100, 100, 100, 100], { endsAt })
      const ports = await warmed(sale)
      await freeze(redis, sale.saleId)
      expect(await reload(ports, sale, [0, 1, 3], 4)).toBe(true)
      expect(await numbersIn(sale)).toEqual(waiting)
      expect(await heldPackets(redis, sale.saleId)).toEqual([2])
      expect(await countPackets(redis, sale.saleId)).toMatchObject({ loaded: 6 })
    }
  })

  it('does not load a started sale that lost some packets in Redis: only a recovery knows which are in orders (P3)', async () => {
    const sale = twoWaves()
    for (const started of [sale, { ...sale, windowIndex: 1, stock: 9 }]) {
      await removeStock(redis, sale.saleId)
      const ports = await warmed(started, 9)
      await loadSalePackets(ports, started)
      expect(ports.chunks.count).toBe(0)
      await freeze(redis, sale.saleId)
      await reload(ports, started, [0], 1)
      expect(await waitingIn(sale)).toHaveLength(started.stock - 1)
    }
  })

  it('does nothing for other kinds, for a lost stock, and for a sale that is over', async () => {
    for (const [total, sale] of [
      [10, aSale()],
      [undefined, aRain([1])],
      [1, aRain([1], { flag: 'closed' })],
      [1, aRain([1], { endsAt: 5_000 })],
    ] as const) {
      const ports = await warmed(sale, total ?? 1)
      if (total === undefined) await removeStock(redis, sale.saleId)
      await loadSalePackets(ports, sale)
      expect(ports.chunks.count).toBe(0)
    }
  })

  it('reports a stock that is lost meanwhile (I6)', async () => {
    const sale = aRain([1, 1, 1, 1], unstarted)
    const ports = await warmed(sale)
    ports.stock.before('load-packets', () => removeStock(redis, sale.saleId))
    await expect(loadSalePackets(ports, sale)).rejects.toThrow(/lost the stock/)
  })
})
