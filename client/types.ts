/**
 * The answers of the API. Times are epoch ms, amounts are minor units of their currency. A newer shop may add members.
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
 * The product of a sale that pages of other sites may sell. `titles` has the title by language code. `digits` counts the
 * decimals of `price`. `onPage`: the sale asks for more than a click, so a shopper can only buy on the shop's own page.
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
 * Each click sends `startToken`, which exists once the marketer has started the sale. It changes at the start
 * (`started`). `product` exists if the sale names pages of other sites.
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

/** The amount due. `delivery` is null until the country is known. */
export type Bill = { goods: number; delivery: number | null; total: number }

/** An order as its shopper sees it. `payBy` is null while no payment is due. */
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

/** `next` is the `after` of the next page; null on the last page. */
export type OrderPage = { orders: readonly Order[]; next: string | null }

/** A refusal (RFC 9457). Branch on `code`, which is stable; `detail` is for people. */
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
