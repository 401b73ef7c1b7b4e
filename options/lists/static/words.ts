/** Written by `npm run build` from the folders of the options: do not edit. */
import type reminders from '../../reminders/words/en.json'

export type OptionWords = (typeof reminders)['messages']
