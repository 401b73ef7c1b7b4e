/**
 * Sends again what stayed in an outbox (O5): messages whose first sending failed, or whose sender died between
 * the script and the queue. A message that was sent after all arrives twice, and the writer drops the second.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { type OrderMessage, orderMessage } from '../../core/order-message.ts'
import { readJson } from '../../core/parse.ts'
import { errorFacts, type Telemetry } from '../telemetry.ts'

export type Pending = { orderId: OrderId; body: string }

export type Outbox = {
  /** Every message of the sale's outbox, in pages; one may appear twice. */
  pages: (saleId: SaleId) => AsyncIterable<readonly Pending[]>
  acknowledge: (saleId: SaleId, orderIds: readonly OrderId[]) => Promise<void>
}

/** Resolves with the error of each message, undefined where it is queued. */
export type OrderQueue = {
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
}

export type Ports = { outbox: Outbox; queue: OrderQueue; clock: () => number } & Telemetry

/** `waiting` counts what is left; `oldestAgeMs` is the age of the oldest message seen, sent again or not. */
export type Relayed = { resent: number; waiting: number; oldestAgeMs: number }

/** Sends every message of `saleId` older than `minAgeMs` again and takes what is queued out of the outbox. */
export async function relay(ports: Ports, saleId: SaleId, minAgeMs: number): Promise<Relayed> {
  const now = ports.clock()
  let resent = 0
  let waiting = 0
  let oldestAgeMs = 0
  for await (const page of ports.outbox.pages(saleId)) {
    const messages = page.flatMap((pending) => readPending(ports, saleId, pending))
    waiting += page.length
    const due = messages.filter(({ reservedAt }) => now - reservedAt >= minAgeMs)
    for (const { reservedAt } of messages) oldestAgeMs = Math.max(oldestAgeMs, now - reservedAt)
    resent += await resend(ports, saleId, due)
  }
  return { resent, waiting: waiting - resent, oldestAgeMs }
}

async function resend(
  { queue, outbox, log }: Ports,
  saleId: SaleId,
  due: readonly OrderMessage[],
): Promise<number> {
  if (due.length === 0) return 0
  const errors = await queue.sendAll(due)
  const sent = due.filter((_, index) => errors[index] === undefined).map(({ orderId }) => orderId)
  const failed = errors.find((error) => error !== undefined)
  if (failed !== undefined) {
    log.warn('messages stay in the outbox', {
      saleId,
      messages: due.length - sent.length,
      ...errorFacts(failed),
    })
  }
  await outbox.acknowledge(saleId, sent)
  return sent.length
}

/** The outbox is written by our script, so a message that cannot be read is a fault to be told and kept. */
function readPending({ log }: Ports, saleId: SaleId, { orderId, body }: Pending): OrderMessage[] {
  const message = readJson(orderMessage, body)
  if (message.ok) return [message.value]
  log.error('the outbox holds a message nobody can read', { saleId, orderId, reason: message.detail })
  return []
}
