/** The voice of the page of a sale. Its script has the words of one language; it speaks that one until others are loaded. */
import type { Language } from '../../../core/language.ts'
import type { PagePatterns } from '../../messages/page-patterns.ts'
import { byId, make, setText } from '../lib/dom.ts'
import { readersLanguage, startVoice } from '../lib/voice.ts'
import { loadedWords } from '../lib/words.ts'
import type { OpeningKey } from './news.ts'

/** The page waits this long for words in a file, and between two tries. */
const waitMs = 5000

/** Starts the voice when the words are there, or cannot be had soon. `own` are those in the script. */
export async function saleVoice<K extends string>(own: PagePatterns) {
  const wanted = readersLanguage()
  const files = loadedWords<K | OpeningKey>(own)
  const notice = make('p', { class: 'notice', role: 'alert' })
  let retry = 0

  function failed(language: Language): void {
    setText(notice, voice.t('status.offline'))
    // Moved, it would be read aloud again.
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
