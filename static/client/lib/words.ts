/** Words of a page whose languages are files of their own. The page has their addresses. */
import { type Language, languages } from '../../../core/language.ts'
import type { PagePatterns } from '../../messages/page-patterns.ts'
import type { Patterns, Text } from '../../messages/text.ts'
import { loadModule } from './load-module.ts'

/** The words in all languages that are loaded: at first those in the script, `own`. */
export function loadedWords<K extends string>(own: PagePatterns = {}) {
  const loaded: Partial<Record<Language, Patterns | undefined>> = {}
  const messages: Record<string, Text> = {}
  for (const language of languages) take(language, own[language])

  function take(language: Language, patterns: Patterns | undefined): void {
    loaded[language] = patterns
    for (const key of Object.keys(patterns ?? {})) {
      messages[key] = [loaded.en?.[key] ?? '', loaded['zh-CN']?.[key] ?? '']
    }
  }

  return {
    messages: messages as Record<K, Text>,
    isLoaded: (language: Language): boolean => loaded[language] !== undefined,
    /** False when the file cannot be loaded now. */
    async load(language: Language): Promise<boolean> {
      const patterns = loaded[language] ?? (await patternsIn(language))
      // Another try may have been faster.
      if (patterns !== undefined) take(language, patterns)
      return loaded[language] !== undefined
    },
  }
}

async function patternsIn(language: Language): Promise<Patterns | undefined> {
  const address = document.body.getAttribute(`data-words-${language}`) ?? ''
  return (await loadModule<{ words: Patterns }>(address))?.words
}
