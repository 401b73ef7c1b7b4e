import type { Language } from '../core/language.ts'
import { addWords, type Patterns } from '../templates/messages/text.ts'

const triesByAddress = new Map<string, number>()

/**
 * Imports the module at `address`. Returns undefined if that fails; the caller may retry later. Browsers cache a failed
 * import by its address, so each retry adds a new fragment. The first try uses the address that the page may have
 * preloaded.
 */
export async function loadModule<T>(
  address: string,
  load: (address: string) => Promise<T> = (one) => import(one),
): Promise<T | undefined> {
  const earlier = triesByAddress.get(address) ?? 0
  triesByAddress.set(address, earlier + 1)
  return load(earlier === 0 ? address : `${address}#${earlier}`).catch(() => undefined)
}

/** Loads the words of `page` in `language`, one file each; undefined if that fails. The page has the hash of the files. */
export async function loadPatterns(page: string, language: Language): Promise<Patterns | undefined> {
  const { words } = document.body.dataset
  const loaded = await loadModule<{ words: Patterns }>(`/assets/${page}-words-${language}.${words}.js`)
  return loaded?.words
}

/** Loads those words and adds them to this script. Returns false if that fails. */
export async function loadWords(page: string, language: Language): Promise<boolean> {
  const patterns = await loadPatterns(page, language)
  if (patterns !== undefined) addWords({ [language]: patterns })
  return patterns !== undefined
}
