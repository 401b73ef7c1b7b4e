/** Retries calls to the payment provider that failed or whose response was lost (O8). A call that fails stays due. */
import { slicesOf } from '../../../core/lib/slices.ts'
import { errorFacts } from '../../lib/telemetry.ts'
import { closePage } from '../../orders/order-effects.ts'
import { requestRefund } from '../../orders/refund.ts'
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
import { type Job, minuteOf } from '../job.ts'

/** A younger refund is probably still in flight, ms. */
export const refundAgeMs = 60_000

/** A younger authorisation is probably being settled, ms. */
const authorisationAgeMs = 20_000

/** The provider closes a page by itself about half an hour after the time to pay, ms. */
const openMs = 40 * 60_000

/** Concurrent requests. */
const concurrency = 10

const settleAuthorisationsJob: Job = {
  name: 'settleAuthorisations',
  everyMinutes: 1,
  budgetMs: 3000,
  run(run) {
    const settle = (authorisation: Authorisation) => settleOrLeave(run, authorisation)
    return retryDue(run, authorisationAgeMs, () => dueAuthorisations(run.table), settle)
  },
}

const requestRefundsJob: Job = {
  name: 'requestRefunds',
  everyMinutes: 1,
  budgetMs: 3000,
  async run(run) {
    run.found.refunds = await requestRefunds(run)
  },
}

const closePaymentPagesJob: Job = {
  name: 'closePaymentPages',
  everyMinutes: 1,
  budgetMs: 3000,
  run: closePaymentPages,
}

export const paymentJobs = [settleAuthorisationsJob, requestRefundsJob, closePaymentPagesJob] as const

/** Requests every refund that has been due for `ageMs`. Returns how many the provider took. @throws as `retryDue` */
export function requestRefunds(ports: Timed, ageMs = refundAgeMs): Promise<number> {
  const request = (refund: Refund) => requestRefund(ports, refund)
  return retryDue(ports, ageMs, () => dueRefunds(ports.table), request)
}

/** Closes the open pages of ended payments. @throws as `retryDue` */
export function closePaymentPages(ports: Timed): Promise<number> {
  const close = async (page: EndedPage) => {
    if (ports.clock() < page.until + openMs) return closePage(ports, page)
    await deletePage(ports.table, page.paymentId)
    return true
  }
  return retryDue(ports, 0, () => endedPages(ports.table), close)
}

/**
 * Retries items that have been due for `ageMs`, until the deadline. Each minute starts at another place of the list, so that
 * items which stay due do not block the others. Returns how many succeeded.
 * @throws when the table is unavailable
 */
async function retryDue<T extends { requestedAt: number }>(
  { clock, deadline }: Pick<Timed, 'clock' | 'deadline'>,
  ageMs: number,
  list: () => Promise<readonly T[]>,
  retry: (due: T) => Promise<boolean>,
): Promise<number> {
  const now = clock()
  const due = (await list()).filter(({ requestedAt }) => now - requestedAt >= ageMs)
  let done = 0
  for (const some of slicesOf(rotated(due, minuteOf(now) * concurrency), concurrency)) {
    if (clock() >= deadline) break
    const answers = await Promise.all(some.map(retry))
    done += answers.filter((isDone) => isDone).length
  }
  return done
}

/** Returns `items` rotated to begin at `start`, which may be larger than their number. */
function rotated<T>(items: readonly T[], start: number): T[] {
  const first = items.length === 0 ? 0 : start % items.length
  return [...items.slice(first), ...items.slice(0, first)]
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
