/** Written by `npm run build` from the folders of the options: do not edit. */
import type draw from '../../draw/words/en.json'
import type events from '../../events/words/en.json'
import type reminders from '../../reminders/words/en.json'

export type OptionWords = (typeof draw)['messages'] & (typeof events)['messages'] & (typeof reminders)['messages']
