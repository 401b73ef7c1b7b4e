/** The sale page: joins the watch, the button's rules, the click and the view. */
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { priceOf } from '../../core/money.ts'
import type { Phase } from '../../core/phase.ts'
import type { Pointer } from '../../core/pointer.ts'
import { saleMessages } from '../messages/sale.ts'
import { buttonState, lightJitterMs } from './button.ts'
import { buy, checkPendingClick, type Outcome } from './buy.ts'
import { localNow } from './clock.ts'
import { byId, openStore, setText } from './dom.ts'
import { call } from './http.ts'
import { orderPath } from './order-path.ts'
import { pendingClick } from './pending-click.ts'
import { newsOf, phaseSeen } from './phase-seen.ts'
import { restAfter, restMs } from './rest.ts'
import { signInPath } from './return-path.ts'
import { type Intent, intentOf } from './sale/intent.ts'
import { lazyCheck } from './sale/lazy-check.ts'
import { isOutdated, type News, newsOfOutcome, newsOfReturn } from './sale/news.ts'
import { startStepper } from './sale/quantity.ts'
import { roundsView } from './sale/rounds.ts'
import { stillTold, type Told, toldBy } from './sale/told.ts'
import { oneAtATime } from './sale/turn.ts'
import { saleView } from './sale/view.ts'
import { watchSale } from './sale/watch.ts'
import { startSeen } from './slot-seen.ts'
import { startVoice } from './voice.ts'
import { whoIsHere } from './who.ts'

const page = byId('main', HTMLElement).dataset
const saleId = pageSaleId()
const startsAt = Number(page.startsAt)
const endsAt = Number(page.endsAt)
const total = Number(page.stock)
const price = { amount: Number(page.price), currency: page.currency ?? '' }

const voice = startVoice(saleMessages)
const view = saleView(voice)
const rounds = roundsView(voice)
const store = openStore('sessionStorage')
const restKey = `sluice.rest.${saleId}`
const jitterMs = Math.random() * lightJitterMs
const signIn = signInPath(location.pathname)
const turn = oneAtATime()

// On the device's clock; a stored one survives a reload, but never longer than the strictest wait we know.
let restUntil = Math.min(Number(store.getItem(restKey) ?? 0), localNow() + 60_000)
let won = false
let unsure = pendingClick(store, saleId) !== undefined
let news: News | undefined
let phaseBefore: Phase | undefined
let returnedAt: number | undefined
let told: Told | undefined

const watch = watchSale(saleId, startsAt, render)
const ports = {
  fetch: window.fetch.bind(window),
  store,
  onChecking: () => tell({ key: 'status.checking' }),
}
const check = lazyCheck(page, {
  ask: () => call(ports.fetch, `/api/sales/${saleId}/challenge`, { body: {} }),
  voice,
  now: watch.now,
  onChange: render,
})
const stepper = startStepper((quantity) => {
  const amount = voice.money(priceOf(quantity, price.amount), price.currency)
  const text = quantity === 1 ? amount : voice.t('quantity.total', { amount })
  setText(byId('price', HTMLDataElement), text)
})

function tell(next: News | undefined): void {
  news = next
  view.tell(news)
}

function render(): void {
  const now = watch.now()
  const seen = watch.seen()
  const pointer = seen?.pointer
  told = stillTold(told, pointer, localNow())
  const remaining = told?.remaining ?? pointer?.remaining ?? total
  const phase = seen === undefined ? undefined : phaseSeen(seen, now, remaining)
  if (pointer !== undefined && phase !== undefined) {
    announce(pointer, phase, remaining, now)
    rounds.draw(pointer, phase, now)
  }
  const opensAt = pointer === undefined ? startsAt : startSeen(pointer, now)
  check.draw({ phase, startsAt: opensAt, won })
  const hasToken = seen?.countdown?.startToken !== undefined
  const times = { startsAt: opensAt, endsAt: pointer?.endsAt ?? endsAt }
  const doing = { restLeftMs: restLeftMs(), sending: turn.busy(), won, unsure, hold: check.hold() }
  const button = buttonState({ phase, hasToken, now, startsAt: opensAt, returnedAt, jitterMs, ...doing })
  view.draw({ phase, button, now, ...times, remaining, total })
  if (watch.offline() && news === undefined) tell({ key: 'status.offline' })
  if (!watch.offline() && news?.key === 'status.offline') tell(undefined)
  if (isOutdated(news, button.lit, remaining)) tell(undefined)
  view.tell(news)
}

function announce(pointer: Pointer, phase: Phase, remaining: number, now: number): void {
  const key = newsOf(phaseBefore, phase, rounds.nextAt(pointer, phase, now) !== undefined)
  const first = phaseBefore === undefined
  phaseBefore = phase
  if (key === 'status.returned') returnedAt = now
  if (key === undefined || turn.busy() || won || unsure) return
  if (key === 'none') {
    const hint = first && whoIsHere() === null && phase === 'scheduled'
    if (hint) tell({ key: 'status.signInEarly', link: { href: signIn, key: 'status.toSignIn' } })
    else if (!first) tell(undefined)
  } else if (key === 'status.returned') tell(newsOfReturn(remaining))
  else if (!(phase === 'sold-out' && news?.key === 'problem.sold-out')) tell({ key })
}

async function click(): Promise<void> {
  const now = watch.now()
  if (byId('buy', HTMLButtonElement).getAttribute('aria-disabled') === 'true' || turn.busy()) return
  const startToken = watch.seen()?.countdown?.startToken
  const held = check.hold() !== undefined
  const intent = intentOf({ startToken, phase: phaseBefore, unsure, held })
  if (intent === undefined) return render()
  const quantity = stepper.value()
  const asked = turn.take(() => ask(intent, quantity, now))
  rest(Math.max(restLeftMs(), restMs))
  tell({ key: 'status.sending' })
  render()
  const outcome = await asked
  if (outcome !== undefined) settle(outcome, quantity, intent.kind === 'buy')
  render()
}

function ask(intent: Intent, quantity: number, now: number): Promise<Outcome | undefined> {
  if (intent.kind === 'check') return checkPendingClick(ports, saleId)
  const { startToken } = intent
  const challenge = check.payload()
  return buy(ports, { saleId, startToken, quantity, challenge, key: crypto.randomUUID(), now })
}

function settle(outcome: Outcome, quantity: number, bought: boolean): void {
  unsure = outcome.kind === 'unsure'
  won = outcome.kind === 'won'
  if (bought) check.told(outcome, pendingClick(store, saleId) === undefined)
  rest(restAfter(outcome, restLeftMs()))
  if (outcome.kind === 'refused' && outcome.code === 'sold-out') {
    told = toldBy(outcome.remaining, watch.seen()?.pointer, restUntil, localNow())
    if (outcome.remaining > 0) stepper.atMost(outcome.remaining)
  }
  const seconds = Math.ceil(restLeftMs() / 1000)
  tell(newsOfOutcome(outcome, { quantity, seconds, signIn, bought }))
  if (outcome.kind === 'won') window.setTimeout(() => location.assign(orderPath(outcome.orderId)), 900)
  else watch.refresh()
}

/** Ten seconds from the click, or what rest.ts makes of the answer (C7); kept, so that a reload ends no rest. */
function rest(milliseconds: number): void {
  restUntil = localNow() + milliseconds
  store.setItem(restKey, String(restUntil))
}

function restLeftMs(): number {
  return Math.max(0, restUntil - localNow())
}

function pageSaleId(): SaleId {
  const found = parseSaleId(page.saleId)
  if (found === undefined) throw new Error('the page names no sale')
  return found
}

byId('buy', HTMLButtonElement).addEventListener('click', () => void click())
voice.onChange(() => {
  stepper.redraw()
  render()
})
window.setInterval(render, 200)
window.addEventListener('pageshow', ({ persisted }) => {
  // Back from the order by the browser's own way: that click is history, and the order may be too.
  if (!persisted || !won) return
  won = false
  tell(undefined)
  watch.refresh()
})
if (unsure) {
  tell({ key: 'status.checking' })
  const check = turn.take(() => checkPendingClick(ports, saleId))
  void check.then((outcome) => {
    if (outcome?.kind === 'busy') unsure = false
    else if (outcome !== undefined) settle(outcome, 1, false)
    if (!unsure && news?.key === 'status.checking') tell(undefined)
    render()
  })
}
