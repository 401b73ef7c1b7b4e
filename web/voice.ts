/** Writes the texts, amounts and times of a page in the reader's language, and handles the language switch. */
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
  /** Formats a time with its zone. `shortMoment` leaves out the zone, for lists. `farMoment` always has the year. */
  moment(ms: number): string
  shortMoment(ms: number): string
  farMoment(ms: number): string
  locale(): string
  language(): Language
  /** Writes all marked text below `root` in the current language. */
  speak(root: ParentNode): void
  onChange(listener: () => void): void
}

/** The key of the chosen language in `localStorage`. */
const storedLanguage = 'sluice.language'

export function readersLanguage(): Language {
  return chooseLanguage(openStore('localStorage').getItem(storedLanguage), navigator.languages, offered())
}

/** Returns the languages of the shop, its own first, as the language switch lists them. */
const offered = (): readonly Language[] => byId('language').dataset.offered?.split(' ') ?? ['en']

/** Sets the language and direction of the document. */
export function markLanguage(root: HTMLElement, language: Language): void {
  root.lang = language
  root.dir = byId('language').dataset.rtl?.includes(language) ? 'rtl' : 'ltr'
}

type WordFiles = {
  /** Resolves with false if they cannot be loaded now. */
  load(language: Language): Promise<boolean>
  /** Called when the words of the chosen language could not be loaded. */
  failed(language: Language): void
}

/** Returns a voice for another document, in that language. */
export function voiceIn<M extends Messages>(messages: M, language: Language): Voice<keyof M & string> {
  return createVoice(messages, () => language)
}

/**
 * Starts the texts of the page and its header. Call it once per page. It falls back to a loaded language. `speakIn` changes
 * the language as the switch does.
 */
export function startVoice<K extends string>(
  files: WordFiles,
): Voice<K> & { speakIn(language: Language): Promise<void> } {
  let language: Language = 'en'
  const listeners: (() => void)[] = []
  const voice = createVoice<K>({}, () => language, listeners)
  const all = offered()
  // With two languages the switch is a button, with more a list.
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

/** Returns the texts that the marketer wrote, by language. */
function textsOf(element: HTMLElement): Partial<Record<Language, string>> {
  return JSON.parse(element.dataset.texts ?? '{}') as Partial<Record<Language, string>>
}

/** Writes a text; a description as paragraphs. */
function writeText(element: HTMLElement, text: string): void {
  const isProse = element.classList.contains('prose')
  if (!isProse) setText(element, text)
  else element.replaceChildren(...paragraphsOf(text).map((paragraph) => make('p', {}, paragraph)))
}

function argumentsOf(element: HTMLElement): Arguments {
  const text = element.dataset.i18nArgs
  return text === undefined ? {} : (JSON.parse(text) as Arguments)
}
