/**
 * The draw on the page of its sale: entering, leaving, the receipt, and the result. The page of a sale with a draw loads it
 * beside its own script. While a result is pending, it polls the published allocation at the CDN, and sends a request to the
 * shop only after a change.
 */
import type { Reply } from '../../../client/http.ts'
import { parseSaleId } from '../../../core/ids.ts'
import type { Language } from '../../../core/language.ts'
import { signInPath } from '../../../core/people/sign-in-paths.ts'
import { lazyCheck } from '../../../static/sale/lazy-check.ts'
import { fetchPointer } from '../../../static/sale/load-state.ts'
import { localeFor } from '../../../templates/messages/language.ts'
import { type Arguments, hasWords, words } from '../../../templates/messages/text.ts'
import { clockText, momentText } from '../../../templates/messages/time-text.ts'
import { localNow, sampleIn, shopClock } from '../../../web/clock.ts'
import { byId, make, setText } from '../../../web/dom.ts'
import { call } from '../../../web/http.ts'
import { loadWords } from '../../../web/load-module.ts'
import { actions, button, paragraph } from '../../../web/parts.ts'
import { redraw } from '../../../web/redraw.ts'
import { saveFile } from '../../../web/save.ts'
import { whoIsHere } from '../../../web/signed-in.ts'
import { payloadIn } from '../../../web/wire.ts'
import type { EntryView } from '../core/operations.ts'
import {
  type EntryStage,
  entryStageOf,
  fetchPublicText,
  nextAllocationPollMs,
  nonEmptyLines,
  type PublishedAllocation,
  readAllocation,
  readEntry,
  saveKnownOfDraw,
} from './lib/entry-state.ts'
import type { drawEntryMessages } from './messages/catalogues.ts'

type Key = keyof typeof drawEntryMessages

/** Shoppers who see a new step send their requests at random times within this interval. */
const spreadMs = 8000

const place = byId('enter')
const { dataset } = place
const found = parseSaleId(byId('main').dataset.saleId)
if (found === undefined) throw new Error('the page names no sale')
const saleId = found
/** The rows of the choice on the buy form. A winner sees only one of them. */
const rows = [...document.querySelectorAll<HTMLElement>('#variants .variant')]
const variants = new Map(
  rows.map((row) => [row.dataset.id ?? '', row.querySelector('.variant__name')?.textContent ?? '']),
)
const times = {
  opensAt: Number(dataset.opensAt),
  closesAt: Number(dataset.closesAt),
  drawnAt: Number(dataset.drawnAt),
  variants: [...variants.keys()],
}
const path = `/api/entries/${saleId}`
const clock = shopClock(localNow)

let entry: EntryView | undefined
let allocated: PublishedAllocation | undefined
/** A newer allocation whose effect on the entry is not known yet. */
let newAllocation: PublishedAllocation | undefined
/** True when the list was not published before the round; false once it was, which never changes again. */
let isVoid: boolean | undefined
let message: Key | undefined
let chosen: string | undefined
let isBusy = false
let requests = 0
/** An entry that waits for the security check of the shopper (R5). */
let pending: object | undefined
/** When the page next polls the allocation, and next reads the entry, on the shop's clock. */
let [pollAt, refreshAt]: (number | undefined)[] = []
const language = (): Language => document.documentElement.lang
const locale = () => localeFor(language(), navigator.languages)
const moment = (ms: number) => momentText(ms, locale(), { zone: true })

const say = (key: Key, args?: Arguments) => words(key, language(), args, locale())

const checkPlace = make(
  'div',
  { id: 'enter-check', class: 'check', hidden: true },
  make('p', { role: 'status' }),
  make('div'),
)
byId('enter-state').after(checkPlace)
const check = lazyCheck(byId('main').dataset, {
  ask: (body) => call(fetch, `/api/sales/${saleId}/challenge`, { body }),
  place: checkPlace,
  button: 'enter-title',
  voice: {
    t: (key) => say(refusals[key.replace('problem.', '')] ?? 'entry.failed'),
    language,
    onChange: (listener) =>
      new MutationObserver(listener).observe(document.documentElement, { attributeFilter: ['lang'] }),
  },
  now: clock.now,
  onChange: sendPending,
})

/** Sends the pending entry, after the security check if the sale requires one. */
function sendPending(): void {
  if (pending === undefined) return
  check.draw({ phase: 'open', now: clock.now(), startsAt: 0, waitMs: 0, won: false })
  if (check.hold() !== undefined) return
  const challenge = check.payload()
  const body = { ...pending, ...(challenge !== undefined && { challenge }) }
  pending = undefined
  checkPlace.hidden = true
  void change('PUT', body)
}

async function begin(): Promise<void> {
  clock.take((await fetchPointer(fetch, saleId))?.clock)
  if (whoIsHere() !== null) await send({})
  if (entry?.place !== undefined || clock.now() >= times.drawnAt) await pollAllocation()
  draw()
}

/** Sends a request about the entry. Ignores the answer if a later request was sent meanwhile: a click does not wait for a read. */
async function send(request: { method?: 'PUT' | 'DELETE'; body?: object }): Promise<void> {
  const isChange = request.method !== undefined
  requests += 1
  const number = requests
  isBusy = isChange
  draw()
  const sentAt = localNow()
  const reply = await call(fetch, path, request)
  if (number !== requests) return
  isBusy = false
  message = undefined
  if (reply.kind === 'ok') {
    clock.take(sampleIn(reply.headers, sentAt))
    entry = readEntry(reply.body)
    chosen = entry?.variant ?? chosen
    allocated = newAllocation ?? allocated
    newAllocation = undefined
    if (entry?.receipt !== undefined) keepLine('receipt', entry.receipt)
  } else {
    if (isChange || reply.kind === 'lost') {
      message = refusalOf(reply)
      const code = reply.problem?.code ?? ''
      check.answered({ kind: 'refused', code, remaining: 0, retryAfterSeconds: 0, atGate: true }, false)
    }
    // Without an answer a winner has neither the button nor the cookie of the offer, so the page retries.
    if (!isChange && (reply.kind === 'lost' || reply.status >= 429))
      refreshAt = clock.now() + 1000 * (reply.retryAfterSeconds ?? 0) + spreadMs * (1 + Math.random())
  }
  draw()
}

async function change(method: 'PUT' | 'DELETE', body?: object): Promise<void> {
  if (isBusy) return
  const isLater = entry?.state === 'entered'
  await send({ method, ...(body && { body }) })
  if (message !== undefined) return
  if (method === 'DELETE') message = 'entry.left'
  else if (isLater) message = 'entry.changed'
  draw()
  // The used control is gone, so the focus moves to the result, which is read out.
  const result = document.getElementById('enter-news') ?? byId('enter-title')
  if (document.activeElement === document.body) result.focus()
}

const refusals: Readonly<Record<string, Key>> = {
  'entries-not-open': 'entry.notYet',
  'entries-closed': 'entry.tooLate',
  'changes-used': 'entry.changesUsed',
  'level-too-low': 'entry.level',
  'too-many-requests': 'entry.busy',
  'sign-in-required': 'entry.signIn',
  'not-found': 'entry.missing',
  blocked: 'entry.blocked',
}

function refusalOf(reply: Reply): Key {
  const { code = '', reason = code } = reply.problem ?? {}
  return refusals[reason] ?? 'entry.failed'
}

/**
 * Polls the public files. The number of offers tells how many entries are ahead of a rank. When it does not settle the state
 * of the entry, or its turn has come, the page reads the entry from the shop first. A published list is stored, so that a
 * later check detects a replacement.
 */
async function pollAllocation(): Promise<void> {
  pollAt = undefined
  const text = await fetchPublicText(fetch, saleId, 'allocation.txt')
  if (isVoid !== false) {
    const list = nonEmptyLines(await fetchPublicText(fetch, saleId, 'list.txt'))[0]
    if (list !== undefined) keepLine('list', list)
    isVoid = list === undefined && clock.now() >= times.drawnAt
  }
  if (text === undefined) return
  const seen = readAllocation(text)
  const { kind } = entryStageOf(entry, times, seen, clock.now())
  if (kind === 'won' || kind === 'standby' || seen.steps <= (allocated?.steps ?? 0)) {
    allocated = seen
    return
  }
  newAllocation = seen
  refreshAt ??= clock.now() + Math.random() * spreadMs
}

/** Stores a line, with the hash of the rules in it, for a later check. */
function keepLine(kind: 'list' | 'receipt', line: string): void {
  const { rules } = payloadIn(line) ?? {}
  saveKnownOfDraw(saleId, { [kind]: line, ...(typeof rules === 'string' && { rules }) })
}

const stage = () => entryStageOf(entry, { ...times, isVoid }, allocated, clock.now())

function tick(): void {
  if (document.hidden || isBusy) return
  sendPending()
  const now = clock.now()
  if (refreshAt !== undefined && now >= refreshAt && whoIsHere() !== null) {
    refreshAt = undefined
    void send({})
    return
  }
  const wait = nextAllocationPollMs(stage(), times, now)
  if (wait === undefined) pollAt = undefined
  else if (pollAt === undefined) pollAt = now + wait
  else if (now >= pollAt) void pollAllocation().then(draw)
  draw()
}

/** The language whose texts are being loaded. */
let loading: Language | undefined

function loadOwnWords(next: Language): void {
  if (loading === next) return
  loading = next
  void loadWords('enter-draw', next).then((isLoaded) => {
    loading = undefined
    if (isLoaded) draw()
  })
}

let drawn = ''

/** Updates the clock each second, and the rest only when it differs. */
function draw(): void {
  if (!hasWords(language())) {
    loadOwnWords(language())
    return
  }
  const now = stage()
  const { kind } = now
  const facts = [now, clock.now() < times.drawnAt, entry, chosen, message, isBusy, language(), whoIsHere()]
  const key = JSON.stringify(facts)
  if (now.kind === 'won' && entry?.variant !== undefined) restrictVariants(entry.variant)
  const isForWinners = clock.now() >= times.drawnAt
  const hasNothing = isForWinners && kind !== 'won' && byId('buy').dataset.state !== 'owned'
  // The button and the status of the sale are for winners only.
  byId('buy').hidden = byId('status').hidden = hasNothing
  if (key !== drawn) {
    drawn = key
    // The status region makes screen readers announce it, wherever they are on the page.
    const waited = ['awaited', 'standby'].includes(place.dataset.stage ?? '')
    if (waited && (kind === 'won' || kind === 'void')) message = `entry.${kind}`
    place.dataset.stage = kind
    redraw(byId('enter-state'), ...stageParts(now), ...receiptParts())
    setText(byId('enter-status'), message === undefined ? '' : say(message))
  }
  const left = byId('enter-state').querySelector('.enter__clock')
  const until = now.kind === 'won' ? now.until : endOf(now)
  if (left !== null && until !== undefined) {
    setText(left, clockText(until - clock.now(), words('time.d', language())))
  }
}

function endOf({ kind }: EntryStage): number | undefined {
  if (kind === 'before') return times.opensAt
  if (kind === 'open' || kind === 'entered') return times.closesAt
  return kind === 'awaited' ? times.drawnAt : undefined
}

function stageParts(now: EntryStage): HTMLElement[] {
  switch (now.kind) {
    case 'before':
      return [counter('entry.before')]
    case 'open':
      return [counter('entry.open'), ...entryControls()]
    case 'entered':
      return [headline(say('entry.entered')), counter('entry.open'), ...variantSelect(), actions(...changeButtons())]
    case 'closed':
      return whoIsHere() === null
        ? [paragraph(say('entry.closedGuest')), signInLink('entry.seeOwn')]
        : [paragraph(say('entry.closed'))]
    case 'awaited':
      return clock.now() < times.drawnAt
        ? [counter('entry.awaited'), ...chosenVariant()]
        : [paragraph(say('entry.late'))]
    case 'won':
      return [
        headline(say('entry.won')),
        ...chosenVariant(),
        paragraph(say('entry.wonMore', { until: moment(now.until) })),
        counter('entry.wonLeft'),
      ]
    case 'over':
      return [paragraph(say('entry.over'))]
    case 'void':
      return [
        make('p', {}, make('b', {}, say('entry.void'))),
        paragraph(say('entry.voidMore', { round: moment(times.drawnAt) })),
      ]
    case 'standby':
      return [
        make('p', {}, make('b', {}, say('entry.standby'))),
        paragraph(say('entry.rank', { rank: now.rank, of: now.of })),
        paragraph(say(now.ahead === 0 ? 'entry.next' : 'entry.ahead', { ahead: now.ahead })),
        ...chosenVariant(),
        paragraph(say('entry.then')),
      ]
  }
}

function entryControls(): HTMLElement[] {
  if (whoIsHere() === null) return [signInLink('entry.signIn')]
  return [...variantSelect(), actions(button(say('entry.enter'), enter, { id: 'enter-now', 'aria-disabled': isBusy }))]
}

/** Enters, or changes the entry. */
function enter(): void {
  if (variants.size > 0 && chosen === undefined) {
    message = 'entry.chooseFirst'
    draw()
    place.querySelector<HTMLElement>('select')?.focus()
    return
  }
  if (isBusy) return
  pending = { ...(chosen !== undefined && { variant: chosen }) }
  sendPending()
}

function changeButtons(): HTMLElement[] {
  const leave = button(say('entry.leave'), () => void change('DELETE'), { id: 'leave', look: 'plain' })
  const isSame = chosen === entry?.variant
  return isSame ? [leave] : [button(say('entry.change'), enter, { id: 'change', 'aria-disabled': isBusy }), leave]
}

const nameOf = (variant: string) => variants.get(variant) ?? variant

function variantSelect(): HTMLElement[] {
  if (variants.size === 0) return []
  const none = chosen === undefined ? [['', say('entry.choiceNone')] as const] : []
  const options = [...none, ...variants].map(([value, name]) =>
    make('option', { value, selected: value === (chosen ?? '') }, name),
  )
  return [
    make(
      'p',
      {},
      make('label', { for: 'choice' }, say('entry.choice')),
      make('select', { id: 'choice', autocomplete: 'off', change: choose }, ...options),
    ),
  ]
}

function choose(): void {
  chosen = place.querySelector('select')?.value || undefined
  message = undefined
  draw()
}

function chosenVariant(): HTMLElement[] {
  return entry?.variant === undefined ? [] : [paragraph(say('entry.option', { name: nameOf(entry.variant) }))]
}

/** Limits the choice on the buy form to the variant that was won. Repeated with each update, because the form's own script may run later. */
function restrictVariants(variant: string): void {
  for (const row of rows) {
    row.hidden = row.dataset.id !== variant
    const input = row.querySelector('input')
    if (!row.hidden && input?.checked === false && !input.disabled) input.click()
  }
}

function receiptParts(): HTMLElement[] {
  const { state, receipt } = entry ?? {}
  if (state !== 'entered' || receipt === undefined) return []
  const summary = make('summary', {}, say('entry.show'))
  return [
    make(
      'details',
      { id: 'receipt', open: place.querySelector<HTMLDetailsElement>('#receipt')?.open === true },
      summary,
      paragraph(say('entry.receipt')),
      make('code', {}, receipt),
      actions(button(say('entry.save'), saveReceipt, { id: 'save-receipt', look: 'plain' })),
    ),
  ]
}

function saveReceipt(): void {
  void saveFile(new Blob([`${entry?.receipt ?? ''}\n`], { type: 'text/plain' }), `${saleId}.receipt.txt`)
}

function signInLink(key: Key): HTMLElement {
  const href = signInPath(location.pathname + location.search)
  return actions(make('a', { class: 'button', href, id: 'enter-sign-in' }, say(key)))
}

/** Renders a label with a countdown; screen readers read it only on request. */
function counter(key: Key): HTMLElement {
  return make('p', {}, `${say(key)} `, make('span', { class: 'enter__clock', role: 'timer' }))
}

const headline = (text: string) => paragraph(text, { class: 'enter__sign', id: 'enter-news', tabindex: -1 })

new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ['lang'] })
document.addEventListener('visibilitychange', tick)
setInterval(tick, 1000)
draw()
void begin()
