/** Calls the API for one order: payment, cancellation and delivery address. All calls are idempotent. */
import type { Fetch, Reply } from '../../client/http.ts'
import type { AddressForm, DeliveryView } from '../../core/api/delivery.ts'
import type { OrderView } from '../../core/api/shop.ts'
import type { OrderId } from '../../core/ids.ts'
import type { Language } from '../../core/language.ts'
import type { OrderAction } from '../../core/orders/order-path.ts'
import { type AddressPart, addressParts } from '../../core/people/address-parts.ts'
import type { DeliveryRequest } from '../../core/people/delivery.ts'
import { problemKey } from '../../templates/messages/codes.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { call } from '../../web/http.ts'
import { fieldsOf, oneOf, safeAddress } from '../../web/wire.ts'
import { readBilledOrder } from './bill.ts'
import type { OrdersKey } from './order-headline.ts'

/** The reason of a failure, as a message key. */
export type Trouble = { key: OrdersKey; args?: Arguments }

type Opened =
  | { kind: 'go'; url: string }
  | { kind: 'wait'; seconds: number }
  | { kind: 'no-address' }
  | { kind: 'failed'; trouble: Trouble }

const fewSeconds = 5

/** The payment provider may take several seconds, ms. */
const deadlineMs = 15_000

/**
 * Opens a payment and returns the `url` of its page. `origin` and `language` are those of this page. Ignores an address
 * that is neither of this site nor https. `wait`: many shoppers pay now; retry after `seconds`.
 */
export async function openPayment(
  fetch: Fetch,
  orderId: OrderId,
  { origin, language }: { origin: string; language: Language },
): Promise<Opened> {
  const reply = await ask(fetch, orderId, 'pay', { language })
  const url = reply.kind === 'ok' ? safeAddress(fieldsOf(reply.body)?.url, origin) : undefined
  if (url !== undefined) return { kind: 'go', url }
  const { code, field, retryAfterSeconds } = reply.problem ?? {}
  if (field === 'delivery') return { kind: 'no-address' }
  if (code === 'at-capacity') return { kind: 'wait', seconds: retryAfterSeconds ?? fewSeconds }
  const refused = retryAfterSeconds === undefined ? 'order.payRefused' : 'order.payNotYet'
  return { kind: 'failed', trouble: troubleOf(reply, refused, 'order.payFailed') }
}

/** Cancels an unpaid order and returns its new state. */
export async function requestCancel(
  fetch: Fetch,
  orderId: OrderId,
): Promise<{ kind: 'done'; order: OrderView } | { kind: 'failed'; trouble: Trouble }> {
  const reply = await ask(fetch, orderId, 'cancel')
  const order = reply.kind === 'ok' ? readBilledOrder(reply.body) : undefined
  if (order !== undefined) return { kind: 'done', order }
  return { kind: 'failed', trouble: troubleOf(reply, 'order.cancelRefused', 'order.cancelFailed') }
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

const pathOf = (orderId: OrderId) => `/api/orders/${encodeURIComponent(orderId)}/delivery`

/** Returns the stored address and the forms by country; undefined after a failure. */
export async function findDelivery(fetch: Fetch, orderId: OrderId): Promise<DeliveryView | undefined> {
  return viewIn(await call(fetch, pathOf(orderId)))
}

/** Erases the address. `being-paid`: it stays until the payment has ended. Undefined after a failure. */
export async function eraseDelivery(fetch: Fetch, orderId: OrderId): Promise<DeliveryView | 'being-paid' | undefined> {
  const reply = await call(fetch, pathOf(orderId), { method: 'DELETE' })
  return reply.problem?.code === 'conflict' ? 'being-paid' : viewIn(reply)
}

/** Erases the shopper's email address and language; false after a failure. */
export async function eraseContact(fetch: Fetch): Promise<boolean> {
  return (await call(fetch, '/api/contact', { method: 'DELETE' })).kind === 'ok'
}

/** `fields` are the invalid ones. `locked`: the order was shipped or has ended. */
export type SavedDelivery =
  | { kind: 'saved'; view: DeliveryView }
  | { kind: 'invalid'; fields: readonly string[] }
  | { kind: 'locked' | 'failed' }

export async function saveDelivery(fetch: Fetch, orderId: OrderId, request: DeliveryRequest): Promise<SavedDelivery> {
  const reply = await call(fetch, pathOf(orderId), { method: 'PUT', body: request })
  const view = viewIn(reply)
  if (view !== undefined) return { kind: 'saved', view }
  const { problem } = reply
  if (problem?.code === 'invalid-request') {
    return { kind: 'invalid', fields: problem.fields ?? [problem.field ?? 'body'] }
  }
  return { kind: problem?.code === 'conflict' ? 'locked' : 'failed' }
}

function viewIn(reply: Reply): DeliveryView | undefined {
  return reply.kind === 'ok' ? parseDelivery(reply.body) : undefined
}

/** Parses the answer of each of these calls. */
export function parseDelivery(value: unknown): DeliveryView | undefined {
  const { delivery, lines, forms, email } = fieldsOf(value) ?? {}
  if (!Array.isArray(lines) || !Array.isArray(forms)) return undefined
  const stored = delivery === null ? null : readStored(delivery)
  if (stored === undefined) return undefined
  return {
    delivery: stored,
    lines: textsIn(lines),
    forms: forms.map(readForm).filter((form) => form !== undefined),
    email: typeof email === 'string' ? email : null,
  }
}

/** The parts of an address that not all countries use. */
export const optionalParts = addressParts.filter((part) => part !== 'name' && part !== 'addressLines')

function readStored(value: unknown): DeliveryView['delivery'] | undefined {
  const fields = fieldsOf(value) ?? {}
  const { name, addressLines, postalCountry, phone } = fields
  if (typeof name !== 'string' || !Array.isArray(addressLines)) return undefined
  if (typeof postalCountry !== 'string' || typeof phone !== 'string') return undefined
  return {
    ...{ name, addressLines: textsIn(addressLines), postalCountry, phone },
    ...Object.assign({}, ...optionalParts.map((part) => textAt(fields, part))),
  }
}

function textAt<Name extends string>(fields: Readonly<Record<string, unknown>>, name: Name): { [N in Name]?: string } {
  const text = fields[name]
  const found: { [N in Name]?: string } = {}
  if (typeof text === 'string') found[name] = text
  return found
}

function readForm(value: unknown): AddressForm | undefined {
  const { country, parts, required, examples } = fieldsOf(value) ?? {}
  if (typeof country !== 'string') return undefined
  const shown = fieldsOf(examples)
  return {
    country,
    parts: partsIn(parts),
    required: partsIn(required),
    ...(shown && { examples: { ...textAt(shown, 'phone'), ...textAt(shown, 'postalCode') } }),
  }
}

function partsIn(value: unknown): AddressPart[] {
  const list = Array.isArray(value) ? value : []
  return list.map((part) => oneOf(addressParts, part)).filter((part) => part !== undefined)
}

function textsIn(list: readonly unknown[]): string[] {
  return list.filter((text) => typeof text === 'string')
}
