/**
 * The console's words, each language in a file of its own. That of the reader is loaded before the first view; the
 * other one when the language is switched.
 */
import { type Language, languages } from '../../../core/language.ts'
import type { consoleMessages } from '../../messages/console.ts'
import type { Text } from '../../messages/text.ts'
import { byId, openStore } from '../lib/dom.ts'
import { chooseLanguage } from '../lib/language.ts'
import { languageKey } from '../lib/voice.ts'

type Catalogue = Record<keyof typeof consoleMessages, Text>

const files = {
  en: async () => (await import('../../messages/console/english.ts')).englishPatterns,
  'zh-CN': async () => (await import('../../messages/console/chinese.ts')).chinesePatterns,
} as const satisfies Record<Language, () => Promise<unknown>>

const loaded: Partial<Record<Language, Readonly<Record<string, string>>>> = {}
const catalogue: Record<string, Text> = {}

/** The language that the page begins with. */
export function firstLanguage(): Language {
  return chooseLanguage(openStore('localStorage').getItem(languageKey), navigator.languages)
}

/** The words in all languages that are loaded, `language` among them. Rejects when its file cannot be loaded. */
export async function loadWords(language: Language): Promise<Catalogue> {
  loaded[language] ??= await files[language]()
  for (const key of Object.keys(loaded[language])) {
    catalogue[key] = [loaded.en?.[key] ?? '', loaded['zh-CN']?.[key] ?? '']
  }
  return catalogue as Catalogue
}

/**
 * Has the switch of the language wait for its words. The page keeps its language when they cannot be loaded, and a
 * browser may not try again before the page is loaded anew. Call before the voice starts: its listener must come second.
 */
export function loadBeforeSwitch(explain: () => void): void {
  const toggle = byId('language', HTMLButtonElement)
  let isLoading = false
  toggle.addEventListener('click', (event) => {
    const wanted = languages.find((language) => language === toggle.lang)
    if (wanted === undefined || loaded[wanted] !== undefined) return
    event.stopImmediatePropagation()
    if (isLoading) return
    isLoading = true
    loadWords(wanted)
      .then(() => toggle.click(), explain)
      .finally(() => {
        isLoading = false
      })
  })
}
