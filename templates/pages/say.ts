/** Renders texts in the shop's own language, marked with their message keys so that the script can translate them. */
import { defaultLanguages, type Language } from '../../core/language.ts'
import { languageFacts } from '../messages/catalogues.ts'
import { type Arguments, type Messages, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'

/** A module variable is safe, because pages are rendered synchronously. */
let offered: readonly Language[] = defaultLanguages

/** Renders a page of a shop that offers `languages`, its own first. */
export function writtenIn<T>(languages: readonly Language[], write: () => T): T {
  const before = offered
  offered = languages
  try {
    return write()
  } finally {
    offered = before
  }
}

export const pageLanguages = (): readonly Language[] => offered

/** Returns the language that the page is written in. */
export const ownLanguage = (): Language => offered[0] ?? 'en'

/** Returns the `dir` attribute of a right-to-left language; empty for others. */
export const directionOf = (language: Language): Html =>
  languageFacts[language]?.dir === 'rtl' ? html` dir="rtl"` : html``

/** Returns the attribute with the text in each language; empty if all are equal. */
export function textsAttribute(textIn: (language: Language) => string): Html {
  const entries = offered.map((language) => [language, textIn(language)])
  if (entries.every(([, text]) => text === textIn(ownLanguage()))) return html``
  return html` data-texts="${JSON.stringify(Object.fromEntries(entries))}"`
}

/** Returns a function that renders a span with all languages, from a catalogue that the page's script does not carry. */
export const spanTranslator =
  <M extends Messages>(messages: M) =>
  (key: keyof M & string, args: Arguments = {}): Html => {
    const textIn = (language: Language) => words(lookUp(messages, key), language, args)
    return html`<span${textsAttribute(textIn)}>${textIn(ownLanguage())}</span>`
  }

/** Returns the translator of a page's catalogue. A key that the page's script does not carry is a type error. */
export function translator<M extends Messages>(messages: M) {
  const text = (key: keyof M & string, args: Arguments = {}): string =>
    words(lookUp(messages, key), ownLanguage(), args)
  return {
    text,
    say(key: keyof M & string, args: Arguments = {}): Html {
      const marked = Object.keys(args).length === 0 ? html`` : html` data-i18n-args="${JSON.stringify(args)}"`
      return html`<span data-i18n="${key}"${marked}>${text(key, args)}</span>`
    },
    label(key: keyof M & string): Html {
      return html`aria-label="${text(key)}" data-i18n-label="${key}"`
    },
  }
}

function lookUp<M extends Messages>(messages: M, key: keyof M & string) {
  const text = messages[key]
  if (text === undefined) throw new Error(`no message has the key ${key}`)
  return text
}
