/** What an option does in the scheduled run. */
import type { Sale } from '../../core/sale/sale.ts'
import type { GateFacts } from '../../redis/gate/gate.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { InspectedSale } from './admissions.ts'

/** What a look at a sale has found; both are undefined for a sale that has ended, and where they are lost. */
type InspectedParts = InspectedSale & { gate: Pick<GateFacts, 'soldOutRevision' | 'restockedRevision'> | undefined }

/** Is called at each look of the tick at a sale. @throws when the table is unavailable */
export type InspectSale = (sale: Sale, seen: InspectedParts) => Promise<void>

/**
 * Is called when a run visits a sale, before its counts are compared and before it is removed: what follows would lose
 * a return of stock that is not noted yet. @throws to leave what follows to the next run
 */
export type OnVisit = (sale: Sale) => Promise<void>

/** What the steps of options get. */
export type ScheduledPorts = Pick<Shop, 'table' | 'stock' | 'clock' | 'log' | 'sendsMails'>

/**
 * `part` names it in log entries. `begin` is called for one run, whose `run` is called once. The failure of an option
 * is logged and stops nothing else. `isWoken`: it looks at sales also in a run that was woken (run.ts).
 * `onVisit` is called for one run over `sales`.
 */
export type ScheduledOption = {
  part: string
  isWoken: boolean
  begin(ports: ScheduledPorts): { run(): Promise<void>; inspect: InspectSale }
  onVisit?(ports: ScheduledPorts, sales: readonly Pick<Sale, 'saleId'>[]): OnVisit
}
