/** The voice of the page of a sale. The script has the words of one language, which is used until another is loaded. */
import type { Language } from '../../../core/language.ts'
import type { PagePatterns } from '../../messages/page-patterns.ts'
import { byId, make, setText } from '../lib/dom.ts'
import { readersLanguage, startVoice } from '../lib/voice.ts'
import { loadedWords } from '../lib/words.ts'
import type { OpeningKey } from './news.ts'

/** How long the page waits for a file of words, and between two tries, ms. */
const waitMs = 5000

/**
 * Starts the voice once the words of the reader's language are loaded, or after `waitMs` without them. `own` are
 * the words in the script.
 */
export async function saleVoice<K extends string>(own: PagePatterns) {
  const wanted = readersLanguage()
  const files = loadedWords<K | OpeningKey>(own)
  const notice = make('p', { class: 'notice', role: 'alert' })
  let retry = 0

  function failed(language: Language): void {
    setText(notice, voice.t('status.offline'))
    // A screen reader would read the notice again if it were moved.
    if (!notice.isConnected) byId('main').before(notice)
    clearTimeout(retry)
    retry = window.setTimeout(() => voice.speakIn(language), waitMs)
  }

  await Promise.race([files.load(wanted), new Promise((done) => setTimeout(done, waitMs))])
  const voice = startVoice(files.messages, { ...files, failed })
  voice.onChange(() => {
    notice.remove()
    clearTimeout(retry)
  })
  if (!files.isLoaded(wanted)) failed(wanted)
  return voice
}
