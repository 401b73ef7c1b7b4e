/**
 * The dialog for reminders on the page of a sale: an email before the start, a calendar entry, and a link to share; once the
 * sale is sold out, an email when units come back. The page loads it at the first click, or when its address has the fragment
 * of a reminder's link.
 */
import type { Reply } from '../../../client/http.ts'
import { parseSaleId } from '../../../core/ids.ts'
import type { Language } from '../../../core/language.ts'
import { signInPath } from '../../../core/people/sign-in-paths.ts'
import { pageStart } from '../../../core/sale/page-phase.ts'
import { fetchPointer } from '../../../static/sale/load-state.ts'
import { localeFor } from '../../../templates/messages/language.ts'
import { type Arguments, words } from '../../../templates/messages/text.ts'
import { momentText } from '../../../templates/messages/time-text.ts'
import { byId, make } from '../../../web/dom.ts'
import { call } from '../../../web/http.ts'
import { loadWords } from '../../../web/load-module.ts'
import { copyText, saveFile } from '../../../web/save.ts'
import { whoIsHere } from '../../../web/signed-in.ts'
import { fieldsOf } from '../../../web/wire.ts'
import { openedMarks, type ReminderSubject, reminderSubjects } from '../core/names.ts'
import type { remindMessages } from './messages/catalogues.ts'

type Key = keyof typeof remindMessages

/** The state of the reminder at the shop: the address, and whether the email was requested and sent. */
type Known = { email: string | undefined; isAsked: boolean; isSent: boolean }

/** The style sheet of the page has no dialog, and its policy forbids other sheets, except those that a script constructs. */
const css = `
.remind{width:min(100% - 2rem,480px);padding:clamp(1.25rem,4vw,2rem);border:0;border-radius:24px;background:var(--card);color:var(--ink);box-shadow:var(--shadow)}
.remind::backdrop{background:#14131299}
.remind h2{font-size:1.375rem}
.remind p{margin-top:.75rem;color:var(--ink-soft)}
.remind__part{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1rem}
.remind .button{flex:1 1 auto;white-space:normal}
.remind .plain{border-color:var(--line);background:none;color:var(--ink)}
.remind .plain:hover{background:var(--sunken)}`

const saleId = parseSaleId(byId('main').dataset.saleId)
const language = (): Language => document.documentElement.lang
const say = (key: Key, args?: Arguments) => words(key, language(), args)

let sheet: CSSStyleSheet | undefined

/** A browser without constructable sheets, such as Safari before 16.4, shows the dialog unstyled. */
function addStyles(): void {
  if (sheet !== undefined) return
  try {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  } catch (wrong) {
    console.warn('sluice: the dialog has no style', wrong)
  }
}

const change = (about: ReminderSubject, what: 'ask' | 'forget' | 'opened'): Promise<Reply> =>
  call(fetch, '/api/reminders', { method: 'PUT', body: { saleId, about, what, language: language() } })

/** The texts in which the two dialogs differ. */
const keysOf = {
  start: {
    ...{ title: 'remind.title', signIn: 'remind.signIn', consent: 'remind.consent' },
    ...{ ask: 'remind.ask', asked: 'remind.asked', tooLate: 'remind.tooLate' },
  },
  return: {
    ...{ title: 'back.title', signIn: 'back.signIn', consent: 'back.consent' },
    ...{ ask: 'back.ask', asked: 'back.asked', tooLate: 'back.tooLate' },
  },
} as const satisfies Record<ReminderSubject, Record<string, Key>>

/** A reminder leaves this long before the start, or at once (`remindAheadMs`). */
const aheadMinutes = 10

/** Fetches the current start of the sale, and the time of the shop's clock; a cached page may have an earlier start. */
async function fetchStart() {
  const start = saleId && (await fetchPointer(fetch, saleId))
  if (start === undefined) return undefined
  const now = start.clock?.serverNow ?? Date.now()
  return { pointer: start.pointer, now, startsAt: pageStart(start.pointer, now) }
}

/** Returns the whole minutes until the start. */
async function minutesLeft(): Promise<number> {
  const start = await fetchStart()
  return start === undefined ? Number.NaN : Math.ceil((start.startsAt - start.now) / 60_000)
}

/** Opens the dialog once its words are loaded. */
export async function open(): Promise<void> {
  if (!(await loadWords('remind', language()))) return
  addStyles()
  document.querySelector<HTMLDialogElement>('.remind')?.close()
  const about = byId('main').dataset.phase === 'sold-out' ? 'return' : 'start'
  const keys = keysOf[about]
  const status = make('p', { role: 'status', id: 'remind-status' })
  const mail = make('div', { id: 'remind-mail' })
  const button = (key: Key, click: () => void, kind = 'plain') =>
    make(
      'button',
      { type: 'button', class: `button ${kind}`, 'data-do': key.slice(key.indexOf('.') + 1), click },
      say(key),
    )
  const close = button('remind.close', () => dialog.close())
  const dialog = make(
    'dialog',
    { class: 'remind', 'aria-labelledby': 'remind-title' },
    make('h2', { id: 'remind-title' }, say(keys.title)),
    mail,
    status,
    make('div', { class: 'remind__part' }, ...(about === 'start' ? entries() : []), close),
  )
  function entries(): HTMLElement[] {
    return [
      button('remind.calendar', () => void saveCalendar().then(report)),
      button('remind.share', () => void share().then(report)),
    ]
  }

  const left = about === 'start' && whoIsHere() !== null ? minutesLeft() : undefined
  const report = (key: Key | undefined) => status.replaceChildren(key === undefined ? '' : say(key))

  function draw(known: Known | undefined, n = Number.NaN): void {
    const { email = '', isAsked, isSent } = known ?? {}
    const part = (...inside: Node[]) => make('div', { class: 'remind__part' }, ...inside)
    if (whoIsHere() === null) {
      const href = signInPath(location.pathname + location.hash)
      mail.replaceChildren(part(make('a', { class: 'button', href }, say(keys.signIn))))
    } else if (known === undefined) mail.replaceChildren()
    else if (isAsked && !(isSent && about === 'return')) {
      const asked = n > 0 && n <= aheadMinutes ? 'remind.askedLate' : keys.asked
      const key = isSent ? 'remind.sent' : asked
      const line = make('p', {}, say(key, { email, n }))
      const forget = button('remind.forget', () => void send('forget', 'remind.forgotten'))
      mail.replaceChildren(line, ...(isSent ? [] : [part(forget)]))
    } else {
      const ask = button(keys.ask, () => void send('ask', undefined), 'main')
      // Units may come back several times.
      const before = isSent ? [make('p', {}, say('remind.sent', { email }))] : []
      mail.replaceChildren(...before, make('p', {}, say(keys.consent)), part(ask))
    }
  }

  async function send(what: 'ask' | 'forget', done: Key | undefined): Promise<void> {
    const reply = await change(about, what)
    if (reply.kind === 'ok') draw(knownIn(reply, about), await left)
    report(reply.kind === 'ok' ? done : refusal(reply, keys.tooLate))
    // The button that had the focus may be gone.
    close.focus()
  }

  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  draw(undefined)
  dialog.showModal()
  if (whoIsHere() === null) return
  void call(fetch, '/api/reminders').then(async (reply) => {
    if (reply.kind === 'ok') draw(knownIn(reply, about), await left)
    // A shop that sends no emails answers `not-found`.
    else if (reply.kind !== 'refused' || reply.problem?.code !== 'not-found') report('remind.failed')
  })
}

/** Reads the state of the reminder; undefined for another answer. */
function knownIn(reply: Extract<Reply, { kind: 'ok' }>, about: ReminderSubject): Known | undefined {
  const { email, reminders } = fieldsOf(reply.body) ?? {}
  if (!Array.isArray(reminders)) return undefined
  const own = reminders.map(fieldsOf).find((one) => one?.saleId === saleId && one?.about === about)
  const known = { isAsked: own !== undefined, isSent: own?.sent === true }
  return { ...known, email: typeof email === 'string' ? email : undefined }
}

function refusal(reply: Reply, tooLate: Key): Key {
  const { code, field } = reply.problem ?? {}
  if (code !== 'conflict') return 'remind.failed'
  return field === 'email' ? 'remind.noAddress' : tooLate
}

const titleOf = () => document.querySelector('h1')?.textContent ?? ''

/** Saves a calendar file. Returns the key of a message; undefined when it succeeded. */
async function saveCalendar(): Promise<Key | undefined> {
  const start = await fetchStart()
  if (start === undefined) return 'remind.failed'
  const { pointer, now, startsAt } = start
  const { saleId: id, version } = pointer
  const { host, origin, pathname } = location
  const [title, url] = [titleOf(), origin + pathname]
  const file = calendarFile({ saleId: id, host, version, title, url, startsAt }, now)
  const time = momentText(startsAt, localeFor(language(), navigator.languages), { zone: true, year: true })
  await saveFile(new Blob([file], { type: 'text/calendar' }), `${id}.ics`, [title, time, url].join('\n'))
  return undefined
}

/** Shares a link. The report counts orders from it under the source `share`. */
async function share(): Promise<Key | undefined> {
  const url = `${location.origin}${location.pathname}?utm_source=share`
  if (navigator.share === undefined) return (await copyText(url)) ? 'remind.copied' : 'remind.failed'
  // A reader who closes the list of apps has cancelled.
  await navigator.share({ title: titleOf(), url }).catch(() => undefined)
  return undefined
}

// The shopper followed the link of a reminder, in a new tab or in that of the page.
const opened = reminderSubjects.find((about) => location.hash === openedMarks[about])
if (opened !== undefined) {
  history.replaceState(history.state, '', location.pathname + location.search)
  if (whoIsHere() !== null) void change(opened, 'opened')
}

/**
 * `version` is that of the sale: with the same `saleId` and `host`, a calendar moves the existing appointment when the version is
 * higher. `startsAt` is epoch ms.
 */
type CalendarSale = { saleId: string; host: string; version: number; title: string; url: string; startsAt: number }

/**
 * Returns the start of a sale as a calendar file (RFC 5545), with an alarm ten minutes before the start. `now` is epoch ms. The
 * appointment does not block time, because a sale may last a week.
 */
export function calendarFile({ saleId, host, version, title, url, startsAt }: CalendarSale, now: number): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Sluice//Sales//EN', 'METHOD:PUBLISH', 'BEGIN:VEVENT'],
    `UID:${saleId}@${host}`,
    `SEQUENCE:${version}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(startsAt)}`,
    ...['DURATION:PT15M', 'TRANSP:TRANSPARENT'],
    `SUMMARY:${escaped(title)}`,
    `URL:${url}`,
    ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT10M', `DESCRIPTION:${escaped(title)}`, 'END:VALARM'],
    ...['END:VEVENT', 'END:VCALENDAR'],
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** Returns a time such as `20270115T120000Z`. */
const utc = (ms: number): string => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')

/** Limit of the bytes of a line (RFC 5545); a continuation line starts with a space. */
const maxLineBytes = 75

function folded(line: string): string {
  const encoder = new TextEncoder()
  let text = ''
  let bytes = 0
  for (const character of line) {
    const own = encoder.encode(character).length
    if (bytes + own > maxLineBytes) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += own
  }
  return text
}
