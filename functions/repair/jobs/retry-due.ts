/** Repeats calls of the payment provider that were lost, or whose answer was (O8). What fails stays due. */
import { slicesOf } from '../../../core/lib/slices.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { closePage } from '../../orders/order-effects.ts'
import { askRefund } from '../../orders/refund.ts'
import { settleAuthorisation } from '../../orders/settle.ts'
import type { RepairPorts, Timed } from '../../recovery/ports.ts'
import {
  type Authorisation,
  deletePage,
  dueAuthorisations,
  dueRefunds,
  type EndedPage,
  endedPages,
  type Refund,
} from '../../table/orders/due-money.ts'
import { minuteOf, rotated } from '../rotation.ts'

/** A provider needs a moment; a refund younger than this is most likely on its way. */
export const refundAgeMs = 60_000

/** A younger authorisation is most likely being settled. */
const authorisationAgeMs = 20_000

/** Requests on their way at once. */
const atOnce = 10

/**
 * Asks for every refund that has been due for `ageMs`, as far as the time reaches. Each minute begins with others, so
 * that those which stay due do not keep the rest waiting. Resolves with how many the provider took.
 * @throws when the table is unavailable
 */
export function askForRefundsAgain(ports: Timed, ageMs = refundAgeMs): Promise<number> {
  const again = (refund: Refund) => askRefund(ports, refund)
  return repeatDue(ports, ageMs, () => dueRefunds(ports.table), again)
}

/** Settles authorisations, and throws, as `askForRefundsAgain`. */
export function settleAgain(ports: Timed): Promise<number> {
  const again = (authorisation: Authorisation) => settleOrLeave(ports, authorisation)
  return repeatDue(ports, authorisationAgeMs, () => dueAuthorisations(ports.table), again)
}

/** The provider ends a page by itself about half an hour after the time to pay, so there is nothing left to close. */
const openMs = 40 * 60_000

/** Closes pages, and throws, as `askForRefundsAgain`. */
export function closePagesAgain(ports: Timed): Promise<number> {
  const again = async (page: EndedPage) => {
    if (ports.clock() < page.until + openMs) return closePage(ports, page)
    await deletePage(ports.table, page.paymentId)
    return true
  }
  return repeatDue(ports, 0, () => endedPages(ports.table), again)
}

async function repeatDue<T extends { requestedAt: number }>(
  { clock, deadline }: Pick<Timed, 'clock' | 'deadline'>,
  ageMs: number,
  list: () => Promise<readonly T[]>,
  again: (due: T) => Promise<boolean>,
): Promise<number> {
  const now = clock()
  const due = (await list()).filter(({ requestedAt }) => now - requestedAt >= ageMs)
  let done = 0
  for (const some of slicesOf(rotated(due, minuteOf(now) * atOnce), atOnce)) {
    if (clock() >= deadline) break
    const answers = await Promise.all(some.map(again))
    done += answers.filter((isDone) => isDone).length
  }
  return done
}

async function settleOrLeave(ports: RepairPorts, authorisation: Authorisation): Promise<boolean> {
  const { meter, log } = ports
  try {
    await settleAuthorisation(ports, authorisation)
    return true
  } catch (error) {
    meter.count('SettlementFailed')
    const { orderId, paymentId } = authorisation
    log.warn('authorisation not yet settled', { orderId, paymentId, ...errorFacts(error) })
    return false
  }
}
