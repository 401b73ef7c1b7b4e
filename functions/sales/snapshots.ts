/** What Redis and the gate hold of a sale, read back to be compared with the table. */
import type { SaleId } from '../../core/ids.ts'
import type { Available, Flag } from '../../core/phase.ts'
import type { GateFacts } from '../../redis/gate.ts'
import type { StockDefinition } from '../../redis/stock-definition.ts'

/**
 * `total` and `available` are -1 for an unlimited stock; `stockRevision` is its revision; `epoch` is 0 until it is opened.
 * `definition` is what the sale is made of there, as it is stored. `packets` says of a sale of red packets up to which number
 * they were loaded, and how many wait; booked are those that are claimed or held back.
 *
 * `heldBack` units are booked for reservations from before `heldSince` which Redis has lost and which may still arrive in the
 * table; `quietSince` is since when the queue has been empty each time it was looked at. `resentAt` is when messages of the
 * outbox were last sent again, 0 for never. Times are epoch ms.
 */
export type StockSnapshot = {
  flag: Flag
  version: number
  frozen: boolean
  epoch: number
  total: number
  booked: number
  available: Available
  stockRevision: number
  definition: StockDefinition
  heldBack: number
  heldSince: number
  quietSince: number | undefined
  resentAt: number
  packets?: { loaded: number; waiting: number }
}

/** All that the gate keeps of a sale, with the latest stock revisions published to it. */
export type GateSnapshot = GateFacts

/** Undefined when Redis has no stock of the sale. @throws RedisUnavailable */
export type StockReader = { read: (saleId: SaleId) => Promise<StockSnapshot | undefined> }

/** Undefined when the gate knows nothing of the sale. Throws when the gate store is unavailable. */
export type GateReader = { read: (saleId: SaleId) => Promise<GateSnapshot | undefined> }

/** The facts of many sales at once; those that the gate does not know are missing. Throws when the gate store is unavailable. */
export type GateBatchReader = {
  read: (saleIds: readonly SaleId[]) => Promise<ReadonlyMap<SaleId, GateSnapshot>>
}

/**
 * What the gate's store knows of a sale's admissions: how many can be handed out, how many are `out` without a known outcome,
 * and how many units were booked, and `mostBooked` ever. `isComplete`: no unit that Redis ever booked is missing in `booked` and
 * `out`.
 */
export type AdmissionsSnapshot = {
  remaining: number
  out: number
  booked: number
  mostBooked: number
  isComplete: boolean
}

/** Undefined when no admissions were published. @throws RedisUnavailable */
export type AdmissionsReader = { read: (saleId: SaleId) => Promise<AdmissionsSnapshot | undefined> }
