/** What a shopper can do with an order that waits for payment. Both calls may be repeated and count once. */
import type { OrderView } from '../../../core/api/shop.ts'
import type { OrderId } from '../../../core/ids.ts'
import type { Language } from '../../../core/language.ts'
import type { OrderAction } from '../../../core/orders/order-path.ts'
import { problemKey } from '../../messages/codes.ts'
import type { Arguments } from '../../messages/text.ts'
import { call, type Fetch, type Reply } from '../lib/http.ts'
import { fieldsOf, safeAddress } from '../lib/wire.ts'
import { readBilledOrder } from './bill.ts'
import type { OrdersKey } from './order-headline.ts'

/** Why something did not work, as a sentence of the catalogue. */
export type Trouble = { key: OrdersKey; args?: Arguments }

type Opened =
  | { kind: 'go'; url: string }
  | { kind: 'wait'; seconds: number }
  | { kind: 'no-address' }
  | { kind: 'failed'; trouble: Trouble }

const fewSeconds = 5

/** The provider of payments may take its time to open one. */
const deadlineMs = 15_000

/**
 * Opens a payment. `url` is the page to pay on; `origin` and `language` are those of this page. An address that is
 * neither of this site nor https is as good as none. `wait`: many pay now; it can be opened after `seconds`.
 */
export async function openPayment(
  fetch: Fetch,
  orderId: OrderId,
  { origin, language }: { origin: string; language: Language },
): Promise<Opened> {
  const reply = await ask(fetch, orderId, 'pay', { language })
  const url = reply.kind === 'ok' ? safeAddress(fieldsOf(reply.body)?.url, origin) : undefined
  if (url !== undefined) return { kind: 'go', url }
  if (reply.kind === 'refused' && reply.problem?.field === 'delivery') return { kind: 'no-address' }
  if (reply.kind === 'refused' && reply.problem?.code === 'at-capacity') {
    return { kind: 'wait', seconds: reply.problem.retryAfterSeconds ?? fewSeconds }
  }
  const mayWait = reply.kind === 'refused' && reply.problem?.retryAfterSeconds !== undefined
  const refused = mayWait ? 'order.payNotYet' : 'order.payRefused'
  return { kind: 'failed', trouble: troubleOf(reply, refused, 'order.payFailed') }
}

/** Gives the order back before it is paid; the answer is the order as it then stands. */
export async function giveBack(
  fetch: Fetch,
  orderId: OrderId,
): Promise<{ kind: 'done'; order: OrderView } | { kind: 'failed'; trouble: Trouble }> {
  const reply = await ask(fetch, orderId, 'cancel')
  const order = reply.kind === 'ok' ? readBilledOrder(reply.body) : undefined
  if (order !== undefined) return { kind: 'done', order }
  return { kind: 'failed', trouble: troubleOf(reply, 'order.giveBackRefused', 'order.giveBackFailed') }
}

function ask(fetch: Fetch, orderId: OrderId, action: OrderAction, body = {}): Promise<Reply> {
  return call(fetch, `/api/orders/${encodeURIComponent(orderId)}/${action}`, { body, deadlineMs })
}

function troubleOf(reply: Reply, refused: OrdersKey, failed: OrdersKey): Trouble {
  if (reply.kind !== 'refused') return { key: failed }
  switch (reply.problem?.code) {
    case 'conflict':
      return { key: refused }
    case 'sign-in-required':
    case 'blocked':
      return { key: problemKey(reply.problem.code) }
    case 'too-many-requests':
      return {
        key: problemKey('too-many-requests'),
        args: { seconds: reply.problem.retryAfterSeconds ?? reply.retryAfterSeconds ?? 10 },
      }
    default:
      return { key: failed }
  }
}
