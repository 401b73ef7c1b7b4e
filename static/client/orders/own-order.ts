/** The page of one order: what it shows, its buttons, and the announcements of changes. */
import type { OrderView } from '../../../core/api/shop.ts'
import { type OrderStage, stageOf } from '../../../core/order-stage.ts'
import { askFirst, dismissConfirm } from '../confirm.ts'
import { make } from '../dom.ts'
import type { Fetch } from '../http.ts'
import { giveBack, openPayment, type Trouble } from './changes.ts'
import { type Doing, drawOrder, sayLead, tickOrder, titleOf } from './one.ts'
import type { OrdersVoice } from './orders-voice.ts'
import type { SaleCard } from './sale-card.ts'

/** A browser that refuses to leave says nothing about it; after this long the button can be pressed again. */
const leavingMs = 10_000

type Place = {
  voice: OrdersVoice
  fetch: Fetch
  /** The shop's time, epoch ms. */
  now(): number
  show(element: HTMLElement): void
  /** Announces changes to screen readers. */
  announce(...nodes: Node[]): void
  /** The order may not be what the page shows. */
  doubt(): void
}

export type OwnOrder = ReturnType<typeof ownOrder>

export function ownOrder({ voice, fetch, now, show, announce, doubt }: Place, card: SaleCard) {
  let order: OrderView | undefined
  let stage: OrderStage | undefined
  let doing: Doing | undefined
  let trouble: Trouble | undefined

  function draw(): void {
    if (order === undefined || stage === undefined) return
    show(drawOrder(voice, { order, card, stage, now: now(), doing, trouble }, wishes))
  }

  /** The page shows `fresh`; true when that is news. Draws nothing when nothing changed. */
  function take(fresh: OrderView): boolean {
    // Answers may overtake each other; the history only grows, so a shorter one is older.
    if (order !== undefined && fresh.history.length < order.history.length) return false
    const reached = stageOf(fresh, now())
    const moved = reached !== stage
    if (!moved && JSON.stringify(fresh) === JSON.stringify(order)) return false
    const isFirst = order === undefined
    order = fresh
    stage = reached
    if (moved) {
      trouble = undefined
      dismissConfirm()
    }
    draw()
    if (moved && !isFirst) {
      const seen = { order: fresh, card, stage: reached }
      announce(make('p', {}, titleOf(voice, seen)), make('p', {}, sayLead(voice, seen)))
    }
    return true
  }

  function begin(next: Doing): void {
    doing = next
    trouble = undefined
    draw()
  }

  function end(reason: Trouble | undefined): void {
    doing = undefined
    trouble = reason
    draw()
  }

  async function pay(): Promise<void> {
    if (order === undefined || doing !== undefined) return
    begin('pay')
    const opened = await openPayment(fetch, order.orderId, location.origin)
    if (opened.kind === 'go') {
      location.assign(opened.url)
      window.setTimeout(() => doing === 'pay' && end(undefined), leavingMs)
      return
    }
    end(opened.trouble)
    doubt()
  }

  async function giveItBack(): Promise<void> {
    if (order === undefined || doing !== undefined || !(await isMeant(order))) return
    begin('give-back')
    const given = await giveBack(fetch, order.orderId)
    end(given.kind === 'done' ? undefined : given.trouble)
    if (given.kind === 'done') take(given.order)
    else doubt()
  }

  async function isMeant({ quantity, payment }: OrderView): Promise<boolean> {
    const said = [
      voice.t('giveBack.text', { n: quantity, title: card.title }),
      voice.t(payment === 'started' ? 'giveBack.paying' : 'order.money.none'),
    ]
    const yes = { value: 'yes', label: voice.t('order.giveBack'), kind: 'danger' } as const
    return (await askFirst(voice.t('giveBack.title'), said, [yes], voice.t('giveBack.no'))) === 'yes'
  }

  const wishes = { pay: () => void pay(), 'give-back': () => void giveItBack() }

  return {
    take,
    draw,
    stage: () => stage,
    /** Runs every second: updates the time left to pay, and redraws the order at its end. */
    tick(): void {
      if (order !== undefined && !take(order)) tickOrder(voice, order, now())
    },
    /** Back from the payment page by the browser's own way: nothing is being done any more. */
    returned(): void {
      if (doing !== undefined) end(undefined)
    },
  }
}
