/**
 * Settles again what should have been captured or released by now: the call was lost, or its answer,
 * or the order was cancelled before its money was captured.
 */
import { slicesOf } from '../lib/slices.ts'
import { errorFacts } from '../lib/telemetry.ts'
import type { Authorisation } from '../orders/order-ledger.ts'
import { settleAuthorisation } from '../orders/settle.ts'
import type { RepairPorts } from './ports.ts'

/** A younger one is most likely being settled. */
export const authorisationAgeMs = 20_000

/** Requests on their way at once. */
const atOnce = 10

/**
 * Settles every authorisation that has been due for `ageMs`, the oldest first, as far as the time to
 * `deadline` (epoch ms) reaches. What fails stays due.
 * @throws when the table is unavailable
 */
export async function settleAgain(ports: RepairPorts, ageMs: number, deadline: number): Promise<void> {
  const { authorisations, clock } = ports
  const due = (await authorisations.due()).filter(({ requestedAt }) => clock() - requestedAt >= ageMs)
  for (const some of slicesOf(due, atOnce)) {
    if (clock() >= deadline) break
    await Promise.all(some.map((authorisation) => settleOrLeave(ports, authorisation)))
  }
}

async function settleOrLeave(ports: RepairPorts, authorisation: Authorisation): Promise<void> {
  const { meter, log } = ports
  try {
    await settleAuthorisation(ports, authorisation)
  } catch (error) {
    meter.count('SettlementFailed')
    const { orderId, paymentId } = authorisation
    log.warn('authorisation not yet settled', { orderId, paymentId, ...errorFacts(error) })
  }
}
