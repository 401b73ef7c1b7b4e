/**
 * Hands reminders to `mail`, as many in a minute as the email service accepts: of sales that start soon, and of returned units.
 * A condition in the table makes each handover happen at most once, so interrupted or concurrent runs do no harm.
 */
import { parseShopperId, type SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { InspectSale, ScheduledOption, ScheduledPorts } from '../../../functions/sales/scheduled-option.ts'
import type { StepsSeam } from '../../../functions/sales/seams.ts'
import type { ListEntry } from '../../../functions/table/list.ts'
import { salesStartingWithin } from '../../../functions/table/sale/sale-lists.ts'
import { hasReturnableUnits, ordersOfShopper, type StockFacts } from '../../../redis/stock/stock.ts'
import {
  canSendReminders,
  canSendReturnNews,
  maxHeadStartMs,
  maxRemindersDue,
  remindAheadMs,
  remindersDue,
  remindersPerMinute,
  returnNewsDue,
} from '../core/reminder.ts'
import { shopperOfReminder } from './keys.ts'
import { endReminder, handOver, waitingReminders } from './reminder-items.ts'

/** Not run on wakeups, because more runs in a minute would exceed the rate of the service. */
const perMinute: ScheduledOption = {
  part: 'reminders',
  isWoken: false,
  begin(ports) {
    const budget = newMailBudget()
    return { run: () => handOverDueReminders(ports, budget), inspect: returnNewsSender(ports, budget) }
  },
}

export const steps = { scheduled: perMinute } satisfies StepsSeam

/** The number of reminders that may still leave in a run of a minute. */
export type MailBudget = { left: number }

export const newMailBudget = (): MailBudget => ({ left: remindersPerMinute })

/** A sale that is resumed within this time after its start still sends reminders, ms. */
const latestMs = 3_600_000

/** Number of concurrent writes. */
const concurrency = 20

/**
 * Hands over the due reminders of one minute, the sale that starts first first. A no-op in a stage without emails.
 * @throws when the table is unavailable; the next run hands over the rest
 */
export async function handOverDueReminders(ports: ScheduledPorts, budget: MailBudget): Promise<void> {
  const { table, clock, log, sendsMails } = ports
  if (!sendsMails) return
  const now = clock()
  const until = now + remindAheadMs + maxHeadStartMs
  for (const sale of await salesStartingWithin(table, now - latestMs, until)) {
    if (budget.left === 0) return
    if (!canSendReminders(sale, now)) continue
    const waiting = await waitingReminders(table, sale, 'start', maxRemindersDue(sale.startsAt, now))
    const due = waiting.slice(0, Math.min(budget.left, remindersDue(waiting.length, sale.startsAt, now)))
    if (due.length === 0) continue
    budget.left -= due.length
    const handed = await handAllOver(ports, due, sale.startsAt)
    log.info('reminders handed over', { saleId: sale.saleId, reminders: handed })
  }
}

async function handAllOver({ table }: ScheduledPorts, due: readonly ListEntry[], remindedFor: number): Promise<number> {
  let handed = 0
  for (const some of slicesOf(due, concurrency)) {
    const done = await Promise.all(
      some.map(async (entry) => {
        const shopperId = parseShopperId(shopperOfReminder(entry.pk))
        return shopperId !== undefined && handOver(table, entry, shopperId, remindedFor)
      }),
    )
    handed += done.filter(Boolean).length
  }
  return handed
}

/**
 * Returns a visitor of running sales for one run. When units of a sold-out window are available again, it sends emails to the
 * next shoppers who asked for them: ten a minute for each unit.
 */
export function returnNewsSender(ports: ScheduledPorts, budget: MailBudget): InspectSale {
  const { clock, log } = ports
  const visited = new Set<SaleId>()
  return async (sale, { stock, gate }) => {
    const { saleId } = sale
    const available = availableUnits(stock)
    const { soldOutRevision = -1, restockedRevision = -1 } = gate ?? {}
    const isBack = soldOutRevision >= 0 && restockedRevision > soldOutRevision && available > 0
    const now = clock()
    if (!ports.sendsMails || !isBack || visited.has(saleId) || !canSendReturnNews(sale, now, now)) return
    visited.add(saleId)
    const limit = returnNewsDue(available, budget.left)
    if (limit === 0) return
    budget.left -= limit
    const chosen = await chooseReminders(ports, sale, limit)
    const handed = await handAllOver(ports, chosen, now)
    budget.left += limit - handed
    if (handed > 0) log.info('shoppers learn of units', { saleId, reminders: handed })
  }
}

/** Returns the units for sale: 0 while they are being checked, and -1 for an unlimited stock. */
function availableUnits(stock: StockFacts | undefined): number {
  return stock === undefined || stock.frozen || hasReturnableUnits(stock) ? 0 : stock.available
}

/**
 * Returns up to `limit` waiting reminders of units of `sale`, in the order of the requests. Ends the reminder of a shopper who
 * has units already, or an order that is not written yet.
 */
async function chooseReminders(
  { table, stock, clock }: ScheduledPorts,
  sale: Sale,
  limit: number,
): Promise<readonly ListEntry[]> {
  const chosen: ListEntry[] = []
  for (const some of slicesOf(await waitingReminders(table, sale, 'return', limit), concurrency)) {
    const has = await Promise.all(
      some.map(async ({ pk }) => {
        const shopperId = parseShopperId(shopperOfReminder(pk))
        const orders = shopperId === undefined ? [] : await ordersOfShopper(stock, sale.saleId, shopperId)
        return orders.some(({ quantity }) => quantity > 0)
      }),
    )
    chosen.push(...some.filter((_, i) => has[i] === false))
    const ended = some.filter((_, i) => has[i])
    await Promise.all(ended.map((entry) => endReminder(table, entry, clock())))
  }
  return chosen
}
