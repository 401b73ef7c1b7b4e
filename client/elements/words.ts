/**
 * The words of the elements: English is in the script, and the words of another language are a file of data beside it,
 * so that a page with `integrity` runs the code that it named and no other.
 */
import { type elementMessages, languages, rightToLeft } from '../../templates/messages/catalogues.ts'
import { elementPatterns } from '../../templates/messages/page-patterns.ts'
import { addWords, isWorded, type Patterns, words } from '../../templates/messages/text.ts'

export type Key = keyof typeof elementMessages
export type Language = string

/** The hash in the names of the files of words; the build puts it here. */
declare const wordsHash: string

addWords({ en: elementPatterns.en ?? {} })

/** By language, whether its words can be shown: `undefined` while they are loaded, false where they could not be read. */
const here: Record<Language, boolean | undefined> = { en: true }

export const isKey = (key: string): key is Key => isWorded(key)

export const directionOf = (language: Language) => (rightToLeft.includes(language) ? 'rtl' : 'ltr')

/** The words of `key`. */
export const say = (language: Language, key: Key, args: Record<string, string | number> = {}): string =>
  words(key, language, args)

/** The language that is nearest to `tag`; English for a tag of none. */
export function languageOf(tag: string): Language {
  const base = (one: string) => one.toLowerCase().split('-')[0]
  const exact = languages.find((one) => one.toLowerCase() === tag.toLowerCase())
  return exact ?? languages.find((one) => base(one) === base(tag)) ?? 'en'
}

/** The language to show for `wanted`: undefined while its words are loaded from `origin`, English if they fail. */
export function shownLanguage(wanted: Language, origin: string): Language | undefined {
  if (!(wanted in here)) {
    here[wanted] = undefined
    void load(wanted, origin)
  }
  const isHere = here[wanted]
  return isHere === undefined ? undefined : isHere ? wanted : 'en'
}

async function load(language: Language, origin: string): Promise<void> {
  try {
    const answer = await fetch(`${origin}/assets/elements-words-${language}.${wordsHash}.json`)
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
    addWords({ [language]: (await answer.json()) as Patterns })
    here[language] = true
  } catch (wrong) {
    console.error(`sluice: no words in ${language}`, wrong)
    here[language] = false
  }
}
