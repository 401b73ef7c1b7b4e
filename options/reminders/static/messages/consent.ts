/** The consent of a shopper who asks for a reminder. */
import type { Language } from '../../../../core/language.ts'
import { words } from '../../../../static/messages/text.ts'
import type { ReminderSubject } from '../../core/subjects.ts'
import { remindMessages } from './catalogues.ts'

/** The text beside the button, as the page shows it in `language`. */
export function reminderConsent(language: Language, about: ReminderSubject): string {
  return words(remindMessages[about === 'return' ? 'back.consent' : 'remind.consent'], language)
}
