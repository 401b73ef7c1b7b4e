/** The words of a page: each language is a file of its own, and the page has the hash in their addresses. */
import type { Language } from '../../../core/language.ts'
import { addWords, type Patterns } from '../../messages/text.ts'
import { loadModule } from './load-module.ts'

/** The words of `page` in `language`; undefined when they cannot be loaded now. */
export async function patternsOf(page: string, language: Language): Promise<Patterns | undefined> {
  const { words } = document.body.dataset
  const loaded = await loadModule<{ words: Patterns }>(`/assets/${page}-words-${language}.${words}.js`)
  return loaded?.words
}

/** Loads those words and adds them to the others of this script. False when they cannot be loaded now. */
export async function loadWords(page: string, language: Language): Promise<boolean> {
  const patterns = await patternsOf(page, language)
  if (patterns !== undefined) addWords({ [language]: patterns })
  return patterns !== undefined
}
