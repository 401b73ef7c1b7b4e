/** Written by `npm run build` from the folders of the options: do not edit. */
import * as draw from '../../draw/core/answers.ts'
import * as events from '../../events/core/answers.ts'
import * as reminders from '../../reminders/core/answers.ts'

export const controlAnswers = { ...draw.controlAnswers, ...events.controlAnswers, ...reminders.controlAnswers } as const
export const auditActions = [...events.auditActions] as const
export const auditFacts = [...events.auditFacts] as const
export const slowCalls = { ...events.slowCalls } as const
export const workers = { ...events.workers } as const
