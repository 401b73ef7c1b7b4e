/**
 * The page's voice: its words in the reader's language, money and times in their own form, and the
 * switch.
 */

import { type Language, languages } from '../../../core/language.ts'
import { paragraphsOf } from '../../../core/lib/text.ts'
import { formatMoney } from '../../../core/money.ts'
import { type Arguments, type Messages, type Text, words } from '../../messages/text.ts'
import { showWho, startSignOut } from '../people/signed-in.ts'
import { byId, make, openStore, setText } from './dom.ts'
import { chooseLanguage, localeFor } from './language.ts'
import { momentText } from './time-text.ts'

export type Voice<Key extends string> = {
  t(key: Key, args?: Arguments): string
  /** Words outside of the page's own catalogue. */
  say(text: Text, args?: Arguments): string
  money(amount: number, currency: string): string
  /**
   * A point in time with its zone; `shortMoment` leaves the zone out, for lists, `farMoment` names
   * the year as well.
   */
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

/** The language that the reader of this page wants. */
export function readersLanguage(): Language {
  // A shop of one language has it as the value of the switch, which is hidden.
  const only = byId('language', HTMLButtonElement).value
  return chooseLanguage(only || openStore('localStorage').getItem(storedLanguage), navigator.languages)
}

/** Words that are loaded when they are wanted; a page without any has all of them in its script. */
export type WordFiles = {
  isLoaded(language: Language): boolean
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
export function startVoice<M extends Messages>(
  messages: M,
  files?: WordFiles,
): Voice<keyof M & string> & { speakIn(language: Language): Promise<void> } {
  let language: Language = 'en'
  const listeners: (() => void)[] = []
  const voice = createVoice(messages, () => language, listeners)
  const toggle = byId('language', HTMLButtonElement)

  function show(wanted: Language): void {
    language = files?.isLoaded(wanted) === false ? (languages.find(files.isLoaded) ?? 'en') : wanted
    document.documentElement.lang = language
    voice.speak(document)
    toggle.lang = language === 'en' ? 'zh-CN' : 'en'
    showWho()
    for (const listener of listeners) listener()
  }

  async function speakIn(wanted: Language): Promise<void> {
    if (files !== undefined && !(await files.load(wanted))) return files.failed(wanted)
    if (wanted !== readersLanguage()) openStore('localStorage').setItem(storedLanguage, wanted)
    show(wanted)
  }

  toggle.addEventListener('click', () => void speakIn(language === 'en' ? 'zh-CN' : 'en'))
  startSignOut()
  show(readersLanguage())
  return { ...voice, speakIn }
}

function createVoice<M extends Messages>(
  messages: M,
  language: () => Language,
  listeners: (() => void)[] = [],
): Voice<keyof M & string> {
  const locale = () => localeFor(language(), navigator.languages)
  const say = (text: Text, args: Arguments = {}) => words(text, language(), spoken(args))
  const t = (key: string, args?: Arguments) => say(messages[key] ?? [key, key], args)
  const spoken = (args: Arguments): Arguments =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [
        name,
        typeof value === 'number' ? value.toLocaleString(locale()) : value,
      ]),
    )

  const voice: Voice<keyof M & string> = {
    t,
    say,
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
        const ms = Number(element.dataset.ms)
        setText(element, 'far' in element.dataset ? voice.farMoment(ms) : voice.moment(ms))
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
