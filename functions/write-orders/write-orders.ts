/**
 * From messages to orders, many in one transaction (group commit). SQS may deliver a message twice, late or
 * next to one that can never succeed; whatever happens here, an order is written once (O6), the cap of its sale
 * is final (I1), and a bad message fails alone. Order, buyer's total and cap change together or not at all (O3).
 */
import type { SaleId } from '../../core/ids.ts'
import { errorFacts, type Telemetry } from '../telemetry.ts'
import { commitChunk, type OrderBook, TableUnavailable } from './commit.ts'
import { chunksOf, type Entry } from './entry.ts'
import { type Mail, type Offers, readMail } from './mail.ts'
import { within } from './within.ts'

/** Makes the published remaining count of a sale true again. */
export type Shopfront = { refresh: (saleId: SaleId) => Promise<void> }

export type Ports = {
  book: OrderBook
  offers: Offers
  shopfront: Shopfront
  clock: () => number
  /** Waits before a transaction is tried again. */
  pause: (milliseconds: number) => Promise<void>
} & Telemetry

/**
 * Ids of the messages in `mail` that have to come again; every other message has reached its final state. After
 * `deadline` (epoch ms) no transaction is begun, and neither a sale's offer nor its shopfront is waited for.
 *
 * Every batch refreshes the shopfront of its sales, also one with more behind it: nobody can tell which batch is
 * the last, and a count that is left out may stay wrong for a minute. The transactions of a sale wait for each other
 * at its cap, so there are some thirty refreshes a second at most. What is left to reserve went down before the
 * messages were sent, so the refresh need not wait for the table.
 */
export async function writeOrders(ports: Ports, mail: readonly Mail[], deadline: number): Promise<string[]> {
  const { entries, unreadable } = await readMail(ports, mail, deadline)
  const [failed] = await Promise.all([
    writeAll(ports, entries, deadline),
    refresh(ports, new Set(entries.map(({ order }) => order.saleId)), deadline),
  ])
  const comeAgain = [...unreadable, ...failed.flatMap(({ messageIds }) => messageIds)]
  ports.meter.count('MessagesFailed', comeAgain.length)
  return comeAgain
}

/**
 * The entries that were not written. A chunk that the table does not take is halved until what fails is the one
 * entry that cannot be written (O7). Once the table is unavailable, what is left only comes again.
 */
async function writeAll(ports: Ports, entries: readonly Entry[], deadline: number): Promise<Entry[]> {
  const failed: Entry[] = []
  const waiting = chunksOf(entries)
  for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
    try {
      await commitChunk(ports, chunk, deadline)
    } catch (error) {
      const isUnavailable = error instanceof TableUnavailable
      if (!isUnavailable && chunk.length > 1) {
        const half = Math.ceil(chunk.length / 2)
        waiting.unshift(chunk.slice(0, half), chunk.slice(half))
        continue
      }
      const left = isUnavailable ? [chunk, ...waiting.splice(0)].flat() : chunk
      const orderIds = left.map(({ order }) => order.orderId)
      ports.log.error('orders not written', { orderIds, ...errorFacts(error) })
      failed.push(...left)
    }
  }
  return failed
}

/** The orders stand whatever the shopfront says, so a failure or a silence here is told and not passed on. */
async function refresh(ports: Ports, saleIds: ReadonlySet<SaleId>, deadline: number): Promise<void> {
  const { shopfront, clock, meter, log } = ports
  const one = async (saleId: SaleId) => {
    try {
      await within(deadline - clock(), shopfront.refresh(saleId))
    } catch (error) {
      meter.count('PublishFailed')
      log.warn('remaining count not published', { saleId, ...errorFacts(error) })
    }
  }
  await Promise.all([...saleIds].map(one))
}
