/** The texts of catalogues by language, as scripts load them. */
import type { Language } from '../../core/language.ts'
import { languages } from './catalogues.ts'
import type { Messages, Patterns, Text } from './text.ts'

/** In a script, those of one language. */
export type PagePatterns = Readonly<Record<Language, Patterns>>

/** The texts of catalogues, language by language, in English where a language has none. */
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
