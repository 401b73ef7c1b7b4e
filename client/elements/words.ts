/**
 * Loads the texts of the elements. The script has the English ones. Other languages are JSON files, not scripts, so that a
 * page with `integrity` runs no code but the script it named.
 */
import type { Language } from '../../core/language.ts'
import { type elementMessages, languages, rtlLanguages } from '../../templates/messages/catalogues.ts'
import { elementPatterns } from '../../templates/messages/page-patterns.ts'
import { addWords, isWorded, type Patterns, words } from '../../templates/messages/text.ts'

export type ElementKey = keyof typeof elementMessages

/** The hash in the names of the word files. The build defines it. */
declare const wordsHash: string

addWords({ en: elementPatterns.en ?? {} })

/** By language: true once its words are loaded, undefined while they load, false if they failed to load. */
const isLoaded: Record<Language, boolean | undefined> = { en: true }

export const isKey = (key: string): key is ElementKey => isWorded(key)

export const textDirection = (language: Language) => (rtlLanguages.includes(language) ? 'rtl' : 'ltr')

export const say = (language: Language, key: ElementKey, args: Record<string, string | number> = {}): string =>
  words(key, language, args)

/** Returns the language nearest to `tag`; falls back to English. */
export function languageOf(tag: string): Language {
  const base = (one: string) => one.toLowerCase().split('-')[0]
  const exact = languages.find((one) => one.toLowerCase() === tag.toLowerCase())
  return exact ?? languages.find((one) => base(one) === base(tag)) ?? 'en'
}

/** Returns the language to show for `wanted`: undefined while its words load from `origin`, English if that fails. */
export function shownLanguage(wanted: Language, origin: string): Language | undefined {
  if (!(wanted in isLoaded)) {
    isLoaded[wanted] = undefined
    void load(wanted, origin)
  }
  const state = isLoaded[wanted]
  return state === undefined ? undefined : state ? wanted : 'en'
}

async function load(language: Language, origin: string): Promise<void> {
  try {
    const answer = await fetch(`${origin}/assets/elements-words-${language}.${wordsHash}.json`)
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
    addWords({ [language]: (await answer.json()) as Patterns })
    isLoaded[language] = true
  } catch (wrong) {
    console.error(`sluice: no words in ${language}`, wrong)
    isLoaded[language] = false
  }
}
