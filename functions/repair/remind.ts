/**
 * Hands the reminders of sales that start soon to `mail`, as many in a minute as the service of e-mails takes. Each is
 * handed over once for each start by a condition of the table, so a run that is cut off, or two at once, do no harm.
 */
import { parseShopperId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import {
  longestHeadStartMs,
  mostRemindersDue,
  remindAheadMs,
  remindersDue,
  remindersPerMinute,
  sendsReminders,
} from '../../core/people/reminder.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { shopperOfReminder } from '../table/keys.ts'
import type { ListEntry } from '../table/list.ts'
import { handOver, waitingReminders } from '../table/people/reminders.ts'
import { salesStartingWithin } from '../table/sale/sale-lists.ts'
import type { RepairPorts } from './ports.ts'

type RemindPorts = Pick<RepairPorts, 'table' | 'clock' | 'log' | 'sendsMails'>

/** A sale that is resumed within so much time after its start still reminds its shoppers, ms. */
const latestMs = 3_600_000

/** Writes at once. */
const atOnce = 20

/**
 * For one run of a minute; the sale that starts first comes first. Does nothing where no e-mails are sent.
 * @throws when the table is unavailable; what was not handed over is left for the next run
 */
export async function remindShoppers(ports: RemindPorts): Promise<void> {
  const { table, clock, log, sendsMails } = ports
  if (!sendsMails) return
  const now = clock()
  const until = now + remindAheadMs + longestHeadStartMs
  let room = remindersPerMinute
  for (const sale of await salesStartingWithin(table, now - latestMs, until)) {
    if (room === 0) return
    if (!sendsReminders(sale, now)) continue
    const waiting = await waitingReminders(table, sale, mostRemindersDue(sale.startsAt, now))
    const due = waiting.slice(0, Math.min(room, remindersDue(waiting.length, sale.startsAt, now)))
    if (due.length === 0) continue
    room -= due.length
    const handed = await handAllOver(ports, sale, due)
    log.info('reminders handed over', { saleId: sale.saleId, reminders: handed })
  }
}

async function handAllOver(
  { table }: RemindPorts,
  { startsAt }: Sale,
  due: readonly ListEntry[],
): Promise<number> {
  let handed = 0
  for (const some of slicesOf(due, atOnce)) {
    const done = await Promise.all(
      some.map(async (entry) => {
        const shopperId = parseShopperId(shopperOfReminder(entry.pk))
        return shopperId !== undefined && handOver(table, entry, shopperId, startsAt)
      }),
    )
    handed += done.filter(Boolean).length
  }
  return handed
}
