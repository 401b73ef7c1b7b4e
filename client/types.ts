/**
 * What the API answers, as this client reads it. Times are epoch ms, amounts minor units of their currency. An answer
 * may have more members than these: a newer shop adds some.
 */

/** The public state of a sale. `remaining` is -1 for an unlimited stock. */
export type Pointer = {
  saleId: string
  version: number
  at: number
  phase: 'draft' | 'scheduled' | 'open' | 'paused' | 'held-back' | 'sold-out' | 'ended'
  startsAt: number
  endsAt: number
  nextStartsAt: number | null
  src: string
  remaining: number
  variants?: Readonly<Record<string, number>>
}

/**
 * What a page of another site shows of a sale that it may sell. `titles` are those of single languages, by their codes;
 * `digits` is how many digits of `price` are behind the point. `onPage`: a shopper can buy on
 * the shop's own page alone, which asks for more than a click.
 */
export type Product = {
  title: string
  titles?: Readonly<Record<string, string>>
  price: number
  currency: string
  digits: number
  onPage?: true
}

/**
 * `startToken` is there once the marketer has started the sale: what a click sends, another one from the start on
 * (`started`). `product` is there where the sale names pages of other sites.
 */
export type Countdown = {
  saleId: string
  version: number
  started: boolean
  startsAt: number
  endsAt: number
  requirePass?: 'on' | 'off'
  spreadSeconds?: number
  turnKey?: string
  earlyMinutes?: number
  startToken?: string
  product?: Product
}

export type OrderStatus =
  | 'reserved'
  | 'awaiting-payment'
  | 'paid'
  | 'fulfilled'
  | 'cancelled'
  | 'rejected'
  | 'refund-due'
  | 'refunded'
  | 'shipped'
  | 'delivered'

/** What is to be paid. `delivery` is null until the country is known. */
export type Bill = { goods: number; delivery: number | null; total: number }

/** An order as its shopper sees it. `payBy` is null while there is nothing to pay. */
export type Order = {
  orderId: string
  orderNumber?: string
  saleId: string
  quantity: number
  variant?: string
  amount: number
  currency: string
  status: OrderStatus
  reservedAt: number
  payBy: number | null
  payment?: 'started' | 'succeeded' | 'failed'
  refundedAmount?: number
  refund?: 'refund-due' | 'refunded'
  reason?: string
  coupons?: readonly string[]
  redeemed?: readonly string[]
  validFrom?: number
  validUntil?: number
  shipment?: { carrier: string; tracking?: string; link?: string }
  delivery?: 'missing' | 'stored'
  bill?: Bill
  history: readonly { at: number; what: string; status: OrderStatus }[]
}

/** `next` is the `after` of the following page, null on the last. */
export type OrderPage = { orders: readonly Order[]; next: string | null }

/** Why the shop refuses (RFC 9457). Decide by `code`, which is stable; `detail` is for people. */
export type Problem = {
  type: string
  title: string
  status: number
  code: string
  detail: string
  field?: string
  fields?: readonly string[]
  remaining?: number
  variant?: string
  retryAfterSeconds?: number
  now?: number
  lookup?: string
  reason?: string
  values?: Readonly<Record<string, string | number>>
  roles?: readonly string[]
}

/** `credits` are the newest 100, newest first; `balances` include all. */
export type Wallet = {
  balances: readonly { amount: number; currency: string }[]
  credits: readonly {
    saleId: string
    packetId: string
    amount: number
    currency: string
    claimedAt: number
    creditedAt: number
  }[]
}
