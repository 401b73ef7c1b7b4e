/** The result of a recovery. */
import type { Refusal } from '../../../core/refusals.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { MovedShard } from './move-shards.ts'

/**
 * `recovered`: Redis agrees with the table. `orders` hold `units`; `heldBack` more are not sold
 * until their messages have arrived or expired. `movedShards` are in other databases now.
 * `unfinished`: the sale stays frozen until the next
 * call, `detail` says why. `busy`: another recovery runs.
 */
export type Recovered =
  | {
      kind: 'recovered'
      sale: Sale
      orders: number
      units: number
      heldBack: number
      movedShards: readonly MovedShard[]
    }
  | ({ kind: 'unfinished' } & Refusal)
  | ({ kind: 'refused' } & Refusal)
  | { kind: 'no-sale' | 'busy' }
