/**
 * The context of a deployed process: everything that it is connected to. A use case takes the members that it needs, its
 * ports: `Pick<ShopContext, …>`, or a type `…Ports` that several share or that needs more than the context has.
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
  /** DynamoDB, the source of truth. `functions/table/` reads and writes it. */
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
  /** Publishes the remaining units of a sale to its page and to the CloudFront Functions. */
  shopfront: Shopfront
  /** Sends order messages to their queue in bulk, and counts the messages that it holds. */
  orderQueue: OrderQueue
  /** Order messages that could not be delivered. */
  deadOrders: DeadOrders
  /** Timers that could not be delivered. */
  deadTimers: DeadLetterRetry
  /** Counts the undelivered messages of all queues. */
  allDeadLetters: () => Promise<number>
  /** The payment provider. */
  provider: PaymentProvider
  /** Returns the amounts that the provider charges in a currency. */
  chargeLimits: (currency: string) => ChargeLimits
  /** True when shoppers can pay in a shop's own checkout: this stage signs reservations. */
  hasCheckout: boolean
  /** True when pages on the reader's own machine may sell, because this shop runs on one machine. */
  allowsLoopback: boolean
  /** Payment pages that the provider opens per second. */
  paymentPagesPerSecond: number
  /** Lists the databases of the stock. */
  databases: () => Promise<readonly Database[]>
  /** Resolves with undefined for a database that is not listed. */
  databaseNamed: (name: string) => Promise<CommandSender | undefined>
  /** Encrypts and decrypts personal data of shoppers, and the secrets that sign events. */
  sealer: Sealer
  /** The keys of `sealer`, the newest first. */
  personalKeys: readonly string[]
  /** Epoch ms. */
  clock: () => number
  sleep: (milliseconds: number) => Promise<void>
  /** Runs `task` periodically until the returned function is called. */
  every: (milliseconds: number, task: () => void) => () => void
  /** Returns an unguessable, unique id. */
  newId: () => string
  /** Returns a secret start token. */
  newToken: () => string
  /** Returns unguessable bytes. */
  randomBytes: (length: number) => Uint8Array
  /** Reads a JSON document that another company publishes. @throws NotReadable */
  readPublicJson: ReadPublicJson
  /** True when this stage sends emails. */
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

/** The ports for a change of both. */
export type StorePorts = StockPorts & GatePorts

/**
 * The DynamoDB table. `writeTimeoutMs` limits one try of a transaction, and `unitsPerCapPart` sets the units in a part of a
 * cap, where the defaults do not suit.
 */
export type Table = {
  client: Pick<DynamoDBDocumentClient, 'send'>
  name: string
  writeTimeoutMs?: number
  unitsPerCapPart?: number
}

/** A public object that browsers download. */
export type SiteObject = { path: string; body: string; contentType: string; cacheControl: string }

/** The store of public objects. A read sees every write that was answered before. */
export type Site = {
  read: (path: string) => Promise<string | undefined>
  put: (object: SiteObject) => Promise<void>
  /** Stores the object unless its path exists; `read` shows what was stored. */
  create: (object: SiteObject) => Promise<void>
  remove: (path: string) => Promise<void>
}

/** A version is never rewritten, so every cache may keep it for a year (C6). */
export const immutable = 'public, max-age=31536000, immutable'

/** The pointer: the CDN revalidates it after a second, a browser always, because the time in a cached answer is old. */
export const transient = 'public, max-age=0, s-maxage=1'

/** Pages change only when a marketer edits a sale; their live values come from the pointer. */
export const pageCaching = 'public, max-age=30, s-maxage=60'

/** The value of each key to put, and undefined for each key to delete; at most 50 keys. */
type EdgeChanges = ReadonlyMap<string, string | undefined>

/** Edge locations see a change some seconds later. Every call throws when the store does not answer. */
export type EdgeStore = {
  /** Identifies the state of the whole store. */
  etag: () => Promise<string>
  read: (key: string) => Promise<string | undefined>
  /** Applies all of the changes or none; resolves with `conflict` when the store has changed since `etag`. */
  update: (etag: string, changes: EdgeChanges) => Promise<'updated' | 'conflict'>
}

/** Publishes the state of the shop. Every call is repeatable. `withdraw` is for a deleted sale, `firstIndex` for a new shop. */
export type Publisher = {
  countdown: (sale: Sale) => Promise<void>
  pointer: (saleId: SaleId) => Promise<unknown>
  page: (saleId: SaleId) => Promise<void>
  /** Publishes the index of the shop, after a change of `saleId` or after some time has passed. */
  index: (saleId?: SaleId) => Promise<void>
  /** Publishes the entries of the sale for the CloudFront Functions (edge-entries.ts). */
  edge: (saleId: SaleId, known?: GateFacts) => Promise<void>
  withdraw: (saleId: SaleId) => Promise<void>
  firstIndex: () => Promise<void>
  /** Publishes the colours of a brand before it is saved. */
  brandStyle: (brand: Brand) => Promise<void>
  /** Publishes all pages with the current brand. */
  brand: () => Promise<void>
  /** Publishes the pages that all sales share, when they are outdated. */
  stablePages: () => Promise<void>
}

export type Shopfront = {
  /** Publishes the count of a sale after a change that returned the units of `ended` orders. */
  refresh: (saleId: SaleId, ended?: number) => Promise<void>
}

export type DeadUnits = Pick<OrderMessage, 'shopperId' | 'quantity' | 'variant' | 'packet'>

export type OrderQueue = {
  /** Resolves with the error of each message, undefined where it is queued. */
  sendAll: (messages: readonly OrderMessage[]) => Promise<readonly (Error | undefined)[]>
  /** Estimates how many orders are queued. @throws when the queue does not answer */
  depth: () => Promise<QueueDepth>
}

/** `moved` counts messages that were sent to their queue. `missed` estimates those that were not received in time. */
type RedriveResult = { moved: number; missed: number }

/** Receives the sales of dead letters before these are redriven. */
export type BeforeRedrive = (saleIds: ReadonlySet<SaleId>) => Promise<void>

/** @throws when SQS does not answer; messages that were already moved stay moved */
export type DeadLetterRetry = {
  /**
   * Sends the dead letters of a queue to that queue again, until `deadline` (epoch ms). Skips messages that were
   * dead-lettered as invalid, and messages that failed after three such tries.
   */
  retry: (deadline: number, before: BeforeRedrive) => Promise<RedriveResult>
}

/** Order messages that could not be delivered. */
export type DeadOrders = DeadLetterRetry & {
  /** Returns their orders, shoppers and units; undefined when not all could be read. @throws when SQS does not answer */
  units: () => Promise<ReadonlyMap<OrderId, DeadUnits> | undefined>
}

/** The approximate number of messages in a queue. */
export type QueueDepth = { visible: number; inFlight: number; delayed: number }

/** Adds up the messages in all states. */
export function messagesIn({ visible, inFlight, delayed }: QueueDepth): number {
  return visible + inFlight + delayed
}

/**
 * Wakes `reconcile` for a sale; with `begins` also for a tick, because the sale starts before the next scheduled run.
 * Never throws: the scheduled run does the work of a lost message.
 */
export type Wake = (saleId: SaleId, begins?: boolean) => Promise<void>
