/**
 * Hands reminders to `mail`, as many in a minute as the service of e-mails takes: those of sales that start soon, and of
 * those whose units come back. Each is handed over once by a condition of the table, so a run that is cut off, or two at
 * once, do no harm.
 */
import { parseShopperId, type SaleId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { LookAtSale, ScheduledOption, ScheduledPorts } from '../../../functions/sales/scheduled-option.ts'
import type { StepsSeam } from '../../../functions/sales/seams.ts'
import type { ListEntry } from '../../../functions/table/list.ts'
import { salesStartingWithin } from '../../../functions/table/sale/sale-lists.ts'
import { isBeingChecked, ordersOfShopper, type StockFacts } from '../../../redis/stock/stock.ts'
import {
  maxHeadStartMs,
  maxRemindersDue,
  remindAheadMs,
  remindersDue,
  remindersPerMinute,
  returnNewsDue,
  sendsReminders,
  sendsReturnNews,
} from '../core/reminder.ts'
import { shopperOfReminder } from './keys.ts'
import { endReminder, handOver, waitingReminders } from './reminder-items.ts'

/** A run that was woken would send more in a minute than the service takes. */
const perMinute: ScheduledOption = {
  part: 'reminders',
  isWoken: false,
  begin(ports) {
    const budget = newMailBudget()
    return { run: () => remindShoppers(ports, budget), look: returnNewsSender(ports, budget) }
  },
}

export const steps = { scheduled: perMinute } satisfies StepsSeam

/** How many reminders may still leave in a run of a minute. */
export type MailBudget = { left: number }

export const newMailBudget = (): MailBudget => ({ left: remindersPerMinute })

/** A sale that is resumed within so much time after its start still reminds its shoppers, ms. */
const latestMs = 3_600_000

/** Writes at once. */
const concurrency = 20

/**
 * For one run of a minute; the sale that starts first comes first. Does nothing where no e-mails are sent.
 * @throws when the table is unavailable; what was not handed over is left for the next run
 */
export async function remindShoppers(ports: ScheduledPorts, budget: MailBudget): Promise<void> {
  const { table, clock, log, sendsMails } = ports
  if (!sendsMails) return
  const now = clock()
  const until = now + remindAheadMs + maxHeadStartMs
  for (const sale of await salesStartingWithin(table, now - latestMs, until)) {
    if (budget.left === 0) return
    if (!sendsReminders(sale, now)) continue
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
 * For the looks of one run at running sales. Where units are left of a window that had sold out, the next shoppers who
 * asked for it learn so: ten a minute for each unit.
 */
export function returnNewsSender(ports: ScheduledPorts, budget: MailBudget): LookAtSale {
  const { clock, log } = ports
  const visited = new Set<SaleId>()
  return async (sale, { stock, gate }) => {
    const { saleId } = sale
    const available = availableUnits(stock)
    const { soldOutRevision = -1, restockedRevision = -1 } = gate ?? {}
    const isBack = soldOutRevision >= 0 && restockedRevision > soldOutRevision && available > 0
    const now = clock()
    if (!ports.sendsMails || !isBack || visited.has(saleId) || !sendsReturnNews(sale, now, now)) return
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

/** Units for sale; none while some are checked, and of an unlimited stock, whose number is -1. */
function availableUnits(stock: StockFacts | undefined): number {
  return stock === undefined || stock.frozen || isBeingChecked(stock) ? 0 : stock.available
}

/**
 * Which of the shoppers who wait for units of `sale` learn of them next, `most` of them: those who asked first. The
 * reminder of a shopper who has units of it, or an order on its way, ends.
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
