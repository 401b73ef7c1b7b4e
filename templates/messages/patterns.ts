/** Groups the texts of catalogues by language, as scripts load them. */
import type { Language } from '../../core/language.ts'
import { languages } from './catalogues.ts'
import type { Messages, Patterns, Text } from './text.ts'

/** Patterns by language. In a script it has one language. */
export type PagePatterns = Readonly<Record<Language, Patterns>>

/** Returns the texts of catalogues by language. Falls back to English. */
export function patternsIn(...all: Messages[]): PagePatterns {
  const entries = Object.entries<Text>(Object.assign({}, ...all))
  const pattern = (text: Text, language: Language) =>
    typeof text === 'string' ? text : (text[language] ?? text.en ?? '')
  return Object.fromEntries(
    languages.map((language) => [
      language,
      Object.fromEntries(entries.map(([key, text]) => [key, pattern(text, language)])),
    ]),
  )
}
