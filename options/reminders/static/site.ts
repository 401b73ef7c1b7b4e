/** What reminders add to the site: the script of their dialog, and its words. */
import { patternsOf } from '../../../static/messages/patterns.ts'
import type { SitePart } from '../../../static/site-part.ts'
import { remindMessages } from './catalogues.ts'

const part: SitePart = {
  scripts: ['remind-dialog'],
  words: { remind: patternsOf(remindMessages) },
}

export const site = [part] as const
