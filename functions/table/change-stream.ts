/** Records of the table's stream as changes. They hold the new image of an item in DynamoDB's JSON. */
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import type { OrderStep } from '../../core/events/event.ts'
import type { NotedSaleStep } from '../../core/events/sale-steps.ts'
import { parseOrderId, parseSaleId, parseShopperId, type SaleId, saleOfOrder } from '../../core/ids.ts'
import { parse, readBy, whole } from '../../core/lib/parse.ts'
import { type Order, orderReasons } from '../../core/orders/order.ts'
import { type OrderNumber, parseOrderNumber } from '../../core/orders/order-number.ts'
import type { Shipment } from '../../core/orders/shipment.ts'
import { packet } from '../../core/packets/packet.ts'
import type { CreditMail, OfferMail } from '../../core/people/mail.ts'
import type { HandedReminder } from '../../core/people/reminder.ts'
import { storedSaleSteps } from './events/sale-steps.ts'
import { endpointOfWake, keyPrefixes, saleOfOffers, shopperOfList, shopperOfReminder } from './keys.ts'
import { reminderOf } from './people/reminders.ts'

/** `sequenceNumber` names the record within its part of the stream. */
export type Change = { sequenceNumber: string } & (
  | { kind: 'order'; order: ChangedOrder }
  | { kind: 'credit'; credit: Omit<CreditMail, 'kind'>; creditedAt: number }
  | { kind: 'reminder'; reminder: HandedReminder }
  | { kind: 'offer'; offer: Omit<OfferMail, 'kind'>; at: number }
  | { kind: 'wake'; endpointId: string }
  | { kind: 'sale'; saleId: SaleId; steps: readonly NotedSaleStep[] }
  /** An item that no version known here writes; `detail` holds nothing of its content. */
  | { kind: 'unreadable'; detail: string }
)

/**
 * An order as the stream shows it. Words and statuses are plain texts, because a later version may have
 * written them. `what` is the last word of the history, `revision` its length, and `steps` all of it.
 */
export type ChangedOrder = Pick<
  Order,
  'orderId' | 'saleId' | 'shopperId' | 'quantity' | 'amount' | 'currency' | 'payBy' | 'reason' | 'refunds'
> & {
  orderNumber?: OrderNumber | undefined
  variant?: string | undefined
  status: string
  what: string
  revision: number
  steps: readonly OrderStep[]
  hasCodes: boolean
  shipment?: Shipment | undefined
  deliveryCost?: number | undefined
}

const text = z.string('must be a string')
const count = whole(1, Number.MAX_SAFE_INTEGER)
const amount = whole(0, Number.MAX_SAFE_INTEGER)
const shopperBy = (read: (key: string) => string | undefined) =>
  z.pipe(z.pipe(text, z.transform(read)), readBy(parseShopperId, 'must name a shopper'))

/** Less than what `readOrderItem` asks for, so that an e-mail does not depend on the newest version. */
const orderImage = z.object({
  sk: readBy(parseOrderId, 'must be an order id'),
  listPk: shopperBy(shopperOfList),
  orderNumber: z.optional(z.transform(parseOrderNumber)),
  quantity: count,
  variant: z.optional(text),
  amount,
  deliveryCost: z.optional(amount),
  currency: text,
  status: text,
  payBy: amount,
  reason: z.optional(z.catch(z.optional(z.enum(orderReasons)), undefined)),
  refunds: z.optional(z.array(z.object({ paymentId: text, amount, currency: text, returned: amount }))),
  coupons: z.optional(z.array(text)),
  packet: z.optional(packet),
  shipment: z.optional(z.object({ carrier: text, tracking: z.optional(text) })),
  history: z.array(text).check(z.minLength(1)),
})

const reminderImage = z.object({ pk: shopperBy(shopperOfReminder), sk: reminderOf, remindedFor: amount })

const offerImage = z.object({
  pk: z.pipe(z.pipe(text, z.transform(saleOfOffers)), readBy(parseSaleId, 'must name a sale')),
  shopperId: readBy(parseShopperId, 'must be a shopper id'),
  variant: z.optional(text),
  at: amount,
  until: amount,
})

/** The event source filters records; undefined for one of another item, or a deletion. */
export function readChange({ dynamodb }: Pick<DynamoDBRecord, 'dynamodb'>): Change | undefined {
  const { SequenceNumber: sequenceNumber = '', NewImage, Keys } = dynamodb ?? {}
  const pk = Keys?.pk?.S ?? ''
  if (NewImage === undefined) return undefined
  if (pk.startsWith(keyPrefixes.endpointRun)) {
    const isWake = Keys?.sk?.S === keyPrefixes.endpointWake
    return isWake ? { sequenceNumber, kind: 'wake', endpointId: endpointOfWake(pk) } : undefined
  }
  if (pk.startsWith(keyPrefixes.sale)) {
    const isSteps = Keys?.sk?.S === keyPrefixes.saleSteps
    return isSteps ? { sequenceNumber, ...readSteps(plain({ M: NewImage })) } : undefined
  }
  if (pk.startsWith(keyPrefixes.reminder)) {
    // Without a start it waits.
    const isHanded = NewImage.remindedFor !== undefined
    return isHanded ? { sequenceNumber, ...readHandedReminder(plain({ M: NewImage })) } : undefined
  }
  if (pk.startsWith(keyPrefixes.offers)) return { sequenceNumber, ...readOffer(plain({ M: NewImage })) }
  if (!pk.startsWith(keyPrefixes.order)) return undefined
  const read = readOrder(plain({ M: NewImage }))
  return read && { sequenceNumber, ...read }
}

type Content<C = Change> = C extends unknown ? Omit<C, 'sequenceNumber'> : never

/** The order of a red packet is a credit, once it is written; undefined for any other step of it. */
function readOrder(image: unknown): Content | undefined {
  const read = parse(orderImage, image)
  if (!read.ok) return { kind: 'unreadable', detail: `an order: ${read.detail}` }
  const { sk: orderId, listPk: shopperId, coupons, packet: red, history, ...facts } = read.value
  if (red !== undefined) {
    const { number, amount: money, currency } = red
    const credit = { saleId: saleOfOrder(orderId), shopperId, packet: number, amount: money, currency }
    const { at, status, what } = stepOf(history.at(-1))
    return what === 'written' && status === 'fulfilled' ? { kind: 'credit', credit, creditedAt: at } : undefined
  }
  const order = {
    ...facts,
    orderId,
    shopperId,
    saleId: saleOfOrder(orderId),
    hasCodes: coupons !== undefined,
    what: stepOf(history.at(-1)).what,
    revision: history.length,
    steps: history.map(stepOf),
  }
  return { kind: 'order', order }
}

function readHandedReminder(image: unknown): Content {
  const read = parse(reminderImage, image)
  if (!read.ok) return { kind: 'unreadable', detail: `a reminder: ${read.detail}` }
  const { pk: shopperId, sk, remindedFor } = read.value
  return { kind: 'reminder', reminder: { ...sk, shopperId, remindedFor } }
}

function readOffer(image: unknown): Content {
  const read = parse(offerImage, image)
  if (!read.ok) return { kind: 'unreadable', detail: `an offer: ${read.detail}` }
  const { pk: saleId, at, ...offer } = read.value
  return { kind: 'offer', offer: { saleId, ...offer }, at }
}

function readSteps(image: unknown): Content {
  const read = parse(storedSaleSteps, image)
  return read.ok
    ? { kind: 'sale', ...read.value }
    : { kind: 'unreadable', detail: `the steps of a sale: ${read.detail}` }
}

/** A step of a history is `<at> <status> <what>` (order-item.ts). */
function stepOf(step = ''): OrderStep {
  const [at, status = '', ...what] = step.split(' ')
  return { at: Number(at), status, what: what.join(' ') }
}

/** A value of DynamoDB's JSON, of the types that orders and credits have; others are left out. */
function plain({ S, N, BOOL, L, M }: AttributeValue): unknown {
  if (N !== undefined) return Number(N)
  if (L !== undefined) return L.map(plain)
  if (M !== undefined) return Object.fromEntries(Object.entries(M).map(([name, value]) => [name, plain(value)]))
  return S ?? BOOL
}
