/** The names and paths of reminders, without schemas, because the gate and the page of a sale load them. */
import { roles } from '../../../core/roles.ts'
import type { NamesSeam } from '../../../core/seams.ts'

export const names = {
  paths: ['/api/reminders'],
  routes: { getReach: { method: 'GET', path: '/api/control/sales/:saleId/reach', roles } },
  personParts: ['reminders'],
  mailKinds: ['reminder', 'units-back'],
} as const satisfies NamesSeam

/** A reminder is about the start of a window, or about units that come back. */
export const reminderSubjects = ['start', 'return'] as const
export type ReminderSubject = (typeof reminderSubjects)[number]

/** The fragments of the links in reminders. A fragment stays in the browser, so the page reports that the link was followed. */
export const openedMarks = { start: '#reminded', return: '#back' } as const satisfies Record<ReminderSubject, string>
