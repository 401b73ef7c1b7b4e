/** Written by `npm run build` from the folders of the options: do not edit. */
import type events from '../../events/words/en.json'
import type reminders from '../../reminders/words/en.json'

export type OptionWords = (typeof events)['messages'] & (typeof reminders)['messages']
