/** The answers of the calls of `/api/control`. Times are epoch ms. */
import * as z from 'zod/mini'
import { brandRecord } from '../brand.ts'
import { parseOrderId, parseSaleId, parseShopperId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { optionStaffOperations } from '../options.ts'
import { disputeStates, orderReasons, orderStatuses, paymentStates } from '../orders/order.ts'
import { customerIssuerView } from '../people/customer-issuer.ts'
import { roles } from '../roles.ts'
import { phases } from '../sale/phase.ts'
import { sale } from '../sale/sale.ts'
import { isVariantId } from '../sale/variants.ts'
import { blockEntry, blocksImported, blockView } from './blocks.ts'
import { type ControlCall, controlRoutes } from './control-routes.ts'
import { foundShopper } from './found-shopper.ts'
import { systemHealth } from './health.ts'
import type { Operation } from './operation.ts'
import { listAnswer, orderNumber, shipmentView } from './operation-parts.ts'
import { erasedPerson, personData } from './own-data.ts'
import { pictureUpload, storedPicture } from './pictures.ts'
import { placedOrderResult } from './placed-order.ts'
import { shippedLine } from './shipment-lines.ts'

const count = z.number()
/** May be a fraction. */
const ratio = z.number()
const saleId = readBy(parseSaleId, 'must be a sale id')
const shopperId = readBy(parseShopperId, 'must be a shopper id')
const orderId = readBy(parseOrderId, 'must be an order id')

/**
 * The numbers of a sale in a list: units `sold`, units `left` (-1 for an unlimited stock), orders `paid` and their amount
 * (`revenue`, minor units; for red packets the claimed amount). While the sale is open, `out` counts admitted requests
 * without an outcome and `full` counts requests that were rejected because no place was free. A number that does not
 * exist or is unknown is null. `redrivenAt` (epoch ms) is when dead letters of the sale were last sent again, absent if
 * never.
 */
const saleNumbers = z.object({
  sold: count,
  left: z.nullable(count),
  paid: z.nullable(count),
  revenue: z.nullable(count),
  out: z.nullable(count),
  full: z.nullable(count),
  redrivenAt: z.optional(count),
})

/**
 * One page of sales, the latest start first; `next` is the `after` of the next page, null on the
 * last. `numbers` has the numbers by sale id, if the caller requested them.
 */
const salesPage = z.object({
  sales: z.readonly(z.array(sale)),
  numbers: z.optional(z.record(z.string(), saleNumbers)),
  next: z.nullable(z.string()),
})

/** The components that provide live numbers: the stock, the queues, the gate's store. */
export const components = ['redis', 'sqs', 'gate'] as const

/**
 * One shard of a split stock and its database. `granted` units are what the escrow lets it sell. `booked` and `left` are
 * null while the shard cannot be read. `frozen`: it is being recovered. `missing`: its data was lost.
 */
const liveShard = z.object({
  database: z.string(),
  state: z.enum(['selling', 'frozen', 'missing', 'unreachable']),
  granted: count,
  booked: z.nullable(count),
  left: z.nullable(count),
})

/** The payments of a sale of goods, in minor units of its currency; `live` explains the fields. */
const paid = z.object({
  orders: count,
  disputed: count,
  returned: count,
  amount: count,
  disputedAmount: count,
  refunded: count,
})

/**
 * `stock` is null without a stock in Redis; `available` and `total` are -1 for an unlimited one.
 * `heldBack` of the `booked` units are kept after a recovery for orders that may still arrive.
 *
 * `unavailable` names the components that did not answer; their numbers are null, because this answer is needed most
 * during an outage. `inStep` is true when Redis and the gate have every field of the sale as the table has it; if false,
 * repeat the last action. `frozen`: the sale is being recovered and sells nothing.
 *
 * `split` describes a stock over several databases: the `pool` of units that no shard has yet, and each shard.
 *
 * `drift` is how many units Redis has booked beyond written orders, null while orders are on their way. `deadLetters`
 * counts the messages of all queues. `admissions` counts the requests that the gate may still admit (-1 for any number)
 * and those without a known outcome (`out`); `rate` is how many it admits in a second, null before it was published.
 *
 * `demand` counts the requests for units that reached the gate, those that the stock decided, those that got units, and
 * the others by reason. It is some seconds old, and excludes requests that CloudFront rejects before the gate. It is null
 * when the gate's store does not answer.
 *
 * `variants` has the units of each variant by its id, if the sale has variants and its stock could be read.
 *
 * `soldOut` has for each window how long after its opening it sold out, in ms rounded down to tenths of a second. It is
 * null for a window that is not sold out, and until the orders of all units are written.
 *
 * `paid`, for goods, counts the paid orders and their amount (revenue, minor units). Orders whose payment is `disputed` or
 * lost at the bank, and shipped orders whose whole amount went back (`returned`), are counted apart. `refunded` is the
 * amount that went back. `redeemed`, for coupons, counts redeemed codes.
 *
 * `money`, for red packets, in minor units: the budget, the credited amount, the amount left, and the amount that was
 * returned after the end, null before.
 */
const live = z.object({
  sale,
  phase: z.enum(phases),
  inStep: z.boolean(),
  frozen: z.boolean(),
  stock: z.nullable(z.object({ total: count, booked: count, heldBack: count, available: count })),
  variants: z.optional(z.record(z.string(), z.object({ total: count, left: count, booked: count }))),
  split: z.nullable(z.object({ pool: count, shards: z.readonly(z.array(liveShard)) })),
  orders: z.object({ sold: count, orders: count }),
  drift: z.nullable(count),
  outbox: z.nullable(count),
  queue: z.nullable(z.object({ visible: count, inFlight: count, delayed: count })),
  deadLetters: z.nullable(count),
  admissions: z.nullable(z.object({ remaining: count, out: count, rate: z.nullable(ratio) })),
  soldOut: z.readonly(z.array(z.nullable(count))),
  demand: z.nullable(
    z.object({
      asked: count,
      decided: count,
      won: count,
      refused: z.readonly(z.array(z.object({ reason: z.string(), count }))),
    }),
  ),
  paid: z.nullable(paid),
  redeemed: z.nullable(count),
  money: z.nullable(z.object({ budget: count, claimed: count, left: count, returned: z.nullable(count) })),
  unavailable: z.readonly(z.array(z.enum(components))),
  now: count,
})

const column = z.readonly(z.array(z.nullable(count)))

/** Times (`at`, epoch seconds) and the counts at each of them; `core/sale/series.ts` explains the counts. */
const columns = z.object({
  at: z.readonly(z.array(count)),
  ...{ taken: column, left: column, asked: column, admitted: column, won: column },
  ...{ soldOut: column, full: column, closed: column, limited: column, checked: column, other: column },
})

/** The `seconds` of the last hour, and a day of `minutes`; `next` is the `before` of the day before it, null without one. */
const series = z.object({ seconds: columns, minutes: columns, next: z.nullable(count) })

const facts = z.nullable(z.record(z.string(), z.unknown()))

/**
 * An entry of the audit log. `role` is the role that allowed the change, absent for changes by the system. `what` is an
 * `AuditAction` of the version that wrote the entry. `saleId` is null if the change concerns no sale, such as one of the
 * block list. `before` is null for something new, `after` for something removed.
 */
export const auditEntry = z.object({
  who: z.string(),
  role: z.optional(z.enum(roles)),
  what: z.string(),
  saleId: z.nullable(saleId),
  when: count,
  before: facts,
  after: facts,
  requestId: z.string(),
})

/** A shard that moved because its database did not answer; `from` and `to` are names of databases. */
const movedShard = z.object({ shard: count, from: z.string(), to: z.string() })

/** The units that were rebuilt in Redis: `orders` hold `units`; `heldBack` more are kept for late messages. */
const recovery = z.object({
  sale,
  orders: count,
  units: count,
  heldBack: count,
  movedShards: z.readonly(z.array(movedShard)),
})

/**
 * The result of comparing Redis with the table. `drift` is booked − sold before the repair, null when unknown. `holds` is
 * null when the counters agreed, so that no hold was compared. `released` counts orders whose release was still due.
 */
const findings = z.object({
  state: z.enum(['in-step', 'repaired', 'to-recover']),
  resent: count,
  waiting: count,
  oldestAgeMs: count,
  givenUp: count,
  drift: z.nullable(count),
  holds: z.nullable(z.object({ restored: count, released: count, lost: count, overdue: count })),
  released: count,
})

/**
 * Each database with the sales that have their stock there and are not over. `share` is the part of its capacity that
 * they would use together if each sold out within one second. `isBig`: the sale alone would use more than all of it.
 */
const databases = z.object({
  databases: z.readonly(
    z.array(
      z.object({
        name: z.string(),
        commandsPerSecond: count,
        share: ratio,
        sales: z.readonly(z.array(z.object({ sale, isBig: z.boolean() }))),
      }),
    ),
  ),
})

/**
 * The order after the refund. `refund` is the amount that is sent back now, null if there is none; `reference` is the
 * provider's id of the payment.
 */
const refunded = z.object({
  orderId,
  saleId,
  status: z.enum(orderStatuses),
  reason: z.optional(z.enum(orderReasons)),
  refund: z.nullable(
    z.object({ paymentId: z.string(), amount: count, currency: z.string(), reference: z.optional(z.string()) }),
  ),
})

/**
 * An order as support sees it. `amount` is the amount due, or the amount of a red packet; it includes `deliveryCost`.
 * `payBy` is null unless a payment is due. `payment` is the latest one, null before the first: `product` is the text on the
 * provider's page in `language`, `reference` the provider's id. A refund owes `amount`, of which `returned` has been sent
 * back; `failedAt` is when the bank returned it.
 */
const foundOrder = z.object({
  orderId,
  orderNumber: z.optional(orderNumber),
  saleId,
  shopperId,
  quantity: count,
  variant: z.optional(z.custom<string>(isVariantId, 'must be the id of a variant')),
  amount: count,
  deliveryCost: z.optional(count),
  currency: z.string(),
  status: z.enum(orderStatuses),
  reason: z.optional(z.enum(orderReasons)),
  reservedAt: count,
  writtenAt: count,
  payBy: z.nullable(count),
  payment: z.nullable(
    z.object({
      ...{ paymentId: z.string(), attempt: count, startedAt: count, state: z.enum(paymentStates) },
      ...{ product: z.optional(z.string()), language: z.optional(z.string()), reference: z.optional(z.string()) },
      inShop: z.optional(z.literal(true)),
    }),
  ),
  refunds: z.readonly(
    z.array(
      z.object({
        ...{ paymentId: z.string(), amount: count, currency: z.string(), returned: count },
        failedAt: z.optional(count),
      }),
    ),
  ),
  coupons: z.optional(z.object({ issued: count, redeemed: count })),
  shipment: z.optional(shipmentView),
  dispute: z.optional(z.object({ paymentId: z.string(), state: z.enum(disputeStates), at: count })),
  history: z.readonly(z.array(z.object({ at: count, what: z.string(), status: z.enum(orderStatuses) }))),
})

/** The newest first; `next` is the `after` of the following page, null on the last. */
const ordersPage = z.object({ orders: z.readonly(z.array(foundOrder)), next: z.nullable(z.string()) })

/** The first page of a search with `shopper` has `shopper`, or `shoppers` if several have the email address. */
const foundOrders = z.extend(ordersPage, {
  shopper: z.optional(foundShopper),
  shoppers: z.optional(z.readonly(z.array(shopperId))),
})

/** Dead letters that were sent again, and about how many are left. */
const redriven = z.object({ moved: count, left: count })

const csv = { media: 'text/csv', answer: z.string() } as const

/**
 * The caller: the id and the roles that the gate has read from the session. Pages show only what the roles allow.
 */
const me = z.object({ who: z.string(), roles: z.readonly(z.array(z.enum(roles))) })

/** `failed`: sales that may still be open. */
const pausedSales = z.object({ paused: z.array(saleId), failed: z.array(saleId) })

/** `failed`: sales that may still be paused. */
const resumedSales = z.object({ resumed: z.array(saleId), failed: z.array(saleId) })

export const controlApi = {
  whoAmI: { ...controlRoutes.whoAmI, answer: me },
  listSales: { ...controlRoutes.listSales, answer: salesPage },
  createSale: { ...controlRoutes.createSale, status: 201, answer: sale },
  getSale: { ...controlRoutes.getSale, answer: sale },
  editSale: { ...controlRoutes.editSale, answer: sale },
  deleteSale: { ...controlRoutes.deleteSale, answer: sale },
  warm: { ...controlRoutes.warm, answer: sale },
  start: { ...controlRoutes.start, answer: sale },
  pause: { ...controlRoutes.pause, answer: sale },
  resume: { ...controlRoutes.resume, answer: sale },
  close: { ...controlRoutes.close, answer: sale },
  changeStock: { ...controlRoutes.changeStock, answer: z.object({ total: count, booked: count }) },
  reserveOrder: { ...controlRoutes.reserveOrder, answer: placedOrderResult },
  ship: { ...controlRoutes.ship, answer: z.object({ lines: z.readonly(z.array(shippedLine)) }) },
  beginPicture: { ...controlRoutes.beginPicture, status: 201, answer: pictureUpload },
  finishPicture: { ...controlRoutes.finishPicture, answer: storedPicture },
  pauseAll: { ...controlRoutes.pauseAll, answer: pausedSales },
  resumeAll: { ...controlRoutes.resumeAll, answer: resumedSales },
  recover: { ...controlRoutes.recover, answer: recovery },
  reconcile: { ...controlRoutes.reconcile, answer: findings },
  getLive: { ...controlRoutes.getLive, answer: live },
  getSeries: { ...controlRoutes.getSeries, answer: series },
  getOrders: { ...controlRoutes.getOrders, ...csv },
  getCoupons: { ...controlRoutes.getCoupons, ...csv },
  getPackets: { ...controlRoutes.getPackets, ...csv },
  listAllOrders: { ...controlRoutes.listAllOrders, answer: ordersPage },
  findOrders: { ...controlRoutes.findOrders, answer: foundOrders },
  exportPerson: { ...controlRoutes.exportPerson, answer: personData },
  erasePerson: { ...controlRoutes.erasePerson, answer: erasedPerson },
  refund: { ...controlRoutes.refund, answer: refunded },
  settleRefund: { ...controlRoutes.settleRefund, answer: refunded },
  redrive: { ...controlRoutes.redrive, answer: redriven },
  /** From `rotatedAt`, epoch ms, the gate knows new keys only, at every instance within two seconds. */
  rotatePassKeys: { ...controlRoutes.rotatePassKeys, answer: z.object({ rotatedAt: count }) },
  getHealth: { ...controlRoutes.getHealth, answer: systemHealth },
  listDatabases: { ...controlRoutes.listDatabases, answer: databases },
  listBlocks: { ...controlRoutes.listBlocks, answer: listAnswer('entries', blockEntry) },
  importBlocks: { ...controlRoutes.importBlocks, answer: blocksImported },
  block: { ...controlRoutes.block, answer: blockEntry },
  unblock: { ...controlRoutes.unblock, answer: blockView },
  getBrand: { ...controlRoutes.getBrand, answer: brandRecord },
  changeBrand: { ...controlRoutes.changeBrand, answer: brandRecord },
  listCustomerIssuers: { ...controlRoutes.listCustomerIssuers, answer: listAnswer('issuers', customerIssuerView) },
  saveCustomerIssuer: { ...controlRoutes.saveCustomerIssuer, answer: customerIssuerView },
  deleteCustomerIssuer: { ...controlRoutes.deleteCustomerIssuer, answer: z.object({ name: z.string() }) },
  /** The changes of one day, newest first. */
  getAudit: {
    ...controlRoutes.getAudit,
    answer: z.object({ day: z.string(), entries: z.readonly(z.array(auditEntry)) }),
  },
  ...optionStaffOperations,
} as const satisfies Record<ControlCall, Operation>

export type Me = z.infer<typeof me>
export type Component = (typeof components)[number]
export type Live = z.infer<typeof live>
export type SaleNumbers = z.infer<typeof saleNumbers>
export type SaleSeries = z.infer<typeof series>
export type SalesPage = z.infer<typeof salesPage>
export type AuditRow = z.infer<typeof auditEntry>
export type DatabaseList = z.infer<typeof databases>
export type BlockEntry = z.infer<typeof blockEntry>
export type Recovery = z.infer<typeof recovery>
export type Findings = z.infer<typeof findings>
export type Refunded = z.infer<typeof refunded>
export type FoundOrder = z.infer<typeof foundOrder>
export type FoundOrders = z.infer<typeof foundOrders>
export type PausedSales = z.infer<typeof pausedSales>
export type ResumedSales = z.infer<typeof resumedSales>
export type Redriven = z.infer<typeof redriven>
