/** Refreshes pointers for many at once: calls made while one refresh runs share the next one. */
import type { SaleId } from '../../core/ids.ts'
import { createPointerPublisher, type PointerPorts } from './pointer.ts'

/**
 * `refresh` resolves once a pointer was published that began after the call, so it holds all that the caller
 * did before. Orders are written many batches a second, and they need only the last pointer.
 */
export function sharedRefresh(ports: PointerPorts): { refresh: (saleId: SaleId) => Promise<void> } {
  const publish = createPointerPublisher(ports)
  const running = new Map<SaleId, Promise<void>>()
  const next = new Map<SaleId, Promise<void>>()

  const start = (saleId: SaleId): Promise<void> => {
    next.delete(saleId)
    const run = publish(saleId).finally(() => {
      if (running.get(saleId) === run) running.delete(saleId)
    })
    running.set(saleId, run)
    return run
  }

  return {
    refresh(saleId) {
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
