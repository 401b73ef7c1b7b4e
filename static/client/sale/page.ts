/**
 * The page of a sale that makes orders: joins what the pages of all sales do with the quantity, the
 * click and the order.
 */
import type { saleMessages } from '../../messages/sale.ts'
import { buttonState } from '../button.ts'
import { buy, checkPendingClick, type Outcome } from '../buy.ts'
import { byId, openStore } from '../dom.ts'
import type { Fetch } from '../http.ts'
import { pendingClick, type Store } from '../pending-click.ts'
import { outdatesPage } from '../refusal.ts'
import type { Voice } from '../voice.ts'
import type { Intent } from './intent.ts'
import { newsOfOutcome } from './news.ts'
import { type Opening, startOpening } from './opening.ts'
import { ownedView } from './owned.ts'
import { startStepper } from './quantity.ts'

/**
 * Starts the page. `onQuantity` gets every quantity that the next click asks for, where a shopper
 * may choose one.
 */
export function startSalePage(
  voice: Voice<keyof typeof saleMessages>,
  onQuantity: (quantity: number) => void,
): void {
  const fetch = window.fetch.bind(window)
  const store = openStore('sessionStorage')
  const hand = { won: false, unsure: false, owns: false }
  const opening = startOpening(voice, store, { hand: () => hand, button: buttonState })
  const ask = asker(fetch, opening, store)
  const owned = ownedView(fetch, opening, hand)
  const stepper = startStepper(onQuantity)
  const pending = () => pendingClick(store, opening.saleId) !== undefined

  async function click(): Promise<void> {
    if (hand.owns) return owned.leave()
    const now = opening.now()
    const quantity = stepper.value()
    let bought = false
    const outcome = await opening.press((intent) => {
      bought = intent.kind === 'buy'
      return ask(intent, quantity, now)
    })
    if (outcome !== undefined) settle(outcome, quantity, bought)
    opening.render()
  }

  function settle(outcome: Outcome, quantity: number, bought: boolean): void {
    // A click that never left the device says nothing about an earlier one.
    if (outcome.kind !== 'offline') hand.unsure = outcome.kind === 'unsure'
    hand.won = outcome.kind === 'won'
    opening.heed(outcome, bought ? { settled: !pending() } : undefined)
    if (outcome.kind === 'refused' && outcome.code === 'sold-out' && outcome.remaining > 0) {
      stepper.atMost(outcome.remaining)
    }
    const seconds = Math.ceil(opening.restLeftMs() / 1000)
    opening.showNews(newsOfOutcome(outcome, { quantity, seconds, signIn: opening.signIn, bought }))
    if (outcome.kind === 'won') owned.won(outcome, quantity)
    else if (outdatesPage(outcome)) opening.refresh()
    if (outcome.kind === 'refused' && outcome.code === 'limit-reached') void owned.atLimit()
  }

  /** A click of an earlier visit to the page, whose answer is not known. */
  async function lookForEarlierClick(): Promise<void> {
    hand.unsure = true
    opening.showNews({ key: 'status.checking' })
    const outcome = await opening.turn.take(() => ask({ kind: 'check' }, 1, opening.now()))
    if (outcome?.kind === 'busy') hand.unsure = false
    else if (outcome !== undefined) settle(outcome, 1, false)
    if (!hand.unsure && opening.news()?.key === 'status.checking') opening.showNews(undefined)
    opening.render()
  }

  byId('buy', HTMLButtonElement).addEventListener('click', () => void click())
  voice.onChange(() => {
    stepper.redraw()
    opening.render()
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    // Back from the order by the browser's own way: that click is history, and so may be the order.
    if (!persisted || !hand.won) return
    hand.won = false
    opening.showNews(undefined)
    opening.refresh()
    void owned.look()
  })
  if (pending()) void lookForEarlierClick()
  else void owned.look()
}

/** Sends clicks: a request for units, or the look-up of an earlier click. */
function asker(fetch: Fetch, opening: Opening<keyof typeof saleMessages>, store: Store) {
  const { saleId } = opening
  const ports = {
    fetch,
    store,
    onChecking: () => opening.showNews({ key: 'status.checking' }),
    wait: (milliseconds: number) => new Promise<void>((done) => window.setTimeout(done, milliseconds)),
    random: Math.random,
    online: () => navigator.onLine,
  }
  return (intent: Intent, quantity: number, now: number): Promise<Outcome | undefined> => {
    if (intent.kind === 'check') return checkPendingClick(ports, saleId, now)
    const { startToken } = intent
    const [seen, challenge] = [opening.seen(), opening.challenge()]
    return buy(ports, { saleId, startToken, seen, quantity, challenge, key: crypto.randomUUID(), now })
  }
}
