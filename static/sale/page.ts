/** Runs the page of a sale of goods or coupons: the shared sale page with the choice, the click and the order. */
import type { Fetch } from '../../client/http.ts'
import type { saleMessages } from '../../templates/messages/catalogues.ts'
import { byId, openStore } from '../../web/dom.ts'
import { whoIsHere } from '../../web/signed-in.ts'
import type { Voice } from '../../web/voice.ts'
import { buttonState, toChoiceButton, toSignInButton } from '../buy/button.ts'
import { type BuyOutcome, buy, type ChosenUnits, checkPendingClick } from '../buy/buy.ts'
import { pendingClick, type Store, wasSent } from '../buy/click.ts'
import { outdatesPage } from '../buy/refusal.ts'
import type { SaleChoice } from './choice.ts'
import { earlyCooldown, earlyLine, withLongWait } from './early-line.ts'
import { type News, newsOfOutcome } from './news.ts'
import { type Opening, startOpening } from './opening.ts'
import type { Intent } from './opening-state.ts'
import { ownOrdersView } from './own-orders.ts'

type SaleKey = keyof typeof saleMessages

/** Starts the page. `chooser` creates the choice, and receives the storage of the tab. */
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
    beforeDraw({ sending, ...seen }) {
      fresh = choice.update({ ...seen, held: sending || purchase.unsure || purchase.won })
    },
    button(facts) {
      const state = withLongWait(voice, buttonState(facts))
      const shown =
        whoIsHere() === null ? toSignInButton(state) : choice.chosen() === undefined ? toChoiceButton(state) : state
      asks = shown.kind
      return shown
    },
    onDraw: (drawn) => {
      drawEarly(drawn)
      early.update(drawn)
      const { phase } = drawn
      if (phase === 'open' && !purchase.owns && fresh !== undefined) sayOfChoice(fresh)
    },
  })
  const early = earlyCooldown(opening.cooldown)
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
    const units = choice.chosen()
    if (units === undefined) return
    const now = opening.now()
    let bought = false
    const outcome = await opening.press((intent) => {
      bought = intent.kind === 'buy'
      early.clicked()
      return ask(intent, units, now)
    })
    if (outcome !== undefined) applyOutcome(outcome, units, bought)
    opening.render()
  }

  function applyOutcome(outcome: BuyOutcome, units: ChosenUnits, bought: boolean): void {
    // A click that never left the device says nothing about an earlier one.
    if (outcome.kind !== 'offline') purchase.unsure = outcome.kind === 'unsure'
    purchase.won = outcome.kind === 'won'
    opening.applyAnswer(outcome, bought ? { isFinal: !pending() } : undefined)
    if (outcome.kind === 'refused') early.clicked(outcome.code)
    const ofChoice = outcome.kind === 'refused' ? choice.refused(outcome, units, opening.now()) : undefined
    const { quantity } = units
    const seconds = Math.ceil(opening.cooldown.leftMs() / 1000)
    if (ofChoice !== undefined) sayOfChoice(ofChoice)
    else opening.showNews(newsOfOutcome(outcome, { quantity, seconds, signIn: opening.signIn, bought }))
    if (outcome.kind === 'won') owned.won(outcome, quantity)
    else if (outdatesPage(outcome)) opening.refresh()
    if (outcome.kind === 'refused' && outcome.code === 'limit-reached') void owned.atLimit()
  }

  /** Looks up the result of a click from before a reload. */
  async function resolveEarlierClick(): Promise<void> {
    const unknown = { quantity: 1 }
    purchase.unsure = true
    opening.showNews({ key: 'status.checking' })
    const outcome = await opening.lock.run(() => ask({ kind: 'check' }, unknown, opening.now()))
    if (outcome?.kind === 'busy') purchase.unsure = false
    else if (outcome !== undefined) applyOutcome(outcome, unknown, false)
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
    // The shopper navigated back from the order, which may have ended.
    if (!persisted || !purchase.won) return
    purchase.won = false
    opening.showNews(undefined)
    opening.refresh()
    void owned.showEarlier()
  })
  if (pending()) void resolveEarlierClick()
  else void owned.showEarlier()
}

/** Returns the function that sends a click: a purchase, or the lookup of an earlier click. */
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
  return (intent: Intent, units: ChosenUnits, now: number): Promise<BuyOutcome | undefined> => {
    if (intent.kind === 'check') return checkPendingClick(ports, saleId, now)
    return buy(ports, { ...intent, ...opening.clicked(), saleId, units, key: crypto.randomUUID(), now })
  }
}
