/** What Redis and the gate were last told of a sale, as it is read back to be compared with the table. */
import type { SaleId } from '../../core/ids.ts'
import type { Available, Flag } from '../../core/phase.ts'

/** A fenced sale is shut to everybody while its stock is rebuilt. */
export type Told = { flag: Flag; version: number; fenced: boolean }

/**
 * `total` and `available` are -1 for an unlimited stock; `restocks` is its revision; `epoch` is 0 until it is opened. `packets`
 * says of a sale of red packets up to which number they were loaded, and how many wait.
 */
export type StockTold = Told & {
  epoch: number
  total: number
  booked: number
  available: Available
  restocks: number
  packets?: { loaded: number; waiting: number }
}

/**
 * The latest revisions of the stock that the gate was told of: sold out (-1: none), and with units (0: the first). What
 * follows from them is `soldOut`.
 */
export type GateTold = Told & { soldOut: boolean; soldOutAt: number; restockedAt: number }

/** Undefined when no stock is on the shelf. Throws when Redis is dark. */
export type StockReader = { read: (saleId: SaleId) => Promise<StockTold | undefined> }

/** Undefined when the gate knows nothing of the sale. Throws when the gate store is dark. */
export type GateReader = { read: (saleId: SaleId) => Promise<GateTold | undefined> }

/** Undefined when nobody has told the gate how many may come. Throws when the gate store is dark. */
export type AdmissionsReader = {
  read: (saleId: SaleId) => Promise<{ remaining: number; out: number } | undefined>
}
