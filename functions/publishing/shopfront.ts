/**
 * Refreshes pointers for many at once. Calls made while one refresh runs share the next one; and while a rush
 * goes on, when the next batch of orders is sure to bring its own call, a pointer of the last half second is
 * fresh enough, unless the sale is sold out: that is told at once.
 */
import type { SaleId } from '../../core/ids.ts'
import { createPointerPublisher, type PointerPorts } from './pointer.ts'

/** Browsers and the CDN look once a second. */
const freshEnoughMs = 500

/** `moreToCome`: the caller knows that another call will follow soon. */
export type Refresh = (saleId: SaleId, moreToCome: boolean) => Promise<void>

/**
 * `refresh` resolves once a pointer was published that began after the call, so it holds all that the caller
 * did before; or, with more to come, once it knows that the public one will do.
 */
export function sharedRefresh(ports: PointerPorts): { refresh: Refresh } {
  const publish = createPointerPublisher(ports)
  const publishedAt = new Map<SaleId, number>()
  const running = new Map<SaleId, Promise<void>>()
  const next = new Map<SaleId, Promise<void>>()

  const start = (saleId: SaleId): Promise<void> => {
    next.delete(saleId)
    publishedAt.set(saleId, ports.clock())
    const run = publish(saleId).finally(() => {
      if (running.get(saleId) === run) running.delete(saleId)
    })
    running.set(saleId, run)
    return run
  }

  return {
    async refresh(saleId, moreToCome) {
      const age = ports.clock() - (publishedAt.get(saleId) ?? 0)
      if (moreToCome && age < freshEnoughMs && (await ports.stock.of(saleId)) !== 0) return
      const now = running.get(saleId)
      if (now === undefined) return start(saleId)
      const waiting = next.get(saleId)
      if (waiting !== undefined) return waiting
      const after = now.then(
        () => start(saleId),
        () => start(saleId),
      )
      next.set(saleId, after)
      return after
    },
  }
}
