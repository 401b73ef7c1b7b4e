/** Several sentences in a row. */
import type { Speaker } from './kind-words.ts'

/** Chinese writes no space between sentences. */
export function joinSentences(voice: Pick<Speaker, 'locale'>, sentences: readonly string[]): string {
  return sentences.join(voice.locale().startsWith('zh') ? '' : ' ')
}
