/** The calls of a shopper about one order: to pay it or give it back, and about its delivery. All of them may be repeated and count once. */
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
  const { code, field, retryAfterSeconds } = reply.problem ?? {}
  if (field === 'delivery') return { kind: 'no-address' }
  if (code === 'at-capacity') return { kind: 'wait', seconds: retryAfterSeconds ?? fewSeconds }
  const refused = retryAfterSeconds === undefined ? 'order.payRefused' : 'order.payNotYet'
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

const pathOf = (orderId: OrderId) => `/api/orders/${encodeURIComponent(orderId)}/delivery`

/** What is stored, and the forms of the countries; undefined when the shop does not say. */
export async function findDelivery(fetch: Fetch, orderId: OrderId): Promise<DeliveryView | undefined> {
  return viewIn(await call(fetch, pathOf(orderId)))
}

/** `being-paid`: the address stays until the payment has ended. Undefined when the shop does not say. */
export async function eraseDelivery(fetch: Fetch, orderId: OrderId): Promise<DeliveryView | 'being-paid' | undefined> {
  const reply = await call(fetch, pathOf(orderId), { method: 'DELETE' })
  return reply.problem?.code === 'conflict' ? 'being-paid' : viewIn(reply)
}

/** Erases the shopper's e-mail address and language; false when the shop does not say so. */
export async function eraseContact(fetch: Fetch): Promise<boolean> {
  return (await call(fetch, '/api/contact', { method: 'DELETE' })).kind === 'ok'
}

/** `fields` are all that are wrong. `locked`: the order is on its way, or ended. */
export type Saved =
  | { kind: 'saved'; view: DeliveryView }
  | { kind: 'invalid'; fields: readonly string[] }
  | { kind: 'locked' | 'failed' }

export async function saveDelivery(fetch: Fetch, orderId: OrderId, request: DeliveryRequest): Promise<Saved> {
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
  return reply.kind === 'ok' ? readDelivery(reply.body) : undefined
}

/** The answer of each of these calls; undefined for anything else. */
export function readDelivery(value: unknown): DeliveryView | undefined {
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

/** The parts of an address that some countries do without. */
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
