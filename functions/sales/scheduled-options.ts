/** The options that do something in the scheduled run. */
import type { Sale } from '../../core/sale/sale.ts'
import { scheduled } from '../../options/lists/functions/option.ts'
import type { ScheduledOption, ScheduledPorts, SettleSale } from './scheduled-option.ts'

export const scheduledOptions: readonly ScheduledOption[] = scheduled

/** What all of them settle, for one run over `sales`. */
export function settling(ports: ScheduledPorts, sales: readonly Pick<Sale, 'saleId'>[]): SettleSale {
  const all = scheduledOptions.flatMap(({ settle }) => settle?.(ports, sales) ?? [])
  return async (sale) => {
    for (const settle of all) await settle(sale)
  }
}
