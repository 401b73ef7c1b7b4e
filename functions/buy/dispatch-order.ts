/**
 * What follows a decided request. Its message is dispatched to the queue: the script that took the units also
 * wrote it to the outbox, where the queue's consumer removes it once it is in the table, so a queue outage
 * delays an order and never loses it (O4). And the gate learns that the request was decided, and that the
 * stock is sold out. These reports only save work: without them the gate waits until the admission has
 * expired, and the script still decides every request.
 *
 * A request that took units is reported by the consumer that writes it, with all others of its
 * batch: until then its message says what there is to report. One that took none is reported here, whatever
 * answers it.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Admitted, OrderMessage } from '../../core/orders/order-message.ts'
import type { Reservation, StockLeft } from '../../redis/buy/reserve.ts'
import type { DemandCounter } from '../../redis/gate/demand.ts'
import type { AdmissionCompleter } from '../lib/acknowledge.ts'
import { within } from '../lib/retry.ts'
import { errorFacts, type LogFacts, type Telemetry } from '../lib/telemetry.ts'

/** `send` resolves once the queue holds the message. */
export type OrderSender = { send: (message: OrderMessage) => Promise<void> }

/**
 * True when the queue holds the message. Otherwise it is only in the outbox, where
 * `recovery/orders/resend-outbox.ts` finds it (O5). `facts` identify it in the log. Never throws: after the
 * script a success must stay a success.
 */
export async function dispatch(
  { queue, meter, log }: { queue: OrderSender } & Telemetry,
  message: OrderMessage,
  facts: LogFacts,
): Promise<boolean> {
  try {
    await queue.send(message)
    return true
  } catch (error) {
    meter.count('SendFailed')
    log.warn('message left in the outbox', { ...facts, ...errorFacts(error) })
    return false
  }
}

/** Publishes that nothing was left as of `stockRevision`: of the sale, or only of these `variants`. */
export type SoldOutPublisher = {
  publish: (saleId: SaleId, stockRevision: number, variants?: readonly string[]) => Promise<void>
}

/** What the gate's store learns of decided requests; `demand` counts them for the console. */
export type GateReportPorts = {
  soldOut: SoldOutPublisher
  admissions: AdmissionCompleter
  demand: DemandCounter
} & Telemetry

/**
 * A request for units. `saleId` is undefined for a path that names no sale. `admission` is the epoch second in which
 * the gate counts it, undefined when it counts none.
 */
export type AdmittedRequest = { saleId: SaleId | undefined; admission: number | undefined }

/** Asks the script, and keeps its reply for the report. */
export type RunScript = (script: () => Promise<Reservation>) => Promise<Reservation>

/**
 * How long an answer waits for the reports, ms. It waits because Lambda may freeze the function
 * right after its answer; the wait is short because the gate recovers from a missing report by
 * itself.
 */
const reportTimeoutMs = 150

/**
 * Resolves as `respond` does, after the report of a click that took nothing: also where it was refused before it
 * reached the stock, and where `respond` throws.
 *
 * A click whose outcome is unknown keeps its admission until that expires. The script may have taken a unit that the
 * gate has not counted as booked yet, and without the admission nothing would stand for it there: the gate would let
 * more requests through than the stock allows (G5). The shopper's repeat finds the unit, and has an admission of its own.
 */
export async function withReport<T>(
  ports: GateReportPorts,
  { saleId, admission }: AdmittedRequest,
  respond: (run: RunScript) => Promise<T>,
): Promise<T> {
  let left: StockLeft | undefined
  // From the moment that the script is asked until its reply says that it took nothing.
  let mayHoldUnits = false
  const run: RunScript = async (script) => {
    mayHoldUnits = true
    const reservation = await script()
    mayHoldUnits = reservation.kind === 'reserved'
    left = countersIn(reservation)
    return reservation
  }
  try {
    return await respond(run)
  } finally {
    if (saleId !== undefined && !mayHoldUnits) {
      const admitted = admittedOf(admission, left)
      await Promise.all([reportSoldOut(ports, saleId, left), completeAdmission(ports, saleId, admitted)])
    }
  }
}

/** Answers without counters reached no stock, or one shard of several. */
const countersIn = (reservation: Reservation): StockLeft | undefined =>
  hasCounters(reservation) ? reservation : undefined

const hasCounters = (reservation: Reservation): reservation is Reservation & StockLeft => 'booked' in reservation

/**
 * Dispatches the message of a request that took units, and reports what cannot wait for the table:
 * that nothing is left, and the request itself when the queue did not take its message. Never
 * throws.
 */
export async function dispatchReserved(
  ports: { queue: OrderSender } & GateReportPorts,
  reservation: Extract<Reservation, { kind: 'reserved' }>,
  admission: AdmittedRequest['admission'],
  facts: LogFacts,
): Promise<void> {
  const { message } = reservation
  const { saleId } = message
  const left = countersIn(reservation)
  const admitted = admittedOf(admission, left)
  const sending = async () => {
    const isSent = await dispatch(ports, { ...message, ...(admitted && { admitted }) }, facts)
    if (!isSent) await completeAdmission(ports, saleId, admitted)
  }
  await Promise.all([sending(), reportSoldOut(ports, saleId, left)])
}

async function reportSoldOut(ports: GateReportPorts, saleId: SaleId, left: StockLeft | undefined): Promise<void> {
  if (left === undefined) return
  const { remaining, stockRevision, holdsBack, goneVariant } = left
  if (remaining === 0 && !holdsBack) {
    await report(ports, saleId, 'sold out', () => ports.soldOut.publish(saleId, stockRevision))
  } else if (goneVariant !== undefined) {
    const publish = () => ports.soldOut.publish(saleId, stockRevision, [goneVariant])
    await report(ports, saleId, 'sold out in a variant', publish)
  }
}

async function completeAdmission(
  ports: GateReportPorts,
  saleId: SaleId,
  admitted: Admitted | undefined,
): Promise<void> {
  if (admitted === undefined) return
  await report(ports, saleId, 'admission completed', () => ports.admissions.complete(saleId, [admitted]))
}

async function report(
  { meter, log }: Telemetry,
  saleId: SaleId,
  what: string,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await within(reportTimeoutMs, send())
  } catch (error) {
    meter.count('GateUpdateFailed')
    log.warn('gate not notified', { saleId, what, ...errorFacts(error) })
  }
}

function admittedOf(admission: AdmittedRequest['admission'], left: StockLeft | undefined): Admitted | undefined {
  if (admission === undefined) return undefined
  // Of an unlimited stock, or of one shard of several, the counters say nothing.
  if (left === undefined || left.remaining === -1) return { second: admission }
  const { booked, stockRevision } = left
  return { second: admission, booked, stockRevision }
}
