/** `/api/reminders`: shoppers set and delete reminders, and report that they followed a link. Staff read how many shoppers are reached. */
import type { ShopperId } from '../../../../core/ids.ts'
import type { Language } from '../../../../core/language.ts'
import { problem } from '../../../../core/outcome.ts'
import { unknownSale } from '../../../../functions/control/answers.ts'
import { onControl } from '../../../../functions/control/staff.ts'
import type { HandlersSeam } from '../../../../functions/entries/seams.ts'
import { notFound, problemAnswer } from '../../../../functions/lib/http/answer.ts'
import { on, withPorts } from '../../../../functions/lib/http/app.ts'
import type { ShopContext } from '../../../../functions/lib/shop/shop.ts'
import { findContact } from '../../../../functions/table/people/contacts.ts'
import { findSale } from '../../../../functions/table/sale/sales.ts'
import { words } from '../../../../templates/messages/text.ts'
import type { ReminderSubject } from '../../core/names.ts'
import { operations, type ReminderRequest, type RemindersView } from '../../core/operations.ts'
import { canRequestReminder, keptAfterSaleMs } from '../../core/reminder.ts'
import { remindMessages } from '../../static/messages/catalogues.ts'
import { addReminder, countReminders, deleteReminder, recordOpened, remindersOfShopper } from '../reminder-items.ts'

type ReminderPorts = Pick<ShopContext, 'table' | 'sealer' | 'personalKeys' | 'clock' | 'sendsMails'>

/**
 * `no-mail`: this stage sends no emails. `too-late`: not at this time of the sale, or not for such a sale. `no-address`: no
 * address is known that the shopper's sign-in has verified. Reminders go to no other address, which could be another person's.
 */
type ReminderChange = 'done' | 'no-mail' | 'no-sale' | 'too-late' | 'no-address'

/** Returns the text of the consent: the one beside the button, as the page shows it in `language`. */
export function reminderConsent(language: Language, about: ReminderSubject): string {
  return words(remindMessages[about === 'return' ? 'back.consent' : 'remind.consent'], language)
}

/** Changes a reminder. Safe to repeat (I5). @throws when the table is unavailable */
async function changeReminder(
  ports: ReminderPorts,
  shopperId: ShopperId,
  { saleId, about, what, language }: ReminderRequest,
): Promise<ReminderChange> {
  const { table, clock, sendsMails } = ports
  if (!sendsMails) return 'no-mail'
  if (what === 'forget') {
    await deleteReminder(table, shopperId, { saleId, about })
    return 'done'
  }
  const now = clock()
  if (what === 'opened') {
    const all = await remindersOfShopper(table, shopperId, now)
    const sent = all.find((one) => one.saleId === saleId && one.about === about)
    if (sent !== undefined) await recordOpened(table, shopperId, sent)
    return 'done'
  }
  const sale = (await findSale(table, saleId))?.sale
  if (sale === undefined) return 'no-sale'
  if (!canRequestReminder(sale, about, now)) return 'too-late'
  if ((await findContact(ports, shopperId))?.verified !== true) return 'no-address'
  const expiresAt = sale.endsAt + keptAfterSaleMs
  const consent = reminderConsent(language, about)
  await addReminder(table, shopperId, sale, { saleId, about, askedAt: now, language, consent, expiresAt })
  return 'done'
}

async function viewReminders(ports: ReminderPorts, shopperId: ShopperId): Promise<RemindersView> {
  const { table, clock } = ports
  const [contact, kept] = await Promise.all([
    findContact(ports, shopperId),
    remindersOfShopper(table, shopperId, clock()),
  ])
  return {
    email: contact?.email ?? null,
    reminders: kept.map(({ saleId, about, askedAt, language, consent, remindedFor }) => ({
      ...{ saleId, about, askedAt, language, consent, sent: remindedFor !== undefined },
    })),
  }
}

const refusals = {
  'no-mail': { detail: 'This shop sends no emails.', facts: {} },
  'too-late': {
    detail: 'The sale sends no such email now: of its start only before it, of units that come back while it runs.',
    facts: { field: 'saleId' },
  },
  'no-address': { detail: 'No email address is known that your sign-in has verified.', facts: { field: 'email' } },
} as const

const routes = [
  on(operations.getReminders, async (ports: ReminderPorts, { caller }) =>
    ports.sendsMails ? viewReminders(ports, caller.shopperId) : notFound(),
  ),
  on(operations.changeReminder, async (ports: ReminderPorts, { caller, body }) => {
    const change = await changeReminder(ports, caller.shopperId, body)
    if (change === 'no-sale') return notFound()
    if (change !== 'done') return problemAnswer(problem('conflict', refusals[change].detail, refusals[change].facts))
    return viewReminders(ports, caller.shopperId)
  }),
  onControl(operations.getReach, async ({ table }: Pick<ShopContext, 'table'>, { params: { saleId } }) => {
    const sale = (await findSale(table, saleId))?.sale
    if (sale === undefined) return unknownSale()
    const [start, back] = await Promise.all([
      countReminders(table, sale, 'start'),
      countReminders(table, sale, 'return'),
    ])
    return { start, return: back }
  }),
]

export const handlers = { routes: (ports) => withPorts(routes, ports) } satisfies HandlersSeam
