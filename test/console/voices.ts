/** Speakers of the console, who name money by its minor units and times by their ms. */

import type { Translator } from '../../console/parts/kind-words.ts'
import type { Language } from '../../core/language.ts'
import {
  consoleMessages,
  consoleViewMessages,
  ownDataMessages,
  refusalMessages,
} from '../../templates/messages/catalogues.ts'
import { words } from '../../templates/messages/text.ts'

/** All words of the console. */
export const consoleTexts = {
  ...consoleMessages,
  ...consoleViewMessages,
  ...ownDataMessages,
  ...refusalMessages,
}

export const voiceIn = (language: Language): Translator => ({
  t: (key, args) => words(consoleTexts[key], language, args),
  money: (amount, currency) => `${amount} ${currency}`,
  moment: (ms) => `at ${ms}`,
  language: () => language,
  locale: () => (language === 'en' ? 'en-GB' : language),
})

export const voice = voiceIn('en')
