/** Written by `npm run build` from the folders of the options: do not edit. */
import { names as draw } from '../draw/core/names.ts'
import { names as events } from '../events/core/names.ts'
import { names as reminders } from '../reminders/core/names.ts'

export const names = { draw, events, reminders }
export type OptionWords = typeof import('../draw/words/en.json')['messages'] & typeof import('../events/words/en.json')['messages'] & typeof import('../reminders/words/en.json')['messages']
export const retired = [] as const
