/**
 * Fills values into the patterns of texts. Language files (`languages/`) use ICU MessageFormat, which `language-files.ts`
 * compiles into patterns. `{name}` is a value. `{name|one:unit|units}` chooses by plural category, number (`=0:`) or value
 * (`female:`); its last branch is the default.
 */
import type { Language } from '../../core/language.ts'

/** A text by language. In a script it is only the key, and `addWords` adds the patterns. */
export type Text = string | Readonly<Record<Language, string>>
export type Messages = Readonly<Record<string, Text>>

/** The patterns of a page by key, in one language. */
export type Patterns = Readonly<Record<string, string>>

export type Arguments = Readonly<Record<string, string | number>>

const loaded: Record<Language, Patterns> = {}

/** Adds patterns by language, which `words` finds by key. */
export function addWords(all: Readonly<Record<Language, Patterns>>): void {
  for (const language in all) loaded[language] = { ...loaded[language], ...all[language] }
}

/** True when words with that key were added. */
export const isWorded = (key: string): boolean => Object.values(loaded).some((patterns) => key in patterns)

/** True when words in `language` were added. */
export const hasWords = (language: Language): boolean => loaded[language] !== undefined

/**
 * Returns `text` in `language` with its arguments; falls back to English. `locale` formats the numbers. A placeholder
 * without an argument stays visible.
 */
export function words(text: Text, language: Language, args: Arguments = {}, locale = language): string {
  const pattern = typeof text === 'string' ? (loaded[language]?.[text] ?? text) : (text[language] ?? text.en ?? '')
  const fill = (part: string): string =>
    part.replace(/\{(\w+)((?:\|(?:[^{}|]|\{\w+\})*)*)\}/g, (whole, name: string, branches: string) => {
      const value = args[name]
      if (value === undefined) return whole
      if (branches === '') return value.toLocaleString(locale)
      const [, ...all] = branches.split('|')
      const branch = (key: string | number) => all.find((one) => one.startsWith(`${key}:`))?.slice(`${key}:`.length)
      const category = Number.isNaN(+value) ? value : new Intl.PluralRules(language).select(+value)
      return fill(branch(`=${value}`) ?? branch(category) ?? all.at(-1) ?? '')
    })
  return fill(pattern)
}
