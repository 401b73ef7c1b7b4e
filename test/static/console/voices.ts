/** Speakers of the console, who name money by its minor units and times by their ms. */
import type { Language } from '../../../core/language.ts'
import type { Speaker } from '../../../static/client/console/lib/kind-words.ts'
import { consoleMessages, drawPanelMessages, orderTableMessages } from '../../../static/messages/catalogues.ts'
import { words } from '../../../static/messages/text.ts'

/** The words of the first screen, and those that the form of a sale and its orders load. */
export const consoleTexts = {
  ...consoleMessages,
  ...drawPanelMessages,
  ...orderTableMessages,
}

export const voiceIn = (language: Language): Speaker => ({
  t: (key, args) => words(consoleTexts[key], language, args),
  money: (amount, currency) => `${amount} ${currency}`,
  moment: (ms) => `at ${ms}`,
  language: () => language,
  locale: () => (language === 'en' ? 'en-GB' : language),
})

export const voice = voiceIn('en')
