/** The page of a sale that makes orders: joins what the pages of all sales do with the quantity, the click and the order. */
import type { saleMessages } from '../../messages/sale.ts'
import { buttonState } from '../button.ts'
import { buy, checkPendingClick, type Outcome } from '../buy.ts'
import { byId, openStore } from '../dom.ts'
import { orderPath, ordersPath } from '../order-path.ts'
import { pendingClick } from '../pending-click.ts'
import type { Voice } from '../voice.ts'
import { whoIsHere } from '../who.ts'
import type { Intent } from './intent.ts'
import { newsOfOutcome } from './news.ts'
import { startOpening } from './opening.ts'
import { type Owned, ownOrders } from './own-orders.ts'
import { startStepper } from './quantity.ts'

/** Starts the page. `onQuantity` gets every quantity that the next click asks for, where a shopper may choose one. */
export function startSalePage(
  voice: Voice<keyof typeof saleMessages>,
  onQuantity: (quantity: number) => void,
): void {
  const store = openStore('sessionStorage')
  const limit = Number(byId('main').dataset.limit)
  const hand = { won: false, unsure: false, owns: false }

  const opening = startOpening(voice, store, {
    hand: () => hand,
    button: buttonState,
    onDraw: () => undefined,
  })
  const { saleId } = opening
  const ports = {
    fetch: window.fetch.bind(window),
    store,
    onChecking: () => opening.showNews({ key: 'status.checking' }),
    wait: (milliseconds: number) => new Promise<void>((done) => window.setTimeout(done, milliseconds)),
    random: Math.random,
    online: () => navigator.onLine,
  }
  const own = ownOrders({ fetch: ports.fetch, store: openStore('localStorage'), who: whoIsHere }, saleId)
  const stepper = startStepper(onQuantity)

  async function click(): Promise<void> {
    if (hand.owns) {
      const owned = own.remembered()
      return location.assign(owned === undefined ? ordersPath : orderPath(owned.orderId))
    }
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

  function ask(intent: Intent, quantity: number, now: number): Promise<Outcome | undefined> {
    if (intent.kind === 'check') return checkPendingClick(ports, saleId, now)
    const { startToken } = intent
    const challenge = opening.challenge()
    return buy(ports, { saleId, startToken, quantity, challenge, key: crypto.randomUUID(), now })
  }

  function settle(outcome: Outcome, quantity: number, bought: boolean): void {
    // A click that never left the device says nothing about an earlier one.
    if (outcome.kind !== 'offline') hand.unsure = outcome.kind === 'unsure'
    hand.won = outcome.kind === 'won'
    opening.heed(outcome, bought ? { settled: pendingClick(store, saleId) === undefined } : undefined)
    if (outcome.kind === 'refused' && outcome.code === 'sold-out' && outcome.remaining > 0) {
      stepper.atMost(outcome.remaining)
    }
    const seconds = Math.ceil(opening.restLeftMs() / 1000)
    opening.showNews(newsOfOutcome(outcome, { quantity, seconds, signIn: opening.signIn, bought }))
    if (outcome.kind === 'won') {
      const before = outcome.repeat ? 0 : (own.remembered()?.quantity ?? 0)
      own.remember({ orderId: outcome.orderId, quantity: before + quantity })
      window.setTimeout(() => location.assign(orderPath(outcome.orderId)), 900)
    } else opening.refresh()
    if (outcome.kind === 'refused' && outcome.code === 'limit-reached') void lookAtLimit()
  }

  /** Shows what the shopper has of this sale: waiting changes nothing for who has as many as one may have. */
  function showOwned(owned: Owned | undefined): void {
    hand.owns = owned !== undefined && owned.quantity >= limit
    const key = hand.owns ? 'problem.limit-reached' : 'status.owned'
    const shown = opening.news()?.key
    if (owned !== undefined)
      opening.showNews({ key, link: { href: orderPath(owned.orderId), key: 'status.toOrder' } })
    else if (shown === 'status.owned' || shown === 'problem.limit-reached') opening.showNews(undefined)
    opening.render()
  }

  /** Why the limit was reached: what the shopper has, or what they asked for on top of it. */
  async function lookAtLimit(): Promise<void> {
    // A limit of one needs no numbers, and the orders may take a moment to arrive.
    hand.owns = limit === 1
    opening.render()
    const owned = await own.look()
    if (owned === 'unknown' || owned === undefined) return
    showOwned(owned)
    if (hand.owns) return
    const args = { limit, held: owned.quantity, left: limit - owned.quantity }
    opening.showNews({
      key: 'status.limitLeft',
      args,
      link: { href: orderPath(owned.orderId), key: 'status.toOrder' },
    })
  }

  /** Who has won here before finds the way to the order; it may have been cancelled since. */
  async function lookForOwnOrders(): Promise<void> {
    const remembered = own.remembered()
    if (remembered === undefined) return
    showOwned(remembered)
    const owned = await own.look()
    if (owned !== 'unknown') showOwned(owned)
  }

  /** A click of an earlier visit to the page, whose answer is not known. */
  async function lookForEarlierClick(): Promise<void> {
    hand.unsure = true
    opening.showNews({ key: 'status.checking' })
    const outcome = await opening.turn.take(() => checkPendingClick(ports, saleId, opening.now()))
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
    // Back from the order by the browser's own way: that click is history, and the order may be too.
    if (!persisted || !hand.won) return
    hand.won = false
    opening.showNews(undefined)
    opening.refresh()
    void lookForOwnOrders()
  })
  if (pendingClick(store, saleId) !== undefined) void lookForEarlierClick()
  else void lookForOwnOrders()
}
