/** The page of a sale that makes orders: joins what the pages of all sales do with the choice, the click and the order. */
import type { Fetch } from '../../client/http.ts'
import type { saleMessages } from '../../templates/messages/catalogues.ts'
import { byId, openStore } from '../../web/dom.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { Voice } from '../../web/voice.ts'
import { beforeChoice, beforeSignIn, buttonState } from '../buy/button.ts'
import { buy, checkPendingClick, type Outcome, type Wanted } from '../buy/buy.ts'
import { pendingClick, type Store, wasSent } from '../buy/click.ts'
import { outdatesPage } from '../buy/refusal.ts'
import type { SaleChoice } from './choice.ts'
import { earlyLine, earlyRest, withLongWait } from './early-line.ts'
import { type News, newsOfOutcome } from './news.ts'
import { type Opening, startOpening } from './opening.ts'
import type { Intent } from './opening-state.ts'
import { ownOrdersView } from './own-orders.ts'

type SaleKey = keyof typeof saleMessages

/** Starts the page; `chooser` makes what a shopper chooses with, and is given what the tab remembers. */
export function startSalePage<K extends string>(
  voice: Voice<K | SaleKey>,
  chooser: (store: Store) => SaleChoice<K>,
): void {
  const store = openStore('sessionStorage')
  const purchase = { won: false, unsure: false, owns: false }
  const choice = chooser(store)
  const drawEarly = earlyLine(voice)
  let asks: string | undefined
  let [fresh, said]: (News<K> | undefined)[] = []
  const opening = startOpening<K | SaleKey>(voice, store, {
    purchase: () => purchase,
    onLook({ sending, ...seen }) {
      fresh = choice.look({ ...seen, held: sending || purchase.unsure || purchase.won })
    },
    button(facts) {
      const state = withLongWait(voice, buttonState(facts))
      const shown =
        whoIsHere() === null ? beforeSignIn(state) : choice.wanted() === undefined ? beforeChoice(state) : state
      asks = shown.kind
      return shown
    },
    onDraw: (drawn) => {
      drawEarly(drawn)
      early.look(drawn)
      const { phase } = drawn
      if (phase === 'open' && !purchase.owns && fresh !== undefined) sayOfChoice(fresh)
    },
  })
  const early = earlyRest(opening.rest)
  const ask = asker(fetch, opening, store)
  const owned = ownOrdersView(fetch, opening, purchase, voice)
  const pending = () => wasSent(pendingClick(store, opening.saleId))

  function sayOfChoice(news: News<K> | undefined): void {
    said = news
    opening.showNews(news)
  }

  async function click(): Promise<void> {
    if (purchase.owns) return owned.leave()
    if (asks === 'sign-in') return location.assign(opening.signIn)
    if (asks === 'choose') return sayOfChoice(choice.ask())
    const wanted = choice.wanted()
    if (wanted === undefined) return
    const now = opening.now()
    let bought = false
    const outcome = await opening.press((intent) => {
      bought = intent.kind === 'buy'
      early.clicked()
      return ask(intent, wanted, now)
    })
    if (outcome !== undefined) settle(outcome, wanted, bought)
    opening.render()
  }

  function settle(outcome: Outcome, wanted: Wanted, bought: boolean): void {
    // A click that never left the device says nothing about an earlier one.
    if (outcome.kind !== 'offline') purchase.unsure = outcome.kind === 'unsure'
    purchase.won = outcome.kind === 'won'
    opening.applyAnswer(outcome, bought ? { settled: !pending() } : undefined)
    if (outcome.kind === 'refused') early.clicked(outcome.code)
    const ofChoice = outcome.kind === 'refused' ? choice.refused(outcome, wanted, opening.now()) : undefined
    const { quantity } = wanted
    const seconds = Math.ceil(opening.rest.leftMs() / 1000)
    if (ofChoice !== undefined) sayOfChoice(ofChoice)
    else opening.showNews(newsOfOutcome(outcome, { quantity, seconds, signIn: opening.signIn, bought }))
    if (outcome.kind === 'won') owned.won(outcome, quantity)
    else if (outdatesPage(outcome)) opening.refresh()
    if (outcome.kind === 'refused' && outcome.code === 'limit-reached') void owned.atLimit()
  }

  /** A click of an earlier visit to the page, whose answer is not known. */
  async function lookForEarlierClick(): Promise<void> {
    const unknown = { quantity: 1 }
    purchase.unsure = true
    opening.showNews({ key: 'status.checking' })
    const outcome = await opening.turn.take(() => ask({ kind: 'check' }, unknown, opening.now()))
    if (outcome?.kind === 'busy') purchase.unsure = false
    else if (outcome !== undefined) settle(outcome, unknown, false)
    if (!purchase.unsure && opening.news()?.key === 'status.checking') opening.showNews(undefined)
    opening.render()
  }

  byId('buy', HTMLButtonElement).addEventListener('click', () => void click())
  voice.onChange(() => {
    choice.redraw()
    opening.render()
  })
  choice.onChange(() => {
    if (opening.news() === said) opening.showNews(undefined)
    opening.render()
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    // Back from the order by the browser's own way: that click is history, and so may be the order.
    if (!persisted || !purchase.won) return
    purchase.won = false
    opening.showNews(undefined)
    opening.refresh()
    void owned.look()
  })
  if (pending()) void lookForEarlierClick()
  else void owned.look()
}

/** Sends clicks: a request for units, or the look-up of an earlier click. */
function asker<K extends string>(fetch: Fetch, opening: Opening<K | SaleKey>, store: Store) {
  const { saleId } = opening
  const ports = {
    fetch,
    store,
    onChecking: () => opening.showNews({ key: 'status.checking' }),
    wait: (milliseconds: number) => new Promise<void>((done) => window.setTimeout(done, milliseconds)),
    random: Math.random,
    online: () => navigator.onLine,
  }
  return (intent: Intent, wanted: Wanted, now: number): Promise<Outcome | undefined> => {
    if (intent.kind === 'check') return checkPendingClick(ports, saleId, now)
    return buy(ports, { ...intent, ...opening.clicked(), saleId, wanted, key: crypto.randomUUID(), now })
  }
}
