/**
 * A text in its languages, and how its values are put in. A language file (`languages/`) has it in ICU MessageFormat;
 * `language-files.ts` turns that into a pattern: `{name}` is a value, `{name|one:unit|units}` chooses by plural category,
 * number (`=0:`) or value (`female:`), and its last branch is the one for all others.
 */
import type { Language } from '../../core/language.ts'

/** By language. In a script it is the key alone, and its patterns are those that `addWords` was given. */
export type Text = string | Readonly<Record<Language, string>>
export type Messages = Readonly<Record<string, Text>>

/** The patterns of a page by key, in one language. */
export type Patterns = Readonly<Record<string, string>>

export type Arguments = Readonly<Record<string, string | number>>

const loaded: Record<Language, Patterns> = {}

/** Adds words by language; `words` finds them by key. */
export function addWords(all: Readonly<Record<Language, Patterns>>): void {
  for (const language in all) loaded[language] = { ...loaded[language], ...all[language] }
}

/** Whether words with that key were added. */
export const isWorded = (key: string): boolean => Object.values(loaded).some((patterns) => key in patterns)

/** Whether words in `language` were added. */
export const hasWords = (language: Language): boolean => loaded[language] !== undefined

/**
 * The words of `text` in `language`, in English where it has none. Numbers are written as in `locale`. A name without an
 * argument stays visible.
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
