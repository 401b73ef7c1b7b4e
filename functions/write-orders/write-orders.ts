/**
 * From messages to orders, many in one transaction (group commit). SQS may deliver a message twice, late or
 * next to one that can never succeed; whatever happens here, an order is written once (O6), the cap of its sale
 * is final (I1), and a bad message fails alone. Order, buyer's total and cap change together or not at all (O3).
 */
import type { SaleId } from '../../core/ids.ts'
import { errorFacts, type Telemetry } from '../telemetry.ts'
import { commitChunk, type OrderBook } from './commit.ts'
import { chunksOf, fullBatch } from './entry.ts'
import { type Mail, readMail, type Terms } from './mail.ts'

/** Makes the published remaining count of a sale true again, at leisure when there is more to come. */
export type Shopfront = { refresh: (saleId: SaleId, moreToCome: boolean) => Promise<void> }

export type Ports = {
  book: OrderBook
  terms: Terms
  shopfront: Shopfront
  clock: () => number
  /** Waits before a transaction is tried again. */
  pause: (milliseconds: number) => Promise<void>
} & Telemetry

/** Ids of the messages in `mail` that have to come again; every other message has reached its final state. */
export async function writeOrders(ports: Ports, mail: readonly Mail[]): Promise<string[]> {
  const { entries, unreadable } = await readMail(ports, mail)
  const failed = [...unreadable]
  const touched = new Set<SaleId>()
  for (const chunk of chunksOf(entries)) {
    try {
      for (const { order } of await commitChunk(ports, chunk)) touched.add(order.saleId)
    } catch (error) {
      failed.push(...chunk.flatMap(({ messageIds }) => messageIds))
      ports.log.error('orders not written', { orders: String(chunk.length), ...errorFacts(error) })
    }
  }
  ports.meter.count('MessagesFailed', failed.length)
  // A batch that fills a transaction has more behind it.
  await refresh(ports, touched, mail.length >= fullBatch)
  return failed
}

/** The orders stand whatever the shopfront says, so a failure here is told and not passed on. */
async function refresh(
  { shopfront, meter, log }: Ports,
  saleIds: Iterable<SaleId>,
  moreToCome: boolean,
): Promise<void> {
  for (const saleId of saleIds) {
    try {
      await shopfront.refresh(saleId, moreToCome)
    } catch (error) {
      meter.count('PublishFailed')
      log.warn('remaining count not published', { saleId, ...errorFacts(error) })
    }
  }
}
