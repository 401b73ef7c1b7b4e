/**
 * What a deployed process of the shop is connected to. A use case takes the members that it needs, its ports:
 * `Pick<Shop, …>`, with a name in `…Ports` where several share it, or where it needs more than a shop has.
 */
import type { SaleId } from '../../../core/ids.ts'
import type { Database } from '../../../core/stock/placement.ts'
import type { Commander, CommandSender, Stocks } from '../../../redis/command.ts'
import type { GateFacts } from '../../../redis/gate/gate.ts'
import type { ReadPublicJson } from '../http/public-http.ts'
import type { Sealer } from '../sealer.ts'
import type { Log, Telemetry } from '../telemetry.ts'
import type { EdgeStore } from './edge-store.ts'
import type { ChargeLimits, PaymentProvider } from './payment-provider.ts'
import type { Publisher, Shopfront } from './publisher.ts'
import type { DeadLetterRetry, DeadOrders, OrderQueue, Wake } from './queues.ts'
import type { Site } from './site.ts'
import type { Table } from './table.ts'

export type Shop = {
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
  /** The gate's facts of many sales, in few requests; those it does not know are missing. */
  readGates: (saleIds: readonly SaleId[]) => Promise<ReadonlyMap<SaleId, GateFacts>>
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
export type StockPorts = Pick<Shop, 'stock' | 'table' | 'clock'>

/** The ports for a change of the facts that the gate reads. */
export type GatePorts = Pick<Shop, 'gate' | 'table' | 'clock'>

/** Both of it. */
export type StorePorts = StockPorts & GatePorts
