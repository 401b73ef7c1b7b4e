/** What functions that read no table read and count in the store of the gate. */
import type { Commander } from '../../../redis/command.ts'
import { countDemand, createDemandCounter, type DemandCounter } from '../../../redis/gate/demand.ts'
import { readDatabases } from '../../../redis/gate/gate.ts'
import { errorFacts, type Telemetry } from '../../lib/telemetry.ts'
import type { Placements } from '../redis.ts'

/** The databases of sales. */
export function gatePlacements(gate: Commander): Placements {
  return (saleId) => readDatabases(gate, saleId)
}

/** Counts what the stock decided beside the gate's own counts. */
export function redisDemandCounter(gate: Commander, { log }: Pick<Telemetry, 'log'>): DemandCounter {
  return createDemandCounter({
    count: (saleId, counts) => countDemand(gate, saleId, 'stock', counts),
    onFailure: (error) => log.warn('demand not counted', errorFacts(error)),
    clock: Date.now,
  })
}
