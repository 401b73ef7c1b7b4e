/**
 * Reports to the gate that an admitted request is decided, and that nothing is left. It only saves
 * work: without the report the gate waits until the request must have been decided, and the script
 * still answers every other request.
 */
import type { SaleId } from '../../core/ids.ts'
import type { StockSeen } from '../../redis/complete-admissions.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { within } from '../lib/within.ts'

/** Publishes that nothing was left at stock revision `stockRevision`. */
export type SoldOutPublisher = { publish: (saleId: SaleId, stockRevision: number) => Promise<void> }

/** Receives every decided admission once, with what it saw of a limited stock. */
export type AdmissionCompleter = {
  completeAdmissions: (saleId: SaleId, admission: number, seen: StockSeen | undefined) => Promise<void>
}

export type CompletePorts = { soldOut: SoldOutPublisher; admissions: AdmissionCompleter } & Telemetry

/** What a click left of the stock; `remaining` is -1 for an unlimited one. */
export type StockLeft = StockSeen & { remaining: number }

/**
 * A decided click. `admission` is the epoch second in which the gate counts it, undefined where it counts none; `left` is
 * undefined for a click that did not get as far as the stock.
 */
export type Decided = { saleId: SaleId; admission: number | undefined; left: StockLeft | undefined }

/**
 * How long an answer waits for the report to the gate, ms. It waits because a function may be
 * suspended once it has answered. An unavailable gate hardly delays a shopper: it learns the same
 * in other ways.
 */
const gatePatienceMs = 150

/** Never throws. */
export async function publishToGate(
  ports: CompletePorts,
  { saleId, admission, left }: Decided,
): Promise<void> {
  const { soldOut, admissions } = ports
  await Promise.all([
    left?.remaining === 0 &&
      tell(ports, saleId, 'that a sale is sold out', () => soldOut.publish(saleId, left.stockRevision)),
    admission !== undefined &&
      tell(ports, saleId, 'that a click was decided', () =>
        admissions.completeAdmissions(saleId, admission, seenOf(left)),
      ),
  ])
}

async function tell(
  { meter, log }: Telemetry,
  saleId: SaleId,
  what: string,
  telling: () => Promise<void>,
): Promise<void> {
  try {
    await within(gatePatienceMs, telling())
  } catch (error) {
    meter.count('GateUpdateFailed')
    log.warn(`the gate was not told ${what}`, { saleId, ...errorFacts(error) })
  }
}

function seenOf(left: StockLeft | undefined): StockSeen | undefined {
  if (left === undefined || left.remaining === -1) return undefined
  const { booked, stockRevision } = left
  return { booked, stockRevision }
}
