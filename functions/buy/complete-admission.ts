/**
 * Reports to the gate that an admitted request was decided, and whether the stock is sold out. The
 * reports only save work: without them the gate waits until the admission has expired, and the
 * script still decides every request.
 */
import type { SaleId } from '../../core/ids.ts'
import type { StockSeen } from '../../redis/complete-admissions.ts'
import { errorFacts, type Telemetry } from '../lib/telemetry.ts'
import { within } from '../lib/within.ts'

/** Publishes that nothing was left as of `stockRevision`. */
export type SoldOutPublisher = { publish: (saleId: SaleId, stockRevision: number) => Promise<void> }

/** Called once for each admitted request that was decided, with what it saw of a limited stock. */
export type AdmissionCompleter = {
  completeAdmissions: (saleId: SaleId, admission: number, seen: StockSeen | undefined) => Promise<void>
}

export type CompletePorts = { soldOut: SoldOutPublisher; admissions: AdmissionCompleter } & Telemetry

/** The stock after a request; `remaining` is -1 for unlimited stock. */
type StockLeft = StockSeen & { remaining: number }

/**
 * A decided request. `admission` is the epoch second in which the gate counts it, undefined when it
 * counts none; `left` is undefined when the request did not reach the stock.
 */
export type Decided = { saleId: SaleId; admission: number | undefined; left: StockLeft | undefined }

/**
 * How long an answer waits for the reports, ms. It waits because Lambda may freeze the function
 * right after its answer; the wait is short because the gate recovers from a missing report by
 * itself.
 */
const gatePatienceMs = 150

/** Never throws. */
export async function reportToGate(
  ports: CompletePorts,
  { saleId, admission, left }: Decided,
): Promise<void> {
  const { soldOut, admissions } = ports
  await Promise.all([
    left?.remaining === 0 &&
      report(ports, saleId, 'sold out', () => soldOut.publish(saleId, left.stockRevision)),
    admission !== undefined &&
      report(ports, saleId, 'admission completed', () =>
        admissions.completeAdmissions(saleId, admission, seenOf(left)),
      ),
  ])
}

async function report(
  { meter, log }: Telemetry,
  saleId: SaleId,
  what: string,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await within(gatePatienceMs, send())
  } catch (error) {
    meter.count('GateUpdateFailed')
    log.warn('gate not notified', { saleId, what, ...errorFacts(error) })
  }
}

function seenOf(left: StockLeft | undefined): StockSeen | undefined {
  if (left === undefined || left.remaining === -1) return undefined
  const { booked, stockRevision } = left
  return { booked, stockRevision }
}
