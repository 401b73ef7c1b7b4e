/** The databases of sales, as the gate has them: for functions that read no table. */
import type { Commander } from '../../../redis/command.ts'
import { readDatabases } from '../../../redis/gate/gate.ts'
import type { Placements } from '../redis.ts'

export function gatePlacements(gate: Commander): Placements {
  return (saleId) => readDatabases(gate, saleId)
}
