/**
 * How many purchases four sales accept over one, two and four databases, each with a fixed number of
 * commands in a second (S16, S17). The functions run in this process, and the limit of a database is
 * so low that the processor is no limit.
 */

import type { Sale } from '../../core/sale/sale.ts'
import { chooseDatabases } from '../../core/stock/placement.ts'
import { reserve } from '../../redis/buy/reserve.ts'
import { onlyShard } from '../../redis/shards.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { atLeast, inTurns, type Measurement } from './harness.ts'
import { openSale, purchaseOf, stockIn, withLimitedDatabases } from './limited-databases.ts'
import { median } from './statistics.ts'

const counts = [1, 2, 4]
const salesSold = 4
const commandsPerSecond = 2000
const rounds = 3

/** The shoppers of each sale, more than its database can answer in a second. */
const shoppersAtOnce = 100
const secondsPerRound = 3

/** Part of the gain that an even spread would bring. */
const targetGain = 3.8

export async function measureDatabases(): Promise<Measurement> {
  const rates = await inTurns(counts, { rounds, warmUps: 0, step: 'databases' }, sellOver)
  const medians = counts.map((count) => median(rates.get(count) ?? []))
  const [one = Number.NaN] = medians
  const gains = medians.map((rate) => rate / one)
  return {
    name: 'databases',
    heads: counts.map(String),
    lines: [
      atLeast('purchases accepted, as a multiple of one database', gains.at(-1) ?? 0, targetGain, {
        value: gains.map((gain) => gain.toFixed(2)),
        target: `${targetGain} with ${counts.at(-1)}`,
      }),
      {
        what: `purchases accepted/s of ${salesSold} sales, ${commandsPerSecond} commands/s for each database`,
        value: medians.map((rate) => String(Math.round(rate))),
      },
    ],
  }
}

/** Purchases accepted in a second, of all sales together. */
function sellOver(count: number): Promise<number> {
  return withLimitedDatabases({ count, commandsPerSecond }, async (databases) => {
    const sales: Sale[] = []
    for (let number = 0; number < salesSold; number += 1) {
      // More units than all databases can sell in a round.
      const sale = openSale(`bench-${number}`, { stock: 1_000_000 })
      sales.push({ ...sale, databases: chooseDatabases(sale, sales, databases) })
    }
    const placements = new Map(sales.map(({ saleId, databases: names }) => [saleId, names]))
    const stock = stockIn(databases, (saleId) => placements.get(saleId))
    for (const sale of sales) await warmStock(await onlyShard(stock, sale.saleId), sale)
    const until = performance.now() + 1000 * secondsPerRound
    let accepted = 0
    const shop = async (sale: Sale, first: number) => {
      for (let shopper = first; performance.now() < until; shopper += shoppersAtOnce) {
        const answer = await reserve(stock, purchaseOf(sale, shopper))
        if (answer.kind !== 'reserved') throw new Error(`a purchase was answered ${answer.kind}`)
        accepted += 1
      }
    }
    const crowd = Array.from({ length: shoppersAtOnce }, (_, first) => first)
    await Promise.all(sales.flatMap((sale) => crowd.map((first) => shop(sale, first))))
    return accepted / secondsPerRound
  })
}
