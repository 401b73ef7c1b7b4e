/** What reminders are about, apart from their schemas, which the page of a sale does not load. */

/** The start of a window, or units of it that come back. */
export const reminderSubjects = ['start', 'return'] as const
export type ReminderSubject = (typeof reminderSubjects)[number]

/** The fragments of the links in reminders. A fragment stays in the browser, so the page reports that the link was followed. */
export const openedMarks = { start: '#reminded', return: '#back' } as const satisfies Record<ReminderSubject, string>
