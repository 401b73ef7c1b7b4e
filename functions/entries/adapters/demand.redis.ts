/** Counts what the stock decided, in the store of the gate beside the gate's own counts. */
import type { Commander } from '../../../redis/command.ts'
import { countDemand, createDemandCounter, type DemandCounter } from '../../../redis/gate/demand.ts'
import { errorFacts, type Telemetry } from '../../lib/telemetry.ts'

export function redisDemandCounter(gate: Commander, { log }: Pick<Telemetry, 'log'>): DemandCounter {
  return createDemandCounter(
    (saleId, counts) => countDemand(gate, saleId, 'stock', counts),
    (error) => log.warn('demand not counted', errorFacts(error)),
    Date.now,
  )
}
