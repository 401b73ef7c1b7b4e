/** The pages behind the link "Unsubscribe" of an e-mail. */
import type { Language } from '../../core/language.ts'
import { unsubscribeMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { type PlainPart, renderPlainPage } from './plain-page.ts'

/** Asks, with a form that posts to the page's own address, which has the token. */
export const renderUnsubscribe = (language: Language): string =>
  renderPlainPage(language, { ...partOf('ask', language), submit: say('ask.submit', language) })

export const renderUnsubscribed = (language: Language): string => renderPlainPage(language, partOf('done', language))

export const renderUnsubscribeInvalid = (language: Language): string =>
  renderPlainPage(language, partOf('invalid', language))

function partOf(kind: 'ask' | 'done' | 'invalid', language: Language): PlainPart {
  return {
    title: say(`${kind}.title`, language),
    lead: say(`${kind}.lead`, language),
    buttons: [{ text: say('toShop', language), href: '/' }],
  }
}

const say = (key: keyof typeof unsubscribeMessages, language: Language) => words(unsubscribeMessages[key], language)
