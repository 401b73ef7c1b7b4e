/** Shows the accessibility statement in the reader's language; without this script it is in the language of the shop. */
import type { accessibilityMessages } from '../templates/messages/catalogues.ts'
import { accessibilityPatterns } from '../templates/messages/page-patterns.ts'
import { byId, setText } from '../web/dom.ts'
import { pageVoice } from '../web/page-voice.ts'

const voice = await pageVoice<keyof typeof accessibilityMessages>('accessibility', accessibilityPatterns)
const assessed = byId('assessed', HTMLTimeElement)

function showDay(): void {
  // UTC, so that the day is the same for each reader.
  const format = new Intl.DateTimeFormat(voice.locale(), { dateStyle: 'long', timeZone: 'UTC' })
  setText(assessed, format.format(Date.parse(assessed.dateTime)))
}

voice.onChange(showDay)
showDay()
