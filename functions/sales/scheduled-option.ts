/** The contract of an option in the scheduled run. */
import type { Sale } from '../../core/sale/sale.ts'
import type { GateFacts } from '../../redis/gate/gate.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { InspectedSale } from './admissions.ts'

/** The findings of an inspection; both are undefined for an ended sale, and when they are lost. */
type InspectedParts = InspectedSale & { gate: Pick<GateFacts, 'soldOutRevision' | 'restockedRevision'> | undefined }

/** Called at each inspection of a sale by the tick. @throws when the table is unavailable */
export type InspectSale = (sale: Sale, seen: InspectedParts) => Promise<void>

/**
 * Called when a run visits a sale, before its counts are compared and before it is removed, which would lose an unrecorded
 * return of stock.
 * @throws to leave the rest to the next run
 */
export type OnVisit = (sale: Sale) => Promise<void>

/** The ports that the steps of options get. */
export type ScheduledPorts = Pick<ShopContext, 'table' | 'stock' | 'clock' | 'log' | 'sendsMails'>

/**
 * `part` names the option in log entries. `begin` is called for one run, whose `run` is called once. A failure of an option is
 * logged and stops nothing else. `isWoken`: the option also inspects sales in a woken run (run.ts). `onVisit` is called for one
 * run over `sales`.
 */
export type ScheduledOption = {
  part: string
  isWoken: boolean
  begin(ports: ScheduledPorts): { run(): Promise<void>; inspect: InspectSale }
  onVisit?(ports: ScheduledPorts, sales: readonly Pick<Sale, 'saleId'>[]): OnVisit
}
