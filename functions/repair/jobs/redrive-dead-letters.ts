/**
 * Redrives dead letters. A dead letter of an order is a 202 without its order; one of a timer leaves an unpaid order in place.
 */
import type { DeadLetterRetry } from '../../lib/shop/shop.ts'
import type { RepairPorts } from '../../recovery/ports.ts'
import { redriveRecorder } from '../../recovery/stock/held-back.ts'
import type { Job } from '../job.ts'

const redrive = (name: string, queue: string, of: (ports: RepairPorts) => DeadLetterRetry): Job => ({
  name,
  // A message takes about this long to become a dead letter again.
  everyMinutes: 10,
  budgetMs: 2000,
  async run(run) {
    const retried = await of(run).retry(run.deadline, redriveRecorder(run))
    if (retried.moved > 0) run.log.warn('dead letters sent again', { queue, ...retried })
  },
})

export const redriveOrders = redrive('redriveOrders', 'orders', ({ deadOrders }) => deadOrders)
export const redriveDeadlines = redrive('redriveDeadlines', 'deadlines', ({ deadTimers }) => deadTimers)
