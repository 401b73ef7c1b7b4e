/** Reads records of the table's stream as changes. A record holds the new image of an item in DynamoDB's JSON. */
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { parseOrderId, saleOfOrder } from '../../core/ids.ts'
import { parse, readBy, whole } from '../../core/lib/parse.ts'
import { type Order, type OrderStep, orderReasons } from '../../core/orders/order.ts'
import { type OrderNumber, parseOrderNumber } from '../../core/orders/order-number.ts'
import type { Shipment } from '../../core/orders/shipment.ts'
import { redPacket } from '../../core/packets/packet.ts'
import type { CreditMail } from '../../core/people/mail.ts'
import { keyPrefixes, shopperOfList } from './keys.ts'
import { stepInLine } from './orders/history-line.ts'
import { type DueMail, type MailOption, shopperBy } from './people/mail-option.ts'

/** `sequenceNumber` names the record within its part of the stream. */
export type Change = { sequenceNumber: string } & (
  | { kind: 'order'; order: ChangedOrder }
  | { kind: 'credit'; credit: Omit<CreditMail, 'kind'>; creditedAt: number }
  /** A change of an option's item. `dueAt` returns the email that it is worth at a time. */
  | { kind: 'option'; isMany: boolean; dueAt: (now: number) => DueMail | undefined }
  /** An item that no version known here writes; `detail` holds nothing of its content. */
  | { kind: 'unreadable'; detail: string }
)

/**
 * An order as the stream shows it. Words and statuses are plain texts, because a later version may have written them. `what` is
 * the last word of the history, `revision` its length, and `steps` all of it.
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
/** Requires less than `readOrderItem`, so that an email does not depend on the newest version. */
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
  packet: z.optional(redPacket),
  shipment: z.optional(z.object({ carrier: text, tracking: z.optional(text), link: z.optional(text) })),
  history: z.array(text).check(z.minLength(1)),
})

/** Reads a filtered record; undefined for another item or a deletion. `options` are those whose changes are read. */
export function readChange(
  { dynamodb }: Pick<DynamoDBRecord, 'dynamodb'>,
  options: readonly MailOption[] = [],
): Change | undefined {
  const { SequenceNumber: sequenceNumber = '', NewImage, Keys } = dynamodb ?? {}
  const pk = Keys?.pk?.S ?? ''
  if (NewImage === undefined) return undefined
  const option = options.find(({ prefix }) => pk.startsWith(prefix))
  if (option !== undefined) return { sequenceNumber, ...readOption(option, plainValue({ M: NewImage })) }
  if (!pk.startsWith(keyPrefixes.order)) return undefined
  const read = readOrder(plainValue({ M: NewImage }))
  return read && { sequenceNumber, ...read }
}

type Content<C = Change> = C extends unknown ? Omit<C, 'sequenceNumber'> : never

/** Reads an order. A red packet's order is a credit once it is written; undefined for its other steps. */
function readOrder(image: unknown): Content | undefined {
  const read = parse(orderImage, image)
  if (!read.ok) return { kind: 'unreadable', detail: `an order: ${read.detail}` }
  const { sk: orderId, listPk: shopperId, coupons, packet: red, history, ...facts } = read.value
  const steps = history.map(stepInLine)
  const { at, status, what } = steps.at(-1) ?? stepInLine('')
  if (red !== undefined) {
    const { number, amount: money, currency } = red
    const credit = { saleId: saleOfOrder(orderId), shopperId, packet: number, amount: money, currency }
    return what === 'written' && status === 'fulfilled' ? { kind: 'credit', credit, creditedAt: at } : undefined
  }
  const order = {
    ...facts,
    orderId,
    shopperId,
    saleId: saleOfOrder(orderId),
    hasCodes: coupons !== undefined,
    what,
    revision: history.length,
    steps,
  }
  return { kind: 'order', order }
}

function readOption({ what, isMany, read }: MailOption, image: unknown): Content {
  const due = read(image)
  if (!due.ok) return { kind: 'unreadable', detail: `${what}: ${due.detail}` }
  return { kind: 'option', isMany, dueAt: due.value }
}

/** Converts a value of DynamoDB's JSON, of the types that changes have; others are skipped. */
export function plainValue({ S, N, BOOL, L, M }: AttributeValue): unknown {
  if (N !== undefined) return Number(N)
  if (L !== undefined) return L.map(plainValue)
  if (M !== undefined) return Object.fromEntries(Object.entries(M).map(([name, value]) => [name, plainValue(value)]))
  return S ?? BOOL
}
