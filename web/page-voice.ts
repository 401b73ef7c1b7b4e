/** Starts the texts of a shopper's page. The script has one language, and loads others on demand. */
import type { Language } from '../core/language.ts'
import type { PagePatterns } from '../templates/messages/patterns.ts'
import { addWords, hasWords } from '../templates/messages/text.ts'
import { byId, make, setText } from './dom.ts'
import { loadWords } from './load-module.ts'
import { readersLanguage, startVoice, type Voice } from './voice.ts'

/** How long the page waits for a word file, and between two tries, ms. */
const waitMs = 5000

/**
 * Starts the voice once the reader's language is loaded, or after `waitMs` without it. `own` are the words in the script,
 * `page` is the name of its word files.
 */
export async function pageVoice<K extends string>(page: string, own: PagePatterns): Promise<Voice<K>> {
  addWords(own)
  const load = async (language: Language) => hasWords(language) || loadWords(page, language)
  const wanted = readersLanguage()
  const notice = make('p', { class: 'notice', role: 'alert' })
  let retry = 0

  function failed(language: Language): void {
    setText(notice, voice.t('status.offline'))
    // Screen readers read a moved notice again.
    if (!notice.isConnected) byId('main').before(notice)
    clearTimeout(retry)
    retry = window.setTimeout(() => voice.speakIn(language), waitMs)
  }

  await Promise.race([load(wanted), new Promise((done) => setTimeout(done, waitMs))])
  const voice = startVoice<K | 'status.offline'>({ load, failed })
  voice.onChange(() => {
    notice.remove()
    clearTimeout(retry)
  })
  if (!hasWords(wanted)) failed(wanted)
  return voice
}
