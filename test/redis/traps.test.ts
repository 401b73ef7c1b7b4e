/** Our stock where rules of the sources go wrong over more than one call. The single calls are in dialects.test.ts. */
import { describe, expect, it } from 'vitest'
import type { Sale } from '../../core/sale/sale.ts'
import { seededRandom } from '../../proof/bench/statistics.ts'
import { readCounts } from '../../proof/stock-counts.ts'
import { type Reservation, reserve } from '../../redis/buy/reserve.ts'
import { stockKeys } from '../../redis/keys.ts'
import { readStock } from '../../redis/stock/stock.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { aPurchase, aSale, connectDirectly, raw, useRedisRig } from './support.ts'

const rig = useRedisRig()

async function warmed(changes: Partial<Sale>): Promise<Sale> {
  const sale = aSale({ limitPerShopper: 100, maxPerOrder: 100, ...changes })
  await warmStock(rig.redis, sale)
  return sale
}

describe('an invalid quantity', () => {
  it.each([1.5, Number.NaN, 1e99, Number.POSITIVE_INFINITY])('of %s takes nothing (S2)', async (quantity) => {
    for (const stock of [5, -1]) {
      const sale = await warmed({ stock })
      const asked = reserve(rig.redis, aPurchase(sale, 1, 1, { quantity })).catch((error: Error) => error.name)
      expect(['UnexpectedReply', { kind: 'invalid-request' }]).toContainEqual(await asked)
      expect(await readCounts(rig.redis, sale.saleId)).toMatchObject({ booked: 0, holds: [], outbox: 0 })
    }
  })
})

describe('a crowd', () => {
  it('of 2,000 on 1,000 units leaves exactly 1,000 winners, and nothing below zero at any moment (S7, I1)', async () => {
    const sale = await warmed({ stock: 1000 })
    const connections = Array.from({ length: 20 }, () => connectDirectly({ port: rig.redisPort }))
    // Each connection knows script and sale now, so no call must be repeated.
    for (const connection of connections) await reserve(connection, aPurchase(sale, 1, 1, { now: 0 }))
    const answers: Promise<Reservation>[] = []
    const booked: number[] = []
    // The reads of a part run among its clicks, and no click of the next part before them.
    for (let part = 0; part < 5; part += 1) {
      for (let click = 1; click <= 20; click += 1) {
        for (const [at, connection] of connections.entries()) {
          answers.push(reserve(connection, aPurchase(sale, 100 * at + 20 * part + click)))
        }
      }
      const looks = await Promise.all(connections.map((connection) => readStock(connection, sale.saleId)))
      booked.push(...looks.map((stock) => stock?.booked ?? Number.NaN))
    }
    const kinds = (await Promise.all(answers)).map(({ kind }) => kind)
    for (const connection of connections) connection.stop()
    expect(Math.min(...booked)).toBeLessThanOrEqual(400)
    expect(Math.max(...booked)).toBe(1000)
    expect(kinds.filter((kind) => kind === 'reserved')).toHaveLength(1000)
    expect(kinds.filter((kind) => kind === 'sold-out')).toHaveLength(1000)
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ booked: 1000, available: 0 })
  })

  it('of 20,000 that ask for 0 to 5 each takes what a plain count takes, to the unit (S2, S8, S13)', async () => {
    const seed = Number(process.env.FC_SEED ?? 20_000)
    const random = seededRandom(seed)
    const asked = Array.from({ length: 20_000 }, () => Math.floor(random() * 6))
    // About a tenth less than requested: some of the last thousands of requests still fit.
    const sale = await warmed({ stock: 45_000 })
    let left = sale.stock
    for (let at = 0; at < asked.length; at += 1000) {
      const burst = asked.slice(at, at + 1000)
      const answers = await Promise.all(
        burst.map((quantity, i) => reserve(rig.redis, aPurchase(sale, at + i, 1, { quantity }))),
      )
      const counted = burst.map((quantity) => {
        if (quantity === 0) return { kind: 'invalid-request' }
        if (quantity > left) return { kind: 'sold-out', remaining: left }
        left -= quantity
        return { kind: 'reserved', remaining: left }
      })
      expect(answers, `seed ${seed}`).toMatchObject(counted)
    }
    expect(await readCounts(rig.redis, sale.saleId)).toMatchObject({ booked: sale.stock - left })
    expect(await readStock(rig.redis, sale.saleId)).toMatchObject({ available: left })
  })
})

it('the stock never expires (S18)', async () => {
  const sale = await warmed({ stock: 5 })
  await reserve(rig.redis, aPurchase(sale, 1))
  const { stock, outbox } = stockKeys(sale.saleId)
  for (const key of [stock, outbox]) expect(await raw(rig.redis, 'TTL', key)).toBe(-1)
})
