/** What reminders add to the tables of names that every tier reads, and what they are about, without schemas: the page of a sale loads none. */
import type { ControlRoute } from '../../../core/api/control-route.ts'
import { roles } from '../../../core/roles.ts'

export const paths = ['/api/reminders'] as const

export const personParts = ['reminders'] as const

export const mailKinds = ['reminder', 'units-back'] as const

export const controlRoutes = {
  getReach: { method: 'GET', path: '/api/control/sales/:saleId/reach', roles },
} as const satisfies Record<string, ControlRoute>

/** The start of a window, or units of it that come back. */
export const reminderSubjects = ['start', 'return'] as const
export type ReminderSubject = (typeof reminderSubjects)[number]

/** The fragments of the links in reminders. A fragment stays in the browser, so the page reports that the link was followed. */
export const openedMarks = { start: '#reminded', return: '#back' } as const satisfies Record<ReminderSubject, string>
