/**
 * What a deployed process of the shop is connected to. A use case takes the members that it needs, its ports:
 * `Pick<ShopContext, …>`, with a name in `…Ports` where several share it, or where it needs more than a shop has.
 */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Brand } from '../../../core/brand.ts'
import type { OrderId, SaleId } from '../../../core/ids.ts'
import type { OrderMessage } from '../../../core/orders/order-message.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { Database } from '../../../core/stock/placement.ts'
import type { Commander, CommandSender, Stocks } from '../../../redis/command.ts'
import type { GateFacts } from '../../../redis/gate/gate.ts'
import type { ReadPublicJson } from '../http/public-http.ts'
import type { Sealer } from '../sealer.ts'
import type { Log, Telemetry } from '../telemetry.ts'
import type { ChargeLimits, PaymentProvider } from './payment-provider.ts'

export type ShopContext = {
  /** DynamoDB: the final word. Its stores are the functions of `functions/table/`. */
  table: Table
  /** The Redis databases of the stock, which decide who gets a unit. */
  stock: Stocks
  /** The Redis that the gate reads. */
  gate: Commander
  /** The public objects that browsers download. */
  site: Site
  /** The key-value store of the CloudFront Functions. */
  edgeStore: EdgeStore
  /** Publishes sales and the brand. */
  publisher: Publisher
  /** Publishes what is left of a sale, to its page and to the CloudFront Functions. */
  shopfront: Shopfront
  /** Sends order messages to their queue, many at once, and says how many it holds. */
  orderQueue: OrderQueue
  /** Order messages that could not be delivered. */
  deadOrders: DeadOrders
  /** Timers that could not be delivered. */
  deadTimers: DeadLetterRetry
  /** How many messages of all queues could not be delivered. */
  allDeadLetters: () => Promise<number>
  /** Where shoppers pay; money comes in. */
  provider: PaymentProvider
  /** What the provider charges in that currency. */
  chargeLimits: (currency: string) => ChargeLimits
  /** Whether shoppers can pay in the checkout of a shop: this stage signs reservations. */
  hasCheckout: boolean
  /** Whether pages on the machine of their reader may sell: this shop is on one machine itself. */
  allowsLoopback: boolean
  /** Payment pages that the provider opens in a second. */
  paymentPagesPerSecond: number
  /** The databases that stocks are placed in, as they are listed now. */
  databases: () => Promise<readonly Database[]>
  /** Undefined for a database that is not listed. */
  databaseNamed: (name: string) => Promise<CommandSender | undefined>
  /** Encrypts and opens what shoppers say of themselves, and the secrets that sign events. */
  sealer: Sealer
  /** The keys of `sealer`, the newest first. */
  personalKeys: readonly string[]
  /** Epoch ms. */
  clock: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** Runs `task` again and again until the returned function is called. */
  every: (milliseconds: number, task: () => void) => () => void
  /** An id that no one guesses and no call repeats. */
  newId: () => string
  /** A secret start token. */
  newToken: () => string
  /** Bytes that no one guesses. */
  randomBytes: (length: number) => Uint8Array
  /** Reads a JSON document that another company publishes. Throws a `NotReadable` that says why it could not. */
  readPublicJson: ReadPublicJson
  /** Whether this stage sends e-mails. */
  sendsMails: boolean
  /** Wakes `reconcile` for a sale. */
  wake: Wake
  /** Counts what operators watch. */
  meter: Telemetry['meter']
  log: Log
}

/** The ports for a change of the stock of a sale. */
export type StockPorts = Pick<ShopContext, 'stock' | 'table' | 'clock'>

/** The ports for a change of the facts that the gate reads. */
export type GatePorts = Pick<ShopContext, 'gate' | 'table' | 'clock'>

/** Both of it. */
export type StorePorts = StockPorts & GatePorts

/**
 * The table and client of this project. `writeTimeoutMs` is the longest one try of a transaction may take, and
 * `unitsPerCapPart` how many units a cap has in a part, where the usual ones do not suit.
 */
export type Table = {
  client: Pick<DynamoDBDocumentClient, 'send'>
  name: string
  writeTimeoutMs?: number
  unitsPerCapPart?: number
}

/** A public object that browsers download. */
export type SiteObject = { path: string; body: string; contentType: string; cacheControl: string }

/** Where public objects live. Every read sees the last write that was answered. */
export type Site = {
  read: (path: string) => Promise<string | undefined>
  put: (object: SiteObject) => Promise<void>
  /** Stores the object unless its path exists; `read` shows which of the two happened. */
  create: (object: SiteObject) => Promise<void>
  remove: (path: string) => Promise<void>
}

/** A version is never rewritten, so every cache may keep it for a year (C6). */
export const immutable = 'public, max-age=31536000, immutable'

/** The pointer: the CDN asks again after a second, a browser always, because the time in a kept answer is old. */
export const transient = 'public, max-age=0, s-maxage=1'

/** Pages change only when a marketer edits a sale; what moves on them comes from the pointer. */
export const pageCaching = 'public, max-age=30, s-maxage=60'

/** A value of each key to put, and undefined of each to delete; at most 50 keys. */
type EdgeChanges = ReadonlyMap<string, string | undefined>

/** Edge locations have a change some seconds later. Every call throws when the store does not answer. */
export type EdgeStore = {
  /** Identifies the state of the whole store. */
  etag: () => Promise<string>
  read: (key: string) => Promise<string | undefined>
  /** All of the changes or none; `conflict` when the store has changed since `etag`. */
  update: (etag: string, changes: EdgeChanges) => Promise<'updated' | 'conflict'>
}

/** Makes the state of the shop public. Every call may be repeated; `withdraw` is for a deleted sale, `firstIndex` for a shop without a page. */
export type Publisher = {
  countdown: (sale: Sale) => Promise<void>
  pointer: (saleId: SaleId) => Promise<unknown>
  page: (saleId: SaleId) => Promise<void>
  /** The index of the shop, after that sale changed, or because of the time that has passed. */
  index: (saleId?: SaleId) => Promise<void>
  /** What the CloudFront Functions know of the sale (edge-entries.ts). */
  edge: (saleId: SaleId, known?: GateFacts) => Promise<void>
  withdraw: (saleId: SaleId) => Promise<void>
  firstIndex: () => Promise<void>
  /** The colours of a brand that is about to be saved. */
  brandStyle: (brand: Brand) => Promise<void>
  /** All pages, with the brand as it is now. */
  brand: () => Promise<void>
  /** The pages that are the same for every sale, where they are outdated. */
  stablePages: () => Promise<void>
}

export type Shopfront = {
  /** Publishes the count of a sale again after it has changed; the units of `ended` orders have returned with the change. */
  refresh: (saleId: SaleId, ended?: number) => Promise<void>
}

export type DeadUnits = Pick<OrderMessage, 'shopperId' | 'quantity' | 'variant' | 'packet'>

export type OrderQueue = {
  /** Resolves with the error of each message, undefined where it is queued. */
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
  /** About how many orders are on their way. @throws when the queue does not answer */
  depth: () => Promise<QueueDepth>
}

/** `moved` went back to their queue. `missed` estimates those that were not received in time. */
type RedriveResult = { moved: number; missed: number }

/** Called with the sales of dead letters before these are sent to their queue again. */
export type BeforeRedrive = (saleIds: ReadonlySet<SaleId>) => Promise<void>

/**
 * The dead letters of a queue.
 * @throws when SQS does not answer; messages that were moved by then stay moved
 */
export type DeadLetterRetry = {
  /**
   * Sends those that were there, and may yet succeed, to their queue again, until `deadline` (epoch ms). Left out is
   * what was put aside because nothing can be made of it, and what came back after three such tries.
   */
  retry: (deadline: number, before: BeforeRedrive) => Promise<RedriveResult>
}

/** Order messages that could not be delivered. */
export type DeadOrders = DeadLetterRetry & {
  /** Their orders, shoppers and units; undefined when not all could be looked at. @throws when SQS does not answer */
  units: () => Promise<ReadonlyMap<OrderId, DeadUnits> | undefined>
}

/** About how many messages a queue holds. */
export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/** The number of messages in all these states. */
export function messagesIn({ visible, inFlight, delayed }: QueueDepth): number {
  return visible + inFlight + delayed
}

/**
 * Asks `reconcile` to look at a sale at once; with `begins` also to tick, because the sale sells before the next run of
 * the schedule. It never throws: that run finds what a lost message was about.
 */
export type Wake = (saleId: SaleId, begins?: boolean) => Promise<void>
