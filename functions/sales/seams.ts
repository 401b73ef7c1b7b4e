/** The seam of what is done to sales by the control API and by the schedule. */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { ScheduledOption } from './scheduled-option.ts'

/** `steps.ts`: what the option does beside the engine. None of it is on a click's path or in a transaction. */
export type StepsSeam = {
  /** Is called last after each change of a sale. A throw fails the call, which is repeated, as the schedule does. */
  effect?(ports: Pick<ShopContext, 'table' | 'clock'>, sale: Sale): Promise<void>
  /** The partitions of the table that go with a deleted sale. */
  partitionsOf?(saleId: SaleId): readonly string[]
  /** In the scheduled run. `run` and `look` fail alone; a throw of `onVisit` stops what follows, or the return of stock is lost. */
  scheduled?: ScheduledOption
}
