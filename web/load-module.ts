import type { Language } from '../core/language.ts'
import { addWords, type Patterns } from '../templates/messages/text.ts'

const triesByAddress = new Map<string, number>()

/**
 * The module at `address`, or undefined when it cannot be loaded: then ask again later. `load` is the browser's own
 * import. A browser remembers a failed import by its address, so every later try has a fragment of its own; the first
 * has the address that the page may have preloaded.
 */
export async function loadModule<T>(
  address: string,
  load: (address: string) => Promise<T> = (one) => import(one),
): Promise<T | undefined> {
  const earlier = triesByAddress.get(address) ?? 0
  triesByAddress.set(address, earlier + 1)
  return load(earlier === 0 ? address : `${address}#${earlier}`).catch(() => undefined)
}

/**
 * The words of a page: each language is a file of its own, and the page has the hash in their addresses. The words of
 * `page` in `language`; undefined when they cannot be loaded now.
 */
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
