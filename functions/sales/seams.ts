/** The seam of the control API and the schedule for options. */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { ScheduledOption } from './scheduled-option.ts'

/** `steps.ts`: what the option adds to the engine. None of it is on a click's path or in a transaction. */
export type StepsSeam = {
  /** Called last after each change of a sale. A throw fails the call; a repeat, or the schedule, calls it again. */
  effect?(ports: Pick<ShopContext, 'table' | 'clock'>, sale: Sale): Promise<void>
  /** The partitions of the table that are deleted with a sale. */
  partitionsOf?(saleId: SaleId): readonly string[]
  /** In the scheduled run. `run` and `inspect` fail alone; a throw of `onVisit` stops the rest, which would lose a return. */
  scheduled?: ScheduledOption
}
