/** The steps of an order, as they come. */
import type { Connection } from './connection.ts'
import { heldWait } from './held-wait.ts'
import type { Order } from './types.ts'

/** Statuses that nothing follows. */
const ended = /cancelled|rejected|refunded|delivered/

/** Whether a step of the shop or the payment provider is on its way. */
const isAwaited = ({ status, payment }: Order) => /reserved|refund-due/.test(status) || payment === 'started'

export const changesOf = ({ read, often, sleep, random }: Connection) => ({
  /** The order now, and again whenever it has changed, until nothing can follow. */
  async *changes(orderId: string, signal?: AbortSignal): AsyncGenerator<Order, void> {
    const wait = heldWait()
    let before: string | undefined
    let steps: number | undefined
    let idleMs = 0
    for (;;) {
      const path = `/api/changes?order=${orderId}&after=${steps}`
      const held = steps && (await wait.ask(() => often(path, { signal }, 1)))
      const seen = held ? (held.body as Order) : await read<Order>(`/api/orders/${orderId}`, { signal })
      const text = JSON.stringify(seen)
      const isNew = text !== before
      if (isNew) yield seen
      if (ended.test(seen.status)) return
      idleMs = isNew ? 1000 : Math.min(2 * idleMs, 15_000)
      before = text
      const heldMs = isAwaited(seen) ? wait.nextMs(isNew, random()) : undefined
      steps = heldMs && seen.history.length
      await sleep(heldMs ?? idleMs + 500 * random(), signal)
    }
  },
})
