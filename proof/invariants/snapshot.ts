/**
 * A sale at one moment, as the shoppers and every store have it. Rush, simulation and smoke test each read it in
 * their own way. A part that is absent was not read, and no invariant that needs it is checked.
 */
import type { Order } from '../../core/orders/order.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'

export type SaleSnapshot = {
  sale: SaleTerms
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
export type SaleTerms = {
  kind: SaleKind
  stock: number
  limitPerShopper: number
  variants?: readonly { id: string; stock: number }[] | undefined
}

/** An order of the table. Its life and its money are checked where they were read. */
export type SnapshotOrder = Pick<Order, 'quantity' | 'status'> &
  Partial<Pick<Order, 'amount' | 'variant' | 'history' | 'payBy' | 'payment' | 'reason' | 'refunds' | 'shipment'>> & {
    orderId: string
    shopperId: string
    coupons?: readonly string[] | undefined
  }

/**
 * An order that a shopper was answered, with the units of every answer: several only where Redis was rolled back.
 * `variant` is empty in a sale without variants, undefined where no answer has said it. `mayEnd`: it may have ended since; `mayBeMissing`:
 * Redis lost it while it was recorded nowhere else; `mayBeRejected`: that reservation may be more than there was.
 */
export type AnsweredOrder = {
  orderId: string
  shopperId: string
  units: readonly { quantity: number; variant?: string | undefined }[]
  mayEnd?: boolean
  mayBeMissing?: boolean
  mayBeRejected?: (order: SnapshotOrder) => boolean
}

/** `total` is -1 for an unlimited stock, and with units that no shard of a split stock has yet. */
export type RedisUnits = {
  total: number
  booked: number
  outbox: number
  /** The units of each order; absent where they cannot be read. */
  holds?: readonly { orderId: string; shopperId: string; quantity: number; variant?: string | undefined }[]
  variants?: Readonly<Record<string, { total: number; left: number }>> | undefined
  /** The shards of a split stock, each with what it may sell by the escrow. */
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

/** The units left on the page; `refused` is their number in the answer to a late shopper. */
type ShownUnits = {
  left?: number | undefined
  variants?: Readonly<Record<string, number>> | undefined
  refused?: number | undefined
}

/** Messages on their way; NaN is unknown. `unseen` are orders that their shopper asked for and was not shown. */
type Arrivals = { queued: number; deadLetters: number; unseen: readonly string[] }

/**
 * The money of one payment in minor units. `authorised` is reserved on the shopper's account until it is captured
 * or `isReleased`; `received` and `refunded` are what really moved.
 */
export type PaymentAccount = {
  paymentId: string
  authorised: number
  isReleased: boolean
  received: number
  refunded: number
}

/** Packets have their public ids everywhere, and amounts are in minor units. */
export type PacketAmount = { packetId: string; amount: number }

/** A packet and its owner. */
export type OwnedPacket = PacketAmount & { shopperId: string }

export type PacketSnapshot = {
  /** How many packets the sale has, of which `loaded` by now, and what all of them hold. */
  count: number
  loaded?: number
  totalAmount: number
  redis?: PacketsInRedis
  table: PacketsInTable
  /** The amount of each packet that is loaded by now, by the seed of the split. */
  amounts?: ReadonlyMap<string, number>
  answered?: readonly AnsweredPacket[]
}

/** A claim that a shopper was answered. `mayBeMissing`: Redis lost it, or the table rejected it for that reason. */
export type AnsweredPacket = OwnedPacket & { currency: string; mayBeMissing?: boolean }

/**
 * `total` packets of which `loaded` were ever loaded, the `waiting` ones and the claimed ones. After the end of a
 * sale, `isCleared`, none wait.
 */
export type PacketsInRedis = {
  total: number
  loaded: number
  waiting: PacketAmount[]
  claims: OwnedPacket[]
  outbox: number
  isCleared?: boolean
}

/** The credits in the wallets and the owners of packets, both of the sale. */
export type PacketsInTable = {
  credits: (OwnedPacket & { currency: string })[]
  owners: OwnedPacket[]
  cap: { remaining: number; sold: number; orders: number; budget: number; claimed: number }
}
