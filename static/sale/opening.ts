/**
 * Runs a sale page of any kind: the polling, the button, the person check, the view and the messages. The page defines the
 * request of a click and the meaning of its answer.
 */
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { signInPath } from '../../core/people/sign-in-paths.ts'
import { pageStart } from '../../core/sale/page-phase.ts'
import { availabilityIn, type Phase } from '../../core/sale/phase.ts'
import type { Countdown, Pointer } from '../../core/sale/pointer.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { localNow } from '../../web/clock.ts'
import { byId, make } from '../../web/dom.ts'
import { call } from '../../web/http.ts'
import { loadModule } from '../../web/load-module.ts'
import { passInCookies, whoIsHere } from '../../web/signed-in.ts'
import type { Voice } from '../../web/voice.ts'
import { type ButtonFacts, type ButtonState, enableJitterMs, msUntilTurn } from '../buy/button.ts'
import { requestLock, type Store } from '../buy/click.ts'
import type { ClickAnswer } from '../buy/refusal.ts'
import { lazyCheck } from './lazy-check.ts'
import type { News, OpeningKey } from './news.ts'
import {
  afterEvent,
  cooldownKeeper,
  type Intent,
  intentOf,
  type OpeningEvent,
  type OpeningState,
} from './opening-state.ts'
import { saleView } from './opening-view.ts'
import { ownTurn, passKeeper } from './pass.ts'
import { roundsView } from './rounds.ts'
import { pollSale } from './watch.ts'

/**
 * `fresh`: the first window has not started, so there is nothing to look up; undefined until the time is known. `now` and
 * `startsAt` are epoch ms on the shop's clock.
 */
type Drawn = {
  phase: Phase | undefined
  button: ButtonState
  fresh: boolean | undefined
  countdown: Countdown | undefined
  startsAt: number
  now: number
  turnMs: number | undefined
}

/** The part of one kind of sale. `beforeDraw` runs before each draw, `onDraw` after it. */
type KindOfPage = {
  beforeDraw?(seen: { pointer: Pointer | undefined; now: number; sending: boolean }): void
  purchase(): { won: boolean; unsure: boolean; owns: boolean }
  button(facts: ButtonFacts): ButtonState
  onDraw?(drawn: Drawn): void
}

export type Opening<K extends string> = ReturnType<typeof startOpening<K>>

/** Starts the page. `store` is the storage of the tab. */
export function startOpening<K extends string>(voice: Voice<K | OpeningKey>, store: Store, own: KindOfPage) {
  const page = byId('main').dataset
  const saleId = saleIdOf(page)
  const startsAt = Number(page.startsAt)
  const endsAt = Number(page.endsAt)
  const total = Number(page.stock)

  const view = saleView(voice)
  const line = newsLine<K | OpeningKey>(voice, { minutes: Number(page.minutes) })
  const rounds = roundsView(voice)
  const jitterMs = Math.random() * enableJitterMs
  const signIn = signInPath(location.pathname + location.search)
  const lock = requestLock()
  const cooldown = cooldownKeeper(store, saleId, localNow)
  const keepPass = passKeeper({ get: () => void call(fetch, '/api/pass').then(render), share: Math.random() })
  const turnOf = ownTurn(render)

  let state: OpeningState<K> = { isEnabled: false }

  const watch = pollSale(saleId, startsAt, render)
  const check = lazyCheck(page, {
    ask: (body) => call(fetch, `/api/sales/${saleId}/challenge`, { body }),
    voice,
    now: watch.now,
    onChange: render,
  })

  /** Applies the event and runs its effects. Returns the request to send. */
  function on(event: OpeningEvent<K>): Intent | undefined {
    const [next, { cooldownMs, ask, press }] = afterEvent(state, event)
    state = next
    if (cooldownMs !== undefined) cooldown.take(cooldownMs)
    const isOwn = lock.busy() || own.purchase().won || state.news?.key === 'status.notSent'
    line(!isOwn && watch.offline() ? { key: 'status.offline' } : state.news)
    if (press) byId('buy').click()
    return ask
  }

  const showNews = (news: News<K | OpeningKey> | undefined): void => void on({ kind: 'news', news })

  function render(): void {
    const { pointer, countdown } = watch.seen() ?? {}
    on({ kind: 'observed', pointer, at: localNow() })
    const now = watch.now()
    own.beforeDraw?.({ pointer, now, sending: lock.busy() })
    const remaining = state.reported?.remaining ?? pointer?.remaining ?? total
    const guest = whoIsHere() === null ? signIn : undefined
    const pass = guest === undefined ? passInCookies(document.cookie) : undefined
    const facts = {
      ...own.purchase(),
      sending: lock.busy(),
      hasToken: countdown?.startToken !== undefined,
      jitterMs,
      turnMs: turnOf(countdown, pass),
      phase: watch.phase(remaining),
      now,
      hasTime: watch.hasTime(),
      startsAt: pointer === undefined ? startsAt : pageStart(pointer, now),
      endsAt: pointer?.endsAt ?? endsAt,
      remaining,
      total,
    }
    const { phase, hasTime } = facts
    if (pointer !== undefined && phase !== undefined) {
      const idle = !(facts.sending || facts.won || facts.unsure || facts.owns)
      const moreRounds = rounds.nextAt(pointer, phase, now) !== undefined
      const turnWithin = msUntilTurn(facts) > 0 ? countdown?.spreadSeconds : undefined
      on({ kind: 'phase', phase, remaining, now, idle, signIn: guest, moreRounds, turnWithin })
      if (hasTime) rounds.draw(pointer, phase, now)
    }
    if (hasTime && guest === undefined) keepPass({ ...facts, countdown, pass })
    check.draw({ ...facts, waitMs: Math.max(cooldown.leftMs(), msUntilTurn(facts)) })
    const { releasedAt } = state
    const button = own.button({ ...facts, releasedAt, cooldownLeftMs: cooldown.leftMs(), pendingCheck: check.hold() })
    view.draw({ ...facts, button })
    if (phase !== undefined && hasTime) showOffer(phase)
    on({ kind: 'button', isEnabled: button.isEnabled, remaining, offline: watch.offline() })
    const waits = phase === 'scheduled' || phase === 'draft'
    const fresh = phase !== undefined && hasTime ? waits && facts.startsAt === startsAt : undefined
    own.onDraw?.({ ...facts, countdown, button, fresh })
  }

  function intent(): Intent | undefined {
    const startToken = watch.seen()?.countdown?.startToken
    const held = check.hold() !== undefined
    return intentOf({ startToken, phase: state.phase, unsure: own.purchase().unsure, held })
  }

  const pointer = () => watch.seen()?.pointer

  // Buttons of options (pages/seams.ts).
  const opening = [...document.querySelectorAll<HTMLButtonElement>('button[data-opens]')]
  const load = ({ value }: HTMLButtonElement) => loadModule<{ open(): void }>(value)
  for (const one of opening) one.addEventListener('click', async () => (await load(one))?.open())
  const loadAll = () => opening.forEach((one) => void load(one))
  if (location.hash) loadAll()
  window.addEventListener('hashchange', loadAll)

  window.setInterval(render, 200)
  window.addEventListener('online', watch.refresh)

  return {
    saleId,
    /** The address of the sign-in, which returns to this page. */
    signIn,
    lock,
    now: watch.now,
    news: () => state.news,
    showNews,
    render,
    /** Polls the sale at once. */
    refresh: watch.refresh,
    /** Returns the last pointer. */
    pointer,
    /** Returns the request that a click would send. */
    intent,
    /** Returns the parts of a click's request: the newest pointer that the page has read, and the solved challenge. */
    clicked: () => ({ seen: watch.seenText(), challenge: check.payload() }),
    cooldown,
    /** Handles a click: sends one request if the button is enabled. Undefined if nothing was sent. */
    async press<O>(ask: (intent: Intent) => Promise<O | undefined>): Promise<O | undefined> {
      const cooldownLeftMs = cooldown.leftMs()
      const wanted = on({ kind: 'pressed', intent: intent(), busy: lock.busy(), cooldownLeftMs })
      const asked = wanted && lock.run(() => ask(wanted))
      render()
      return asked
    },
    /**
     * Applies an answer to the cooldown, the remaining units and the challenge. `sent` is undefined when no challenge was sent.
     * `left` are the remaining units of a successful answer.
     */
    applyAnswer(outcome: ClickAnswer, sent: { isFinal: boolean } | undefined, left?: number): void {
      if (sent !== undefined) check.answered(outcome, sent.isFinal)
      on({ kind: 'answered', outcome, left, cooldownLeftMs: cooldown.leftMs(), pointer: pointer(), at: localNow() })
    },
  }
}

function saleIdOf(page: DOMStringMap): SaleId {
  const found = parseSaleId(page.saleId)
  if (found === undefined) throw new Error('the page names no sale')
  return found
}

const writtenAvailability = /(?<="availability":")[^"]*/

/** Updates the availability in the page's JSON-LD (`templates/pages/preview.ts`), which was set at the publication. */
function showOffer(phase: Phase): void {
  const element = document.getElementById('product')
  if (element !== null) element.textContent = element.textContent.replace(writtenAvailability, availabilityIn(phase))
}

/** Returns the function that shows a message. An unchanged one is not announced again. `args` are for all messages. */
function newsLine<K extends string>(voice: Pick<Voice<K>, 't'>, args: Arguments) {
  const status = byId('status')
  let shown = ''

  return (news: News<K> | undefined): void => {
    const text = news === undefined ? '' : voice.t(news.key, { ...args, ...news.args })
    const link = news?.link === undefined ? undefined : make('a', { href: news.link.href }, voice.t(news.link.key))
    const whole = `${text} ${link?.outerHTML ?? ''}`
    if (whole === shown) return
    shown = whole
    status.replaceChildren(text, ...(link === undefined ? [] : [' ', link]))
  }
}
