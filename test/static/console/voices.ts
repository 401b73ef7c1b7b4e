/** Speakers of the console, who name money by its minor units and times by their ms. */
import type { Language } from '../../../core/language.ts'
import type { Speaker } from '../../../static/client/console/lib/kind-words.ts'
import { consoleMessages } from '../../../static/messages/catalogues.ts'
import { words } from '../../../static/messages/text.ts'

export const voiceIn = (language: Language): Speaker => ({
  t: (key, args) => words(consoleMessages[key], language, args),
  money: (amount, currency) => `${amount} ${currency}`,
  moment: (ms) => `at ${ms}`,
  locale: () => (language === 'en' ? 'en-GB' : language),
})

export const voice = voiceIn('en')
