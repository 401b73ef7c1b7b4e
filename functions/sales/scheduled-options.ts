/** The options that take part in the scheduled run. */
import { eachOf } from '../../core/lib/fold.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { steps } from '../../options/registry/steps.ts'
import type { OnVisit, ScheduledOption, ScheduledPorts } from './scheduled-option.ts'

export const scheduledOptions: readonly ScheduledOption[] = /* @__PURE__ */ eachOf(steps, 'scheduled')

/** Returns a hook that calls that of each option, for one run over `sales`. A hook that throws stops the rest at that sale. */
export function onVisits(ports: ScheduledPorts, sales: readonly Pick<Sale, 'saleId'>[]): OnVisit {
  const all = scheduledOptions.flatMap(({ onVisit }) => onVisit?.(ports, sales) ?? [])
  return async (sale) => {
    for (const onVisit of all) await onVisit(sale)
  }
}
