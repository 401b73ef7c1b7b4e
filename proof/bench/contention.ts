/**
 * How fast ten writers write the orders of one sale when overlapping transactions are cancelled, at
 * several latencies of the table. The table is in memory: a local DynamoDB would be slower than the
 * writers, and cancels nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseOrderId, parseSaleId, parseShopperId } from '../../core/ids.ts'
import type { Order } from '../../core/orders/order.ts'
import { bookInParts } from '../../functions/orders/book-in-parts.ts'
import { commitChunk } from '../../functions/orders/commit.ts'
import { fullBatch, type OrderEntry } from '../../functions/table/orders/order-entry.ts'
import { contendedTable } from './contention/contended-table.ts'
import { atLeast, inTurns, type Measurement } from './harness.ts'

const latenciesMs = [20, 50, 100]
const writers = 10
const stock = 20_000

/** The latency with a target, and the target. */
const targetAt = 50
const targetPerSecond = 4000

const patienceMs = 120_000

export async function measureContention(): Promise<Measurement> {
  const sold = await inTurns(latenciesMs, { rounds: 1, warmUps: 0 }, sell)
  const results = [...sold.values()].flat()
  const perSecond = ({ seconds }: Sold) => stock / seconds
  const reached = perSecond(results[latenciesMs.indexOf(targetAt)] ?? { seconds: Number.NaN, cancelled: 0 })
  return {
    name: 'contention',
    heads: latenciesMs.map((latencyMs) => `${latencyMs} ms`),
    lines: [
      atLeast(
        `orders of one sale written/s by ${writers} writers, overlapping transactions cancelled`,
        reached,
        targetPerSecond,
        {
          value: results.map((one) => String(Math.round(perSecond(one)))),
          target: `${targetPerSecond} at ${targetAt} ms`,
        },
      ),
      {
        what: 'transactions cancelled for each that was written',
        value: results.map(({ cancelled }) => (cancelled / (stock / fullBatch)).toFixed(2)),
      },
    ],
  }
}

type Sold = { seconds: number; cancelled: number }

/** The whole stock is ordered at once; resolves when all of it is written. */
async function sell(latencyMs: number): Promise<Sold> {
  const { saleId, batches } = ordersOfOneSale()
  const table = await contendedTable(saleId, stock, latencyMs)
  let cancelled = 0
  const startedAt = performance.now()
  const deadline = Date.now() + patienceMs
  const write = async () => {
    const ports = {
      book: bookInParts({ ...table, random: Math.random }),
      clock: Date.now,
      sleep: (milliseconds: number) => sleep(milliseconds),
      meter: {
        count: (name: string, times = 1) => {
          if (name === 'TransactionsRefused') cancelled += times
        },
      },
      log: silent,
    }
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) {
      await commitChunk(ports, batch, deadline)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const seconds = (performance.now() - startedAt) / 1000
  const sold = await table.sold()
  if (sold !== stock) throw new Error(`${sold} of ${stock} units were sold`)
  return { seconds, cancelled }
}

const ignore = () => {}
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore }

export function ordersOfOneSale() {
  const saleId = parseSaleId('contended')
  if (saleId === undefined) throw new Error('the id of the sale is invalid')
  const entries = Array.from({ length: stock }, (_, number) => entryOf(saleId, number))
  const batches: OrderEntry[][] = []
  while (entries.length > 0) batches.push(entries.splice(-fullBatch))
  return { saleId, batches }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

function entryOf(saleId: Order['saleId'], number: number): OrderEntry {
  const digits = Array.from({ length: 26 }, (_, at) => alphabet[Math.floor(number / 32 ** (25 - at)) % 32])
  const orderId = parseOrderId(`${saleId}-${digits.join('')}`)
  const shopperId = parseShopperId(`shopper-${number}`)
  if (orderId === undefined || shopperId === undefined) throw new Error(`order ${number} is invalid`)
  const order: Order = {
    orderId,
    saleId,
    shopperId,
    quantity: 1,
    amount: 10,
    currency: 'EUR',
    status: 'awaiting-payment',
    reservedAt: 0,
    writtenAt: 0,
    payBy: 0,
    cancelAt: 0,
    history: [
      { at: 0, what: 'reserved', status: 'reserved' },
      { at: 0, what: 'written', status: 'awaiting-payment' },
    ],
  }
  return { order, messageIds: [], limit: 1, capped: true }
}
