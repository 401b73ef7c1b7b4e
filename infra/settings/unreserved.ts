/**
 * The common settings of stages without reserved capacity: they deploy into a new account, which has a concurrency of ten and
 * can reserve none of it. The gate shares it with the functions.
 */
import { mergedOf } from '../../core/lib/fold.ts'
import { functions } from '../../options/registry/functions.ts'
import { coldTable } from './arithmetic.ts'
import { documentedQuotas } from './quotas.ts'
import type { Capacity, StageSettings } from './stage.ts'

/** A third of a processor. Functions that read whole sales, or write orders, get twice that. */
const modest: Capacity = { memoryMb: 512 }
export const quick: Capacity = { memoryMb: 1024 }

const capacities = mergedOf(functions, 'capacities')
const ofOptions = Object.fromEntries(
  Object.entries<Capacity>(capacities).map(([name, { memoryMb }]) => [name, { memoryMb }]),
) as Record<keyof typeof capacities, Capacity>

export const unreserved = {
  functions: {
    reserve: modest,
    orders: modest,
    'order-changes': modest,
    delivery: modest,
    wallet: modest,
    'held-reads': modest,
    payments: modest,
    control: quick,
    // The decoder takes half a gigabyte for the largest picture.
    pictures: { memoryMb: 1769 },
    'sign-in': modest,
    'write-orders': quick,
    'cancel-unpaid': modest,
    reconcile: quick,
    canary: { memoryMb: 256 },
    mail: modest,
    ...ofOptions,
  },
  keepProvisioned: false,
  // The minimum of Lambda.
  consumers: { orders: 2, deadlines: 2 },
  // The throughput of every new table, at no cost.
  table: { warmWritesPerSecond: coldTable.writesPerSecond, warmReadsPerSecond: coldTable.readsPerSecond },
  // The quotas of an account after AWS has raised those of new accounts.
  quotas: documentedQuotas,
} as const satisfies Partial<StageSettings>
