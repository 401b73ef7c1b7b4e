/**
 * What a use case that changes sales asks of the stock, the gate and the public objects. It decides and saves in the
 * table by itself; how a saved sale reaches the other stores is behind this. Each call may be repeated.
 */
import type { SaleId } from '../../core/ids.ts'
import { type LockPorts, withLock } from '../lib/lock.ts'
import type { SaleRecord } from '../table/sale/sale-item.ts'
import { type Applied, applyEffects, applyToStores, finishDeletion, type SalePorts } from './effects.ts'
import { tryFinishStockChange } from './finish-stock-change.ts'

export type SaleEffects = {
  /** The sale with no stock change under way, as far as that can be finished now; undefined for one that is not there. */
  settle: (saleId: SaleId) => Promise<SaleRecord | undefined>
  apply: (record: SaleRecord) => Promise<Applied>
  /** Stock and gate alone: no client learns of it. */
  applyToStores: (record: SaleRecord) => Promise<Applied>
  /** Runs `work` while no other worker warms or recovers the sale. */
  alone: <T>(saleId: SaleId, work: () => Promise<T>) => Promise<{ kind: 'done'; value: T } | { kind: 'busy' }>
  /** Removes what a deleted sale left; false when no sale was deleted under that id. */
  clear: (saleId: SaleId) => Promise<boolean>
}

export function saleEffects(ports: SalePorts & LockPorts): SaleEffects {
  return {
    settle: async (saleId) => (await tryFinishStockChange(ports, saleId))?.record,
    apply: (record) => applyEffects(ports, record),
    applyToStores: (record) => applyToStores(ports, record),
    alone: (saleId, work) => withLock(ports, saleId, work),
    clear: (saleId) => finishDeletion(ports, saleId),
  }
}
