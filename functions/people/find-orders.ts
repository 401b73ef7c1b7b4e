/**
 * `POST /api/control/orders/find`: finds orders by the number of an order, the shopper's email address or the shopper's
 * id. Answers with their history and payments, and on request with the other data of the shopper.
 */
import type * as z from 'zod/mini'
import type { FoundOrder, FoundOrders } from '../../core/api/control-answers.ts'
import type { controlOperations } from '../../core/api/control-requests.ts'
import type { FoundShopper } from '../../core/api/found-shopper.ts'
import { parseOrderId, parseShopperId, type ShopperId } from '../../core/ids.ts'
import { plainText } from '../../core/lib/text.ts'
import type { Dispute, Order } from '../../core/orders/order.ts'
import { parseOrderNumber } from '../../core/orders/order-number.ts'
import { cursorOf, readCursor } from '../../core/orders/order-page.ts'
import { readEmail } from '../../core/people/contact.ts'
import type { Staff } from '../control/staff.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { readWallet } from '../packets/wallet.ts'
import { findOrderOfNumber } from '../table/orders/order-numbers.ts'
import { findWrittenOrder, findWrittenOrders, orderIdsOf, pageOfOrders } from '../table/orders/orders.ts'
import { findContact, shoppersWithEmail } from '../table/people/contacts.ts'
import { findDeliveries } from '../table/people/deliveries.ts'
import { findMails } from '../table/people/mail-log.ts'
import type { AnyMail } from '../table/people/mail-option.ts'
import { labelLines } from './address-rules.ts'
import { kindsByStep } from './mail-due.ts'
import { mailOptions } from './mail-options.ts'

/** Orders of one answer: as many as a person reads. */
const pageSize = 20

type Search = { caller: Pick<Staff, 'roles'>; body: z.output<(typeof controlOperations.findOrders)['body']['schema']> }

/** Finds written orders, not those that are only reserved. */
export async function findOrders(
  ports: FoundShopperPorts,
  { caller, body }: Search,
): Promise<FoundOrders | HttpAnswer> {
  const { after: cursor, shopper: asksForShopper = false } = body
  const find = plainText(body.find ?? '')
  const after = cursor === undefined ? undefined : readCursor(cursor)
  if (cursor !== undefined && after === undefined) return invalid('after', 'after must be the next of another page')

  const named = await findNamedOrder(ports, find)
  if (named !== undefined && !asksForShopper) return { orders: [toFoundOrder(named)], next: null }
  const shoppers =
    /[@＠]/.test(find) && named === undefined ? await shoppersWithEmail(ports, readEmail(find) ?? find) : []
  if (shoppers.length > 1) return ordersOfSeveral(ports, shoppers)
  // A shopper id may look like the number of an order, or like an email address.
  const shopperId = named?.shopperId ?? shoppers[0] ?? parseShopperId(find)
  if (shopperId === undefined) {
    return invalid('find', 'find must be an order number or id, an email address or a shopper ID')
  }
  const page = await pageOfOrders(ports.table, shopperId, { limit: pageSize, ...(after && { after }) })
  const written = await findWrittenOrders(ports.table, page.orderIds)
  const listed = page.orderIds.flatMap((orderId) => written.get(orderId) ?? [])
  const orders = named === undefined ? listed : withFirst(named, listed, after === undefined)
  return {
    orders: orders.map(toFoundOrder),
    next: page.next === undefined ? null : cursorOf(page.next),
    ...(asksForShopper &&
      after === undefined && {
        // Support sees no more than the address that the person named, like in orders.csv.
        shopper: await readShopper(ports, { shopperId, orders, mayReadContact: caller.roles.includes('marketer') }),
      }),
  }
}

/** Puts the named order first, and once. */
function withFirst(named: Order, orders: readonly Order[], isFirstPage: boolean): readonly Order[] {
  const others = orders.filter(({ orderId }) => orderId !== named.orderId)
  return isFirstPage ? [named, ...others] : others
}

/** Returns the newest orders of several shoppers, without a cursor, which belongs to one shopper; their ids find more. */
async function ordersOfSeveral({ table }: FoundShopperPorts, shoppers: readonly ShopperId[]): Promise<FoundOrders> {
  const pages = await Promise.all(shoppers.map((shopperId) => pageOfOrders(table, shopperId, { limit: pageSize })))
  const written = await findWrittenOrders(
    table,
    pages.flatMap(({ orderIds }) => orderIds),
  )
  const orders = [...written.values()].sort((a, b) => b.reservedAt - a.reservedAt)
  return { orders: orders.slice(0, pageSize).map(toFoundOrder), next: null, shoppers }
}

/** Finds the order of an id, or of a number as people write it. */
async function findNamedOrder({ table }: FoundShopperPorts, find: string): Promise<Order | undefined> {
  const orderId = parseOrderId(find)
  if (orderId !== undefined) return findWrittenOrder(table, orderId)
  const number = parseOrderNumber(find)
  return number === undefined ? undefined : findOrderOfNumber(table, number)
}

/** Returns an order as staff sees it, without coupon codes: whoever knows a code can redeem it. */
export function toFoundOrder(order: Order): FoundOrder {
  const { orderId, saleId, shopperId, quantity, packet, status, reason } = order
  const { amount, currency } = packet ?? order
  const { reservedAt, writtenAt, payBy, payment, refunds = [], history, orderNumber } = order
  return {
    ...(orderNumber !== undefined && { orderNumber }),
    ...{ orderId, saleId, shopperId, quantity, amount, currency, status, reservedAt, writtenAt },
    ...{ refunds, history, payment: payment ?? null },
    payBy: status === 'awaiting-payment' ? payBy : null,
    ...(order.deliveryCost !== undefined && { deliveryCost: order.deliveryCost }),
    ...(order.variant !== undefined && { variant: order.variant }),
    ...(reason !== undefined && { reason }),
    ...(order.dispute !== undefined && { dispute: disputeOf(order.dispute) }),
    ...(order.coupons !== undefined && {
      coupons: {
        issued: order.coupons.length,
        redeemed: (order.redemptions ?? []).filter(({ undoneAt }) => undoneAt === undefined).length,
      },
    }),
    ...(order.shipment !== undefined && { shipment: order.shipment }),
  }
}

const disputeOf = ({ paymentId, state, at }: Dispute) => ({ paymentId, state, at })

export type FoundShopperPorts = Pick<ShopContext, 'table' | 'sealer' | 'personalKeys' | 'clock'>

/** Credits whose emails are listed, at most. */
const maxCredits = 20

/** `mayReadContact`: the caller may read the shopper's contact and addresses. */
type ShopperQuery = { shopperId: ShopperId; orders: readonly Order[]; mayReadContact: boolean }

/** Reads the data of one shopper besides the `orders` of the page, from the table alone, with a bounded number of reads. */
export async function readShopper(
  ports: FoundShopperPorts,
  { shopperId, orders, mayReadContact }: ShopperQuery,
): Promise<FoundShopper> {
  const { table, clock } = ports
  const mailed = orders.flatMap(mailsOf)
  const [contact, wallet, ofOrders, ofOptions] = await Promise.all([
    mayReadContact ? readContact(ports, shopperId, orders) : {},
    readWallet({ table }, shopperId, { all: false }),
    findMails(table, mailed),
    Promise.all(mailOptions.map(({ ofShopper }) => ofShopper(table, shopperId, clock()))),
  ])
  const credited = wallet.credits.slice(0, maxCredits).map(({ packetId }): AnyMail => {
    return { packetId, about: packetId, kind: 'packet-credited' }
  })
  const asked = ofOptions.flatMap((option) => option.asked)
  const sent = ofOptions.flatMap((option) => option.sent)
  const mails = [...ofOrders, ...(await findMails(table, [...credited, ...sent]))]
  return {
    shopperId,
    ...contact,
    balances: wallet.balances,
    credits: wallet.credits.map(({ creditedAt: at, amount, currency, balance }) => {
      return { at, amount, currency, balance }
    }),
    mails: [
      ...asked.map((one) => ({ ...one, state: 'asked' as const })),
      ...mails.map(({ id: { about, kind }, state, at }) => ({ about, kind, state, at })),
    ].toSorted((a, b) => b.at - a.at),
  }
}

async function readContact(
  ports: FoundShopperPorts,
  shopperId: ShopperId,
  orders: readonly Order[],
): Promise<Pick<FoundShopper, 'contact' | 'deliveries'>> {
  const [contact, deliveries] = await Promise.all([
    findContact(ports, shopperId),
    findDeliveries(ports, orderIdsOf(orders)),
  ])
  return {
    contact: contact ?? null,
    deliveries: [...deliveries].map(([orderId, to]) => {
      return { orderId, phone: to.phone, lines: labelLines(to), country: to.postalCountry }
    }),
  }
}

/** Returns the emails that the steps of an order cause. */
function mailsOf({ orderId, history }: Order): AnyMail[] {
  return history.flatMap(({ what, status }, i) => {
    const kind = kindsByStep[what]?.[status]
    return kind === undefined ? [] : [{ orderId, revision: i + 1, about: orderId, kind }]
  })
}
