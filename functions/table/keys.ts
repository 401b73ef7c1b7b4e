/**
 * The one table: its shape, and every key in it. Nothing else spells a key. Ids cannot hold `#`, so no id can reach
 * into another item's key; ids of payments and events can hold one, and end their key.
 *
 *   SALE#<saleId>               SALE            the sale, `revision`, at times `pendingStock`,
 *                                               `finishedStockChanges`
 *   SALE#<saleId>               CAP             `remaining` (absent: unlimited), and of active
 *                                               orders `sold`, `orders`, units returned or added
 *                                               `gained`, once it has sold out
 *                                               `soldOut.<window>`; of red packets also
 *                                               `budget`, `claimed`, finally `closedAt`
 *   SALE#<saleId>               CAP#<part>      a further part of the cap: `remaining`, `sold`,
 *                                               `orders`, `gained` like the first
 *   SALE#<saleId>               ESCROW          of a split stock: `pool`, and for each of `shards`
 *                                               how much was granted to it, by variant in a sale with
 *                                               some; `revision`, `change`
 *   SALE#<saleId>               SEED            `seed`, from which the amounts of its red packets
 *                                               follow: a secret
 *   PAID#<saleId>               <part>          `orders` that are paid, those that are `disputed`, or how
 *                                               many coupons are `redeemed`, in parts like the orders; of
 *                                               each currency `amount<code>`, `disputedAmount<code>` and
 *                                               `refunded<code>`
 *   COUPON#<code>               COUPON          `orderId`, the order of that coupon; the order decides
 *   BUYER#<saleId>#<shopperId>  BUYER           `quantity` of all active orders of that shopper
 *   ORDERS#<saleId>#<part>      <orderId>       the order; `part` is the last character of its id.
 *                                               Its shopper and the time of its reservation are in
 *                                               `listPk` and `listSk` only
 *   PACKETS#<saleId>#<part>     <number>        `orderId`, the order of that red packet; `part` is its number modulo 16
 *   RELEASE#<saleId>            <orderId>       units of that order which Redis may still hold, and
 *                                               its `shopperId`
 *   REFUND#<paymentId>          REFUND          money that is or was refunded
 *   AUTHORISED#<paymentId>      AUTHORISED      money reserved for the shop, to be captured or released
 *   PAGE#<paymentId>            PAGE            a page of the payment provider that is to be closed
 *   EVENT#<eventId>             EVENT           a message of the payment provider that was counted
 *   CONTACT#<shopperId>         CONTACT         `sealed`: how to reach the shopper, encrypted; at times
 *                                               `unsubscribed`; until `expiresAt`, when DynamoDB
 *                                               deletes it
 *   DELIVERY#<orderId>          DELIVERY        `sealed`: where to send the order, encrypted; until
 *                                               `expiresAt`
 *   SIMULATED#<orderId>         SIMULATED       payments and messages of the simulated provider, until
 *                                               `expiresAt`; on stages for trials only
 *   MAIL#<orderId>              <revision>      the email about that step of the order: `leasedUntil`
 *                                               while it is sent, `sentAt` once it is; until `expiresAt`
 *   MAIL#<packetId>             CREDIT          the email about a credited packet, alike
 *   MAIL#<saleId>#<shopperId>   <time>          that email, alike: the start, or when it was handed over
 *                                               `came`
 *   BRAND                       BRAND           `brand` of the shop, and its `revision`
 *   CUSTOMERS                   <name>          who signs tokens for customers of the shop: `issuer`, `keys`,
 *                                               and where those are read
 *   NUMBERS                     NUMBERS         `taken`, how many order numbers were assigned
 *   SIGNS                       <part>          the last heartbeat of a part: `at`, `failed`, `names`
 *   RECONCILE                   PROGRESS        the progress of `reconcile` through warmed sales and through drafts
 *   SECONDS#<saleId>            <time>          the samples of a minute of the sale: a list of counts in a cell for
 *                                               each second, until `expiresAt`
 *   MINUTES#<saleId>            <time>          those of an hour: a cell for each minute
 *   BLOCKLIST                   <kind> <value>  who blocked a shopper, addresses or a key, and when
 *   BLOCKLIST#COUNT             COUNT           the number of those entries
 *   INVITED#<saleId>              <shopperId>     a shopper who may buy in a sale by invitation, and the one `variant`
 *   AUDIT#<yyyy-mm-dd>          <iso>#<random>  who changed what
 *
 * The index `list` holds sales by start with their titles, in separate lists for warmed sales, drafts and archived ones;
 * a shopper's orders by time; refunds and authorisations by time, due and done ones separately; pages to close; and
 * contacts by the digest of their email address. Options have keys of their own.
 * The index `orders` holds the orders of each part of a sale by time, with their status and what a report reads of
 * them, and the index `number` every order by its number.
 */
import {
  type OrderId,
  type OrderQuarter,
  orderIdLetters,
  orderQuarters,
  parseOrderId,
  parseSaleId,
  parseShopperId,
  type SaleId,
  type ShopperId,
  saleOfOrder,
} from '../../core/ids.ts'
import { capPartCount, firstCapPart } from '../../core/orders/cap-part.ts'
import type { CouponCode } from '../../core/orders/coupon.ts'

export type ItemKey = { pk: string; sk: string }
export type ListKey = { listPk: string; listSk: string }

export const listIndex = 'list'
/** Name of the index over `pk` and `listSk`, with `status` and the facts of a report. */
export const ordersIndex = 'orders'
export const reportedAttribute = 'reported'
/** Name of the index over `orderNumber` and `pk`. */
export const numberIndex = 'number'

export const saleKey = (saleId: SaleId): ItemKey => ({ pk: `SALE#${saleId}`, sk: 'SALE' })
export const capKey = (saleId: SaleId): ItemKey => capPartKey(saleId, firstCapPart)
export const capPartKey = (saleId: SaleId, part: number): ItemKey => ({
  pk: `SALE#${saleId}`,
  sk: part === firstCapPart ? 'CAP' : `CAP#${part}`,
})
export const capPartKeys = (saleId: SaleId): ItemKey[] =>
  Array.from({ length: capPartCount }, (_, part) => capPartKey(saleId, part))
export const escrowKey = (saleId: SaleId): ItemKey => ({ pk: `SALE#${saleId}`, sk: 'ESCROW' })
export const seedKey = (saleId: SaleId): ItemKey => ({ pk: `SALE#${saleId}`, sk: 'SEED' })

/**
 * The orders of a sale are in parts, because a partition takes 1,000 writes a second and a hot sale would fill one. The last
 * character of an order id is five bits of a hash: it names the part, so the id alone finds the order.
 */
const parts = [...orderIdLetters]
export const orderPartCount = parts.length
const ordersPrefix = 'ORDERS#'
const ordersPart = (saleId: SaleId, part: string): string => `${ordersPrefix}${saleId}#${part}`
export function orderParts(saleId: SaleId, quarter?: OrderQuarter): string[] {
  const each = orderPartCount / orderQuarters.length
  const from = quarter === undefined ? 0 : each * orderQuarters.indexOf(quarter)
  const some = quarter === undefined ? parts : parts.slice(from, from + each)
  return some.map((part) => ordersPart(saleId, part))
}
export const orderKey = (orderId: OrderId): ItemKey => ({
  pk: ordersPart(saleOfOrder(orderId), orderId.slice(-1)),
  sk: orderId,
})

/** Paid orders are counted in the same parts, so that payments of one sale rarely meet at one item. */
export const paidOrdersOf = (saleId: SaleId): string => `PAID#${saleId}`
export const paidKey = (orderId: OrderId): ItemKey => ({
  pk: paidOrdersOf(saleOfOrder(orderId)),
  sk: orderId.slice(-1),
})

export const couponKey = (code: CouponCode): ItemKey => ({ pk: `COUPON#${code}`, sk: 'COUPON' })

/** The red packets of a sale are in parts for the same reason. Their numbers are consecutive, so the parts fill evenly. */
const packetPartCount = 16
export const packetKey = (saleId: SaleId, number: number): ItemKey => ({
  pk: `PACKETS#${saleId}#${number % packetPartCount}`,
  sk: String(number),
})

const buyerPrefix = 'BUYER#'
export const buyerKey = (saleId: SaleId, shopperId: ShopperId): ItemKey => ({
  pk: `${buyerPrefix}${saleId}#${shopperId}`,
  sk: 'BUYER',
})
export const releasesOf = (saleId: SaleId): string => `RELEASE#${saleId}`
export const releaseKey = (saleId: SaleId, orderId: OrderId): ItemKey => ({ pk: releasesOf(saleId), sk: orderId })
export const refundKey = (paymentId: string): ItemKey => ({ pk: `REFUND#${paymentId}`, sk: 'REFUND' })
export const pageKey = (paymentId: string): ItemKey => ({ pk: `PAGE#${paymentId}`, sk: 'PAGE' })
export const authorisationKey = (paymentId: string): ItemKey => ({
  pk: `AUTHORISED#${paymentId}`,
  sk: 'AUTHORISED',
})
export const eventKey = (eventId: string): ItemKey => ({ pk: `EVENT#${eventId}`, sk: 'EVENT' })

export const contactPrefix = 'CONTACT#'
export const contactKey = (shopperId: ShopperId): ItemKey => ({
  pk: `${contactPrefix}${shopperId}`,
  sk: 'CONTACT',
})
/** Returns the id after `prefix` in the key `pk`. @throws for a text that is not such a key */
function idIn<Id>(pk: string, prefix: string, parse: (id: string) => Id | undefined): Id {
  const id = pk.startsWith(prefix) ? parse(pk.slice(prefix.length)) : undefined
  if (id === undefined) throw new Error(`${pk} is not a key that begins with ${prefix}`)
  return id
}
export const shopperOfContact = (pk: string): ShopperId => idIn(pk, contactPrefix, parseShopperId)

export const emailList = (digest: string): string => `EMAIL#${digest}`
export const contactListKey = (digest: string, shopperId: ShopperId): ListKey => ({
  listPk: emailList(digest),
  listSk: shopperId,
})
export const deliveryPrefix = 'DELIVERY#'
export const deliveryKey = (orderId: OrderId): ItemKey => ({
  pk: `${deliveryPrefix}${orderId}`,
  sk: 'DELIVERY',
})
export const orderOfDelivery = (pk: string): OrderId => idIn(pk, deliveryPrefix, parseOrderId)

export const simulatedPrefix = 'SIMULATED#'
export const simulatedPaymentsKey = (orderId: OrderId): ItemKey => ({
  pk: `${simulatedPrefix}${orderId}`,
  sk: 'SIMULATED',
})
const mailPrefix = 'MAIL#'
/** `revision` is the length of the order's history. */
export const orderMailKey = (orderId: OrderId, revision: number): ItemKey => ({
  pk: mailPrefix + orderId,
  sk: String(revision),
})
export const creditMailKey = (packetId: string): ItemKey => ({ pk: mailPrefix + packetId, sk: 'CREDIT' })
export const saleMailKey = (saleId: SaleId, shopperId: ShopperId, at: number): ItemKey => ({
  pk: `${mailPrefix}${saleId}#${shopperId}`,
  sk: sortableTime(at),
})

export const brandKey: ItemKey = { pk: 'BRAND', sk: 'BRAND' }

export const customersPk = 'CUSTOMERS'

export const numbersKey: ItemKey = { pk: 'NUMBERS', sk: 'NUMBERS' }
/** Heartbeats, each under the name of its part. */
export const heartbeatsPk = 'SIGNS'
export const heartbeatKey = (part: string): ItemKey => ({ pk: heartbeatsPk, sk: part })
export const progressKey: ItemKey = { pk: 'RECONCILE', sk: 'PROGRESS' }

/** The two series of samples of a sale. */
export type SeriesSpan = 'second' | 'minute'
/** Returns the key of the samples that begin at `from` (epoch ms). */
export const seriesKey = (saleId: SaleId, span: SeriesSpan, from: number): ItemKey => ({
  pk: `${span.toUpperCase()}S#${saleId}`,
  sk: sortableTime(from),
})
/** Returns when the samples of an item begin, by its key. */
export const seriesStart = ({ sk }: { sk?: unknown }): number => Number(sk)

export const blocklistPk = 'BLOCKLIST'
export const blockKey = (field: string): ItemKey => ({ pk: blocklistPk, sk: field })
export const blockCountKey: ItemKey = { pk: `${blocklistPk}#COUNT`, sk: 'COUNT' }

const invitedPrefix = 'INVITED#'
export const invitedListPk = (saleId: SaleId): string => invitedPrefix + saleId
export const invitedShopperKey = (saleId: SaleId, shopperId: ShopperId): ItemKey => ({
  pk: invitedListPk(saleId),
  sk: shopperId,
})
export const listKeyKey = (saleId: SaleId): ItemKey => ({ pk: `${invitedListPk(saleId)}#KEY`, sk: 'KEY' })

/** `when` is epoch ms; `nonce` keeps two changes of one millisecond apart. */
export const auditKey = (when: number, nonce: string): ItemKey => {
  const iso = new Date(when).toISOString()
  return { pk: auditDay(iso.slice(0, 10)), sk: `${iso}#${nonce}` }
}
const auditPrefix = 'AUDIT#'
export const auditDay = (day: string): string => auditPrefix + day

/** Sales that are warmed. */
export const salesList = 'SALES'
export const draftsList = 'SALES#DRAFT'
export const archivedSalesList = 'SALES#ARCHIVED'
/** Returns the place of a sale in its list, with which `listSk` begins; `titles` follow it for searches. */
export const salePlace = ({ saleId, startsAt }: { saleId: SaleId; startsAt: number }): string =>
  `${saleStart(startsAt)}${saleId}`
export const listedSale = (place: string, titles: string): string => `${place}#${titles}`
/** Returns a place before every sale that starts at `startsAt` (epoch ms) or later. */
export const saleStart = (startsAt: number): string => `${sortableTime(startsAt)}#`

/** Reads `listSk` of a sale. @throws for a text that is not such a key */
export function readSalePlace(listSk: string): { saleId: SaleId; startsAt: number; titles: string } {
  const [time, id, ...titles] = listSk.split('#')
  const saleId = parseSaleId(id)
  if (saleId === undefined) throw new Error(`${listSk} is not the key of a sale in a list`)
  return { saleId, startsAt: Number(time), titles: titles.join('#') }
}

const shopperPrefix = 'SHOPPER#'
/** The key prefixes that limit a stream or a permission. */
export const keyPrefixes = {
  sale: 'SALE#',
  order: ordersPrefix,
  contact: contactPrefix,
  mail: mailPrefix,
  brand: brandKey.pk,
  audit: auditPrefix,
  heartbeats: heartbeatsPk,
  invited: invitedPrefix,
  buyer: buyerPrefix,
} as const

/** Returns whose list of orders `listPk` names, unchecked; undefined for another list. */
export function shopperOfList(listPk: string): string | undefined {
  const prefix = [shopperPrefix, walletPrefix].find((one) => listPk.startsWith(one))
  return prefix && listPk.slice(prefix.length)
}
export const orderListKey = (shopperId: ShopperId, reservedAt: number): ListKey => ({
  listPk: shopperPrefix + shopperId,
  listSk: sortableTime(reservedAt),
})
/** Orders of red packets are the shopper's wallet, and in no list of orders. */
const walletPrefix = 'WALLET#'
export const packetListKey = (shopperId: ShopperId, reservedAt: number): ListKey => ({
  listPk: walletPrefix + shopperId,
  listSk: sortableTime(reservedAt),
})

export const dueRefundsList = 'REFUNDS'
export const doneRefundsList = 'REFUNDED'
/** Refunds that the bank returned: no automatic request reads this list. */
export const stoppedRefundsList = 'REFUNDS-STOPPED'
export const refundListKey = (requestedAt: number, paymentId: string): ListKey => ({
  listPk: dueRefundsList,
  listSk: `${sortableTime(requestedAt)}#${paymentId}`,
})

export const pagesList = 'PAGES'
export const pageListKey = (requestedAt: number, paymentId: string): ListKey => ({
  listPk: pagesList,
  listSk: `${sortableTime(requestedAt)}#${paymentId}`,
})

export const dueAuthorisationsList = 'AUTHORISED'
export const doneAuthorisationsList = 'SETTLED'
export const authorisationListKey = (requestedAt: number, paymentId: string): ListKey => ({
  listPk: dueAuthorisationsList,
  listSk: `${sortableTime(requestedAt)}#${paymentId}`,
})

/** Formats a time in epoch ms with 15 digits: text order is time order up to the year 9999. */
export function sortableTime(time: number): string {
  return String(time).padStart(15, '0')
}
