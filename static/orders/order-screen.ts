/** Runs the page of one order: shows it and announces its changes. */
import type { Fetch } from '../../client/http.ts'
import type { OrderView } from '../../core/api/shop.ts'
import { type OrderStage, stageOf, stageShown } from '../../core/orders/order-stage.ts'
import { dismissConfirm } from '../../web/confirm.ts'
import { make } from '../../web/dom.ts'
import type { SaleCard } from '../../web/sale-card.ts'
import { drawOrder, leadText, tickOrder, titleOf } from './order-view.ts'
import { orderWork } from './order-work.ts'
import type { OrdersVoice } from './orders-voice.ts'

type Place = {
  voice: OrdersVoice
  fetch: Fetch
  /** True after the return from the payment page, while the result is unknown. */
  isBack(): boolean
  /** Returns the shop's time, epoch ms. */
  now(): number
  show(element: HTMLElement): void
  /** Announces changes to screen readers. */
  announce(...nodes: Node[]): void
  /** Called when the page may show a stale order. */
  onStale(): void
}

export type OrderScreen = ReturnType<typeof createOrderScreen>

export function createOrderScreen({ voice, fetch, isBack, now, show, announce, onStale }: Place, card: SaleCard) {
  let order: OrderView | undefined
  let stage: OrderStage | undefined
  const work = orderWork({ voice, fetch, onStale }, card, { order: () => order, take, draw })

  function draw(): void {
    if (order === undefined || stage === undefined) return
    show(drawOrder(voice, { order, card, stage, now: now(), ...work.seen() }, work.handlers))
  }

  /** Shows `fresh` if it differs. Returns true if it does. */
  function take(fresh: OrderView): boolean {
    // Answers may arrive out of order. The history only grows, so a shorter one is stale.
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
      announce(make('p', {}, titleOf(voice, seen)), make('p', {}, leadText(voice, seen)))
    }
    return true
  }

  return {
    take,
    draw,
    stage: () => stage,
    /** Does the same as a click on the pay button. */
    pay: work.handlers.pay,
    /** Updates the time left to pay, each second. At its end it redraws the order and reads it again. */
    tick(): void {
      if (order === undefined) return
      if (take(order)) onStale()
      else tickOrder(voice, order, now())
    },
    /** Call it when the shopper navigates back from the payment page. */
    returned: work.stop,
  }
}
