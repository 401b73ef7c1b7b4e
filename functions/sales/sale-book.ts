/** What is kept of sales beside what they sell, and the port through which it is kept. */
import type { AuditRow } from '../../core/api/control.ts'
import type { AuditAction } from '../../core/audit.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import type { SalePlace } from '../../core/sale-place.ts'
import type { VariantUnits } from '../../core/variants.ts'

/**
 * `changeId` is the marketer's key for one change; `number` orders the changes of one sale. `units` says
 * how many are of each variant by its id, in a sale that has some.
 */
type StockChangeName = {
  changeId: string
  number: number
  delta: number
  units?: VariantUnits
}

/** A stock change that began and is not known to have reached both Redis and the cap. */
export type PendingStock = StockChangeName & Pick<AuditRow, 'who' | 'requestId' | 'role'>

/**
 * A stock change that is done, with the counters of Redis just after it: what a repeat of it is
 * answered.
 */
export type FinishedChange = StockChangeName & { total: number; booked: number }

/**
 * `revision` rises with every save; a save names the one it saw, so of two at once only one
 * succeeds. A stock change takes the revision it is saved as for its number. `finishedStockChanges`
 * holds the last changes, oldest first. `removedAt` (epoch ms) is when the keys of an archived sale
 * were removed from Redis; from then on it is on the list of archived sales.
 */
export type SaleRecord = {
  sale: Sale
  revision: number
  pendingStock?: PendingStock
  finishedStockChanges: readonly FinishedChange[]
  removedAt?: number
}

export type Facts = Readonly<Record<string, unknown>>

/** An audit entry as this version writes it. */
export type AuditEntry = Omit<AuditRow, 'what'> & { what: AuditAction }

/**
 * `open` puts the cap there if there is none, for red packets with a `budget`: what all of them
 * hold, in minor units. `add` changes how many more units it allows. Both have the `units` of each
 * variant, in a sale that has some.
 */
export type CapChange = { units?: VariantUnits } & (
  | { kind: 'open'; stock: number; budget?: number }
  | { kind: 'add'; delta: number }
)

export type Saved = 'saved' | 'conflict'

/** A sale moves from `current` to `archived` once its keys are removed from Redis. */
export type SaleList = 'current' | 'archived'

/** `next` is the place of the last sale, undefined when no other comes after it. */
export type SalePage = { sales: readonly Sale[]; next?: SalePlace }

/** The truth about sales. Everything in one call changes together or not at all. */
export type SaleBook = {
  find: (saleId: SaleId) => Promise<SaleRecord | undefined>
  /** All sales whose keys may be in Redis: few, however many there ever were. */
  list: () => Promise<readonly Sale[]>
  /**
   * At most `limit` sales of one list, the latest start first, of those behind `after`. A page may
   * be short of `limit`, because the list lags a moment behind the sales; only `next` says whether
   * more come.
   */
  page: (list: SaleList, limit: number, after: SalePlace | undefined) => Promise<SalePage>
  /** `conflict` when the id is in use or was used by a deleted sale. */
  create: (sale: Sale, audit: AuditEntry) => Promise<Saved>
  /** Saves `next` over the record of revision `seen`. */
  save: (
    seen: number,
    next: Omit<SaleRecord, 'revision'>,
    also: { audit?: AuditEntry; cap?: CapChange },
  ) => Promise<Saved>
  /** Deletes the sale but keeps its id taken. */
  remove: (record: SaleRecord, audit: AuditEntry) => Promise<Saved>
  /** The sale that was deleted under this id, if one was. */
  findDeleted: (saleId: SaleId) => Promise<Sale | undefined>
}

/** Changes of an order by a marketer, which no sale's record is saved with. */
export type AuditTrail = { add: (entry: AuditEntry) => Promise<void> }
