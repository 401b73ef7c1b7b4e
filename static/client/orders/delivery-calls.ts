/** The calls about the delivery of one order, and their answer. All of them may be repeated. */
import type { AddressForm, DeliveryView } from '../../../core/api/delivery.ts'
import type { OrderId } from '../../../core/ids.ts'
import { type AddressPart, addressParts } from '../../../core/people/address-parts.ts'
import type { DeliveryRequest } from '../../../core/people/delivery.ts'
import { call, type Fetch, type Reply } from '../lib/http.ts'
import { fieldsInText, fieldsOf, oneOf } from '../lib/wire.ts'

const pathOf = (orderId: OrderId) => `/api/orders/${encodeURIComponent(orderId)}/delivery`

/** What is stored, and the forms of the countries; undefined when the shop does not say. */
export async function findDelivery(fetch: Fetch, orderId: OrderId): Promise<DeliveryView | undefined> {
  return viewIn(await call(fetch, pathOf(orderId)))
}

/** `being-paid`: the address stays until the payment has ended. Undefined when the shop does not say. */
export async function eraseDelivery(fetch: Fetch, orderId: OrderId): Promise<DeliveryView | 'being-paid' | undefined> {
  const reply = await call(fetch, pathOf(orderId), { method: 'DELETE' })
  return reply.kind === 'refused' && reply.problem?.code === 'conflict' ? 'being-paid' : viewIn(reply)
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
  let answer: string | null = null
  // The reader of problems is part of the sale page, which has no bytes for what only this call needs.
  const listening: Fetch = async (path, init) => {
    const response = await fetch(path, init)
    answer = await response.clone().text()
    return response
  }
  const reply = await call(listening, pathOf(orderId), { method: 'PUT', body: request })
  const view = viewIn(reply)
  if (view !== undefined) return { kind: 'saved', view }
  const problem = reply.kind === 'refused' ? reply.problem : undefined
  if (problem?.code === 'invalid-request') {
    const all = fieldsInText(answer)?.fields
    return { kind: 'invalid', fields: Array.isArray(all) ? textsIn(all) : [problem.field ?? 'body'] }
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

function readStored(value: unknown): DeliveryView['delivery'] | undefined {
  const fields = fieldsOf(value) ?? {}
  const { name, addressLines, postalCountry, phone } = fields
  if (typeof name !== 'string' || !Array.isArray(addressLines)) return undefined
  if (typeof postalCountry !== 'string' || typeof phone !== 'string') return undefined
  return {
    ...{ name, addressLines: textsIn(addressLines), postalCountry, phone },
    ...textAt(fields, 'organization'),
    ...textAt(fields, 'dependentLocality'),
    ...textAt(fields, 'locality'),
    ...textAt(fields, 'administrativeArea'),
    ...textAt(fields, 'postalCode'),
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
