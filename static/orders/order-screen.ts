/** The page of one order: what it shows, and the announcements of changes. */
import type { Fetch } from '../../client/http.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { type OrderStage, stageOf, stageShown } from '../../core/orders/order-stage.ts'
import { dismissConfirm } from '../../web/confirm.ts'
import { make } from '../../web/dom.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { drawOrder, sayLead, tickOrder, titleOf } from './order-view.ts'
import { orderWork } from './order-work.ts'
import type { OrdersVoice } from './orders-voice.ts'

type Place = {
  voice: OrdersVoice
  fetch: Fetch
  /** Whether the shopper has come back from the payment, whose result is not known yet. */
  isBack(): boolean
  /** The shop's time, epoch ms. */
  now(): number
  show(element: HTMLElement): void
  /** Announces changes to screen readers. */
  announce(...nodes: Node[]): void
  /** The order may not be what the page shows. */
  doubt(): void
}

export type OwnOrder = ReturnType<typeof ownOrder>

export function ownOrder({ voice, fetch, isBack, now, show, announce, doubt }: Place, card: SaleCard) {
  let order: OrderView | undefined
  let stage: OrderStage | undefined
  const work = orderWork({ voice, fetch, doubt }, card, { order: () => order, take, draw })

  function draw(): void {
    if (order === undefined || stage === undefined) return
    show(drawOrder(voice, { order, card, stage, now: now(), ...work.seen() }, work.handlers))
  }

  /** The page shows `fresh`; true when that is news. Draws nothing when nothing changed. */
  function take(fresh: OrderView): boolean {
    // Answers may overtake each other; the history only grows, so a shorter one is older.
    if (order !== undefined && fresh.history.length < order.history.length) return false
    if (fresh !== order) work.followAddress(fresh)
    const reached = stageShown(stageOf(fresh, now()), isBack())
    const moved = reached !== stage
    if (!moved && JSON.stringify(fresh) === JSON.stringify(order)) return false
    const isFirst = order === undefined
    order = fresh
    stage = reached
    if (moved) {
      work.forgetTrouble()
      dismissConfirm()
    }
    draw()
    if (moved && !isFirst) {
      const seen = { order: fresh, card, stage: reached }
      announce(make('p', {}, titleOf(voice, seen)), make('p', {}, sayLead(voice, seen)))
    }
    return true
  }

  return {
    take,
    draw,
    stage: () => stage,
    /** As a press of its button. */
    pay: work.handlers.pay,
    /** Runs every second: updates the time left to pay; at its end redraws the order, which the shop is then asked for. */
    tick(): void {
      if (order === undefined) return
      if (take(order)) doubt()
      else tickOrder(voice, order, now())
    },
    /** Back from the payment page by the browser's own way: nothing is being done any more. */
    returned: work.stop,
  }
}
