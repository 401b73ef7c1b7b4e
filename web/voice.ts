/** The page's voice: its words in the reader's language, money and times in their own form, and the switch. */
import { chooseLanguage, type Language } from '../core/language.ts'
import { paragraphsOf } from '../core/lib/text.ts'
import { formatMoney } from '../core/money.ts'
import { localeFor } from '../templates/messages/language.ts'
import { type Arguments, hasWords, type Messages, words } from '../templates/messages/text.ts'
import { momentText } from '../templates/messages/time-text.ts'
import { byId, make, openStore, setText } from './dom.ts'
import { showWho, startSignOut } from './signed-in.ts'

export type Voice<Key extends string> = {
  t(key: Key, args?: Arguments): string
  money(amount: number, currency: string): string
  /** A point in time with its zone; `shortMoment` leaves the zone out, for lists, `farMoment` always names the year. */
  moment(ms: number): string
  shortMoment(ms: number): string
  farMoment(ms: number): string
  locale(): string
  language(): Language
  /** Speaks all marked text below `root` in the present language. */
  speak(root: ParentNode): void
  onChange(listener: () => void): void
}

/** Where a browser remembers the language that its reader chose. */
const storedLanguage = 'sluice.language'

export function readersLanguage(): Language {
  return chooseLanguage(openStore('localStorage').getItem(storedLanguage), navigator.languages, offered())
}

/** The languages of the shop, its own first; the page has them on its switch. */
const offered = (): readonly Language[] => byId('language').dataset.offered?.split(' ') ?? ['en']

/** Says in which language and direction the document is written from now on. */
export function markLanguage(root: HTMLElement, language: Language): void {
  root.lang = language
  root.dir = byId('language').dataset.rtl?.includes(language) ? 'rtl' : 'ltr'
}

type WordFiles = {
  /** False when they cannot be loaded now. */
  load(language: Language): Promise<boolean>
  /** Called when a language was wanted whose words could not be loaded. */
  failed(language: Language): void
}

/** The words of another document, in that language. */
export function voiceOf<M extends Messages>(messages: M, language: Language): Voice<keyof M & string> {
  return createVoice(messages, () => language)
}

/**
 * Starts the page's words and its header. Call once per page. Where the words that the reader wants are not loaded, it
 * speaks a language whose words are. `speakIn` changes the language as the switch does.
 */
export function startVoice<K extends string>(
  files: WordFiles,
): Voice<K> & { speakIn(language: Language): Promise<void> } {
  let language: Language = 'en'
  const listeners: (() => void)[] = []
  const voice = createVoice<K>({}, () => language, listeners)
  const all = offered()
  // Two languages have a button for the other one, more a list.
  const choice = byId('language') as HTMLButtonElement | HTMLSelectElement
  const isList = choice.matches('select')

  function show(wanted: Language): void {
    language = hasWords(wanted) ? wanted : (all.find(hasWords) ?? 'en')
    markLanguage(document.documentElement, language)
    voice.speak(document)
    choice.value = choice.lang = isList ? language : (all.find((one) => one !== language) ?? language)
    showWho()
    for (const listener of listeners) listener()
  }

  async function speakIn(wanted: Language): Promise<void> {
    if (!(await files.load(wanted))) {
      show(language)
      return files.failed(wanted)
    }
    if (wanted !== readersLanguage()) openStore('localStorage').setItem(storedLanguage, wanted)
    show(wanted)
  }

  choice.addEventListener(isList ? 'change' : 'click', () => void speakIn(choice.value))
  startSignOut()
  show(readersLanguage())
  return { ...voice, speakIn }
}

function createVoice<K extends string>(
  messages: Messages,
  language: () => Language,
  listeners: (() => void)[] = [],
): Voice<K> {
  const locale = () => localeFor(language(), navigator.languages)
  const t = (key: string, args?: Arguments) => words(messages[key] ?? key, language(), args, locale())

  const voice: Voice<K> = {
    t,
    money: (amount, currency) => formatMoney({ amount, currency }, locale()),
    moment: (ms) => momentText(ms, locale(), { zone: true }),
    shortMoment: (ms) => momentText(ms, locale()),
    farMoment: (ms) => momentText(ms, locale(), { zone: true, year: true }),
    locale,
    language,
    speak(root) {
      for (const element of root.querySelectorAll<HTMLElement>('[data-texts]')) {
        writeText(element, textsOf(element)[language()] ?? '')
      }
      for (const element of root.querySelectorAll<HTMLElement>('[data-i18n]')) {
        setText(element, t(element.dataset.i18n ?? '', argumentsOf(element)))
      }
      for (const element of root.querySelectorAll<HTMLElement>('[data-i18n-label]')) {
        element.setAttribute('aria-label', t(element.dataset.i18nLabel ?? ''))
      }
      for (const element of root.querySelectorAll<HTMLElement>('time[data-ms]')) {
        setText(element, voice.moment(Number(element.dataset.ms)))
      }
      for (const element of root.querySelectorAll<HTMLDataElement>('data[data-currency]')) {
        setText(element, voice.money(Number(element.value), element.dataset.currency ?? ''))
      }
    },
    onChange: (listener) => void listeners.push(listener),
  }

  return voice
}

/** What the marketer wrote, by language. */
function textsOf(element: HTMLElement): Partial<Record<Language, string>> {
  return JSON.parse(element.dataset.texts ?? '{}') as Partial<Record<Language, string>>
}

/** A description has paragraphs. */
function writeText(element: HTMLElement, text: string): void {
  const isProse = element.classList.contains('prose')
  if (!isProse) setText(element, text)
  else element.replaceChildren(...paragraphsOf(text).map((paragraph) => make('p', {}, paragraph)))
}

function argumentsOf(element: HTMLElement): Arguments {
  const text = element.dataset.i18nArgs
  return text === undefined ? {} : (JSON.parse(text) as Arguments)
}
