/**
 * The state of a sale at one moment, as its shoppers and every store see it. Rush, simulation and smoke test each read
 * it in their own way. An absent part was not read, and the invariants that need it are skipped.
 */
import type { Order } from '../../core/orders/order.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'

export type ObservedSale = {
  sale: ObservedTerms
  orders: readonly SnapshotOrder[]
  answered?: readonly AnsweredOrder[]
  redis?: RedisUnits
  table?: TableUnits
  shown?: ShownUnits
  arrivals?: Arrivals
  /** The payments as their provider has them. */
  payments?: readonly PaymentAccount[]
  /** In place of orders and units, for a sale of red packets. */
  packets?: PacketSnapshot
}

/** The stock is -1 for unlimited units. */
export type ObservedTerms = {
  kind: SaleKind
  stock: number
  limitPerShopper: number
  variants?: readonly { id: string; stock: number }[] | undefined
}

/** An order of the table. Its history and its money are checked when they are present. */
export type SnapshotOrder = Pick<Order, 'quantity' | 'status'> &
  Partial<Pick<Order, 'amount' | 'variant' | 'history' | 'payBy' | 'payment' | 'reason' | 'refunds' | 'shipment'>> & {
    orderId: string
    shopperId: string
    coupons?: readonly string[] | undefined
  }

/**
 * An order from an answer to a shopper, with the units of every answer: several only after a rollback of Redis.
 * `variant` is empty in a sale without variants, undefined when no answer named it. `mayEnd`: it may have ended since.
 * `mayBeMissing`: Redis lost it before it was recorded elsewhere. `mayBeRejected`: the reservation may exceed the
 * stock.
 */
export type AnsweredOrder = {
  orderId: string
  shopperId: string
  units: readonly { quantity: number; variant?: string | undefined }[]
  mayEnd?: boolean
  mayBeMissing?: boolean
  mayBeRejected?: (order: SnapshotOrder) => boolean
}

/** `total` is -1 for an unlimited stock, and includes units that no shard of a split stock has yet. */
export type RedisUnits = {
  total: number
  booked: number
  outbox: number
  /** The units of each order; absent when they cannot be read. */
  holds?: readonly { orderId: string; shopperId: string; quantity: number; variant?: string | undefined }[]
  variants?: Readonly<Record<string, { total: number; left: number }>> | undefined
  /** The shards of a split stock; `granted` is what the escrow granted each. */
  shards?: readonly { total: number; granted: number }[]
}

/** The cap, and the totals of each shopper in the table. `remaining` is -1 for an unlimited stock. */
export type TableUnits = {
  remaining?: number
  sold: number
  orders: number
  variants?: Readonly<Record<string, { left: number; sold: number }>> | undefined
  buyers?: ReadonlyMap<string, number>
}

/** The units left as shown on the page; `refused` is the number in the answer to a late shopper. */
type ShownUnits = {
  left?: number | undefined
  variants?: Readonly<Record<string, number>> | undefined
  refused?: number | undefined
}

/** Messages in the queues; NaN is unknown. `unseen` are orders that their shopper requested and was not shown. */
type Arrivals = { queued: number; deadLetters: number; unseen: readonly string[] }

/**
 * The money of one payment in minor units. `authorised` is reserved on the shopper's account until it is captured or
 * `isReleased`; `received` and `refunded` are the amounts that moved.
 */
export type PaymentAccount = {
  paymentId: string
  authorised: number
  isReleased: boolean
  received: number
  refunded: number
}

/** `packetId` is the public id of the packet; amounts are in minor units. */
export type PacketAmount = { packetId: string; amount: number }

export type OwnedPacket = PacketAmount & { shopperId: string }

export type PacketSnapshot = {
  /**
   * The number of packets of the sale, and the sum of their amounts (`totalAmount`); `loaded` of them are loaded by
   * now.
   */
  count: number
  loaded?: number
  totalAmount: number
  redis?: PacketsInRedis
  table: PacketsInTable
  /** The amount of each loaded packet, computed from the seed of the split. */
  amounts?: ReadonlyMap<string, number>
  answered?: readonly AnsweredPacket[]
}

/** A claim from an answer to a shopper. `mayBeMissing`: Redis lost it, or the table rejected it because of that loss. */
export type AnsweredPacket = OwnedPacket & { currency: string; mayBeMissing?: boolean }

/**
 * `loaded` of the `total` packets were loaded so far; each is waiting or claimed. After the end of a sale (`isCleared`)
 * none wait.
 */
export type PacketsInRedis = {
  total: number
  loaded: number
  waiting: PacketAmount[]
  claims: OwnedPacket[]
  outbox: number
  isCleared?: boolean
}

/** The credits in the wallets and the owners of packets, for one sale. */
export type PacketsInTable = {
  credits: (OwnedPacket & { currency: string })[]
  owners: OwnedPacket[]
  cap: { remaining: number; sold: number; orders: number; budget: number; claimed: number }
}
