/**
 * A page that waits for its sale, of any kind: joins the watch, the button's rules, the check, the
 * view and the messages about the sale. The page itself defines what a click requests and what its
 * answer means.
 */

import { restMs } from '../../../core/buy-request.ts'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import type { Phase } from '../../../core/phase.ts'
import type { Pointer } from '../../../core/pointer.ts'
import { type ButtonFacts, type ButtonState, lightJitterMs } from '../button.ts'
import { localNow } from '../clock.ts'
import { byId, setText } from '../dom.ts'
import { call } from '../http.ts'
import type { Store } from '../pending-click.ts'
import { newsOf } from '../phase-seen.ts'
import type { Settled } from '../refusal.ts'
import { restAfter } from '../rest.ts'
import { signInPath } from '../return-path.ts'
import type { Voice } from '../voice.ts'
import { whoIsHere } from '../who.ts'
import { startSeen } from '../window-seen.ts'
import { type Intent, intentOf } from './intent.ts'
import { lazyCheck } from './lazy-check.ts'
import { isOutdated, type News, newsOfReturn, type OpeningKey } from './news.ts'
import { newsLine } from './news-line.ts'
import { type Reported, reportedBy, wasPublished } from './reported.ts'
import { restKeeper } from './rest-keeper.ts'
import { roundsView } from './rounds.ts'
import { oneAtATime } from './turn.ts'
import { saleView } from './view.ts'
import { watchSale } from './watch.ts'

/**
 * `fresh`: the first window has not started, so there is nothing to look up yet; undefined until
 * the time is known.
 */
type Drawn = { phase: Phase | undefined; button: ButtonState; fresh: boolean | undefined }

/** What the page makes of its clicks; `onDraw` comes after every draw. */
type Own = {
  hand(): { won: boolean; unsure: boolean; owns: boolean }
  button(facts: ButtonFacts): ButtonState
  onDraw(drawn: Drawn): void
}

/** Starts the page. `store` is what the tab remembers. */
export function startOpening<K extends string>(voice: Voice<K | OpeningKey>, store: Store, own: Own) {
  const page = byId('main', HTMLElement).dataset
  const saleId = saleIdOf(page)
  const startsAt = Number(page.startsAt)
  const endsAt = Number(page.endsAt)
  const total = Number(page.stock)
  const fetch = window.fetch.bind(window)

  const view = saleView(voice)
  const connection = byId('connection', HTMLElement)
  const line = newsLine<K | OpeningKey>(voice)
  const rounds = roundsView(voice)
  const jitterMs = Math.random() * lightJitterMs
  const signIn = signInPath(location.pathname)
  const turn = oneAtATime()
  const rest = restKeeper(store, saleId, localNow)

  let news: News<K | OpeningKey> | undefined
  let phaseBefore: Phase | undefined
  let returnedAt: number | undefined
  let reported: Reported | undefined
  let lit = false

  const watch = watchSale(saleId, startsAt, render)
  const check = lazyCheck(page, {
    ask: () => call(fetch, `/api/sales/${saleId}/challenge`, { body: {} }),
    voice,
    now: watch.now,
    onChange: render,
  })

  function showNews(next: News<K | OpeningKey> | undefined): void {
    news = next
    line(news)
  }

  function render(): void {
    const now = watch.now()
    const seen = watch.seen()
    const pointer = seen?.pointer
    reported = wasPublished(reported, pointer, localNow())
    const remaining = reported?.remaining ?? pointer?.remaining ?? total
    const phase = watch.phase(remaining)
    const hasTime = watch.hasTime()
    if (pointer !== undefined && phase !== undefined) {
      announce(pointer, phase, remaining, now)
      if (hasTime) rounds.draw(pointer, phase, now)
    }
    const { won, unsure, owns } = own.hand()
    const opensAt = pointer === undefined ? startsAt : startSeen(pointer, now)
    check.draw({ phase, startsAt: opensAt, won })
    const hasToken = seen?.countdown?.startToken !== undefined
    const doing = { restLeftMs: rest.leftMs(), sending: turn.busy(), won, unsure, owns, hold: check.hold() }
    const button = own.button({ phase, hasToken, now, startsAt: opensAt, returnedAt, jitterMs, ...doing })
    lit = button.lit
    const times = { now, hasTime, startsAt: opensAt, endsAt: pointer?.endsAt ?? endsAt }
    view.draw({ phase, button, ...times, remaining, total })
    setText(connection, watch.offline() ? voice.t('status.offline') : '')
    if (isOutdated(news, button.lit, remaining)) showNews(undefined)
    line(news)
    const waits = phase === 'scheduled' || phase === 'draft'
    const fresh = phase !== undefined && hasTime ? waits && opensAt === startsAt : undefined
    own.onDraw({ phase, button, fresh })
  }

  function announce(pointer: Pointer, phase: Phase, remaining: number, now: number): void {
    const key = newsOf(phaseBefore, phase, rounds.nextAt(pointer, phase, now) !== undefined)
    const first = phaseBefore === undefined
    phaseBefore = phase
    if (key === 'status.returned') returnedAt = now
    const { won, unsure, owns } = own.hand()
    if (key === undefined || turn.busy() || won || unsure || owns) return
    if (key === 'none') {
      const hint = first && whoIsHere() === null && phase === 'scheduled'
      if (hint) showNews({ key: 'status.signInEarly', link: { href: signIn, key: 'status.toSignIn' } })
      else if (!first) showNews(undefined)
    } else if (key === 'status.returned') showNews(newsOfReturn(remaining))
    else if (!(phase === 'sold-out' && news?.key === 'problem.sold-out')) showNews({ key })
  }

  function intent(): Intent | undefined {
    const startToken = watch.seen()?.countdown?.startToken
    const held = check.hold() !== undefined
    return intentOf({ startToken, phase: phaseBefore, unsure: own.hand().unsure, held })
  }

  window.setInterval(render, 200)
  window.addEventListener('offline', render)
  window.addEventListener('online', watch.refresh)

  return {
    saleId,
    /** The way to sign in and back. */
    signIn,
    turn,
    now: watch.now,
    news: () => news,
    showNews,
    render,
    /** Looks at the sale at once instead of at the next turn. */
    refresh: watch.refresh,
    /** Whether the page can say when a next round starts (R7). */
    moreRounds(): boolean {
      const pointer = watch.seen()?.pointer
      return pointer !== undefined && pointer.nextStartsAt !== null
    },
    /** What a click would ask for now. */
    intent,
    /** The solved challenge to send with a click, if there is one. */
    challenge: () => check.payload(),
    restLeftMs: rest.leftMs,
    /** A click: asks once, where the button is lit, and rests. Undefined when nothing was asked, or nothing answered. */
    async press<O>(ask: (intent: Intent) => Promise<O | undefined>): Promise<O | undefined> {
      if (!lit || turn.busy()) return undefined
      const wanted = intent()
      if (wanted === undefined) {
        render()
        return undefined
      }
      rest.take(Math.max(rest.leftMs(), restMs))
      showNews({ key: 'status.sending' })
      const asked = turn.take(() => ask(wanted))
      render()
      return asked
    },
    /** How many an answer said are left: fresher than the pointer that the page holds, until the next one comes. */
    heedRemaining(remaining: number): void {
      const now = localNow()
      reported = reportedBy(remaining, watch.seen()?.pointer, now, now)
    },
    /**
     * What an answer means for the rest, for what is left, and for a challenge that went with the click; `sent` is undefined
     * when none could.
     */
    heed(outcome: Settled, sent: { settled: boolean } | undefined): void {
      if (sent !== undefined) check.answered(outcome, sent.settled)
      rest.take(restAfter(outcome, rest.leftMs()))
      if (outcome.kind === 'refused' && outcome.code === 'sold-out') {
        reported = reportedBy(outcome.remaining, watch.seen()?.pointer, rest.until(), localNow())
      }
    },
  }
}

function saleIdOf(page: DOMStringMap): SaleId {
  const found = parseSaleId(page.saleId)
  if (found === undefined) throw new Error('the page names no sale')
  return found
}
