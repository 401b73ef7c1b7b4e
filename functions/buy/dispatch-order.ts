/**
 * Dispatches the message of a decided request to the queue, and reports to the gate.
 *
 * The script that takes the units also writes the message to the outbox. The consumer of the queue removes it there once the
 * order is in the table, or the message in the dead-letter queue. So a queue outage delays an order and never loses it (O4).
 * The gate learns that the request is decided and whether the stock is sold out. These reports only save work: without them the
 * admission expires, and the script still decides every request.
 *
 * The consumer reports a request that took units, with the others of its batch; the message carries the report. This
 * module reports a request that took none, even if a middleware rejected it, and one whose message the queue refused.
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
 * Returns true when the queue holds the message. Otherwise it stays in the outbox, and `recovery/orders/resend-outbox.ts`
 * sends it (O5). `facts` identify it in the log. Never throws, because a success of the script must stay a success.
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

/** Publishes that nothing is left as of `stockRevision`, in the whole sale or only in `variants`. */
export type SoldOutPublisher = {
  publish: (saleId: SaleId, stockRevision: number, variants?: readonly string[]) => Promise<void>
}

/** Reports decided requests to the store of the gate. `demand` counts them for the console. */
export type ReportPorts = {
  soldOut: SoldOutPublisher
  admissions: AdmissionCompleter
  demand: DemandCounter
} & Telemetry

/**
 * A request for units. `saleId` is undefined when the path names no sale. `admission` is the Unix time in
 * seconds at which the gate's store granted the lease of the request; undefined without a valid header of the gate.
 */
export type RequestAdmission = { saleId: SaleId | undefined; admission: number | undefined }

/** Runs the script and keeps its reply for the report. */
export type RunScript = (script: () => Promise<Reservation>) => Promise<Reservation>

/**
 * How long an answer waits for the reports, ms. Lambda may freeze the function right after its answer. The wait is short
 * because the gate recovers from a missing report.
 */
const reportTimeoutMs = 150

/**
 * Resolves or rejects like `respond`. Before that it reports a request that took nothing, also one that was rejected before
 * it reached the stock, or whose `respond` threw.
 *
 * A request with an unknown outcome keeps its admission until the admission expires. The script may have taken a unit
 * that the gate has not counted as booked. Without the admission the gate would admit more requests than the stock
 * allows (G5). The shopper's repeat finds the unit under an admission of its own.
 */
export async function withReport<T>(
  ports: ReportPorts,
  { saleId, admission }: RequestAdmission,
  respond: (run: RunScript) => Promise<T>,
): Promise<T> {
  let countersLeft: StockLeft | undefined
  // True from the call of the script until its reply says that it took nothing.
  let mayHoldUnits = false
  const run: RunScript = async (script) => {
    mayHoldUnits = true
    const reservation = await script()
    mayHoldUnits = reservation.kind === 'reserved'
    countersLeft = countersIn(reservation)
    return reservation
  }
  try {
    return await respond(run)
  } finally {
    if (saleId !== undefined && !mayHoldUnits) {
      const admissionReport = admissionReportOf(admission, countersLeft)
      await Promise.all([reportSoldOut(ports, saleId, countersLeft), completeAdmission(ports, saleId, admissionReport)])
    }
  }
}

/** Returns undefined for a reservation without counters, such as a repeat. A shard of several replies with `remaining` -1. */
const countersIn = (reservation: Reservation): StockLeft | undefined =>
  isCounted(reservation) ? reservation : undefined

const isCounted = (reservation: Reservation): reservation is Reservation & StockLeft => 'booked' in reservation

/**
 * Dispatches the message of a request that took units. Reports at once if nothing is left, and reports the request
 * if the queue refused its message. Never throws.
 */
export async function dispatchReserved(
  ports: { queue: OrderSender } & ReportPorts,
  reservation: Extract<Reservation, { kind: 'reserved' }>,
  admission: RequestAdmission['admission'],
  facts: LogFacts,
): Promise<void> {
  const { message } = reservation
  const { saleId } = message
  const countersLeft = countersIn(reservation)
  const admissionReport = admissionReportOf(admission, countersLeft)
  const sending = async () => {
    const isSent = await dispatch(ports, { ...message, ...(admissionReport && { admitted: admissionReport }) }, facts)
    if (!isSent) await completeAdmission(ports, saleId, admissionReport)
  }
  await Promise.all([sending(), reportSoldOut(ports, saleId, countersLeft)])
}

async function reportSoldOut(ports: ReportPorts, saleId: SaleId, countersLeft: StockLeft | undefined): Promise<void> {
  if (countersLeft === undefined) return
  const { remaining, stockRevision, holdsBack, soldOutVariant } = countersLeft
  if (remaining === 0 && !holdsBack) {
    await report(ports, saleId, 'sold out', () => ports.soldOut.publish(saleId, stockRevision))
  } else if (soldOutVariant !== undefined) {
    const publish = () => ports.soldOut.publish(saleId, stockRevision, [soldOutVariant])
    await report(ports, saleId, 'sold out in a variant', publish)
  }
}

async function completeAdmission(
  ports: ReportPorts,
  saleId: SaleId,
  admissionReport: Admitted | undefined,
): Promise<void> {
  if (admissionReport === undefined) return
  await report(ports, saleId, 'admission completed', () => ports.admissions.complete(saleId, [admissionReport]))
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

function admissionReportOf(
  admission: RequestAdmission['admission'],
  countersLeft: StockLeft | undefined,
): Admitted | undefined {
  if (admission === undefined) return undefined
  // The counters mean nothing for an unlimited stock, or for one shard of several.
  if (countersLeft === undefined || countersLeft.remaining === -1) return { second: admission }
  const { booked, stockRevision } = countersLeft
  return { second: admission, booked, stockRevision }
}
