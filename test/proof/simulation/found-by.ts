import { joined } from '../../../core/lib/fold.ts'
import { proofs } from '../../../options/registry/proofs.ts'

export type FoundIn = { seed: number; sale: number }

/**
 * Seed and number of a sale that finds a mutation, by the mutation's name, where the first sales do not, or find another
 * violation. Changes of the program move them; a mutation that its sale no longer finds is searched for from the first
 * sale on, as all others are.
 */
export const foundBy: ReadonlyMap<string, FoundIn> = new Map<string, FoundIn>([
  ...joined(proofs, 'foundBy'),
  ['acknowledges a message before it is sent (O4)', { seed: 2, sale: 55 }],
  ['answers a repeat whose message Redis alone has (O4)', { seed: 1, sale: 10 }],
  ['does not send the outbox again (O5)', { seed: 1, sale: 9 }],
  ['reserves twice for a repeated request (I5)', { seed: 1, sale: 33 }],
  ['sells while a sale is closed (I6)', { seed: 1, sale: 14 }],
  ['answers that a sale is closed while Redis still sells it (I6)', { seed: 1, sale: 14 }],
  ['returns units without a hold (O9)', { seed: 1, sale: 8 }],
  ['does not compare the block list (R8)', { seed: 1, sale: 8 }],
  ['changes an order without checking its status (O8)', { seed: 1, sale: 25 }],
  ['does not refund a late payment', { seed: 1, sale: 68 }],
  ['requests a refund once and never retries', { seed: 1, sale: 68 }],
  ['gives the units of a refunded order back after they were shipped (I1)', { seed: 1, sale: 38 }],
  ['forgets the refund of a shipped order', { seed: 1, sale: 48 }],
  ['hands out packets while a sale is closed (I6)', { seed: 3, sale: 18 }],
  ['credits a packet that has an owner (P3)', { seed: 3, sale: 31 }],
  ['loses the count of packets that may have been handed out (I2)', { seed: 3, sale: 117 }],
  ['releases a held packet whose claim has arrived (P3)', { seed: 3, sale: 12 }],
  ['releases held packets while earlier claims may still arrive (I2)', { seed: 3, sale: 12 }],
  ['returns a packet that has another order (P3)', { seed: 2, sale: 4 }],
  ['returns the unclaimed amount repeatedly', { seed: 3, sale: 58 }],
  ['takes a refused recall for an applied one (S15)', { seed: 1, sale: 41 }],
  ['recovers a shard without a freeze (S15)', { seed: 1, sale: 18 }],
  ['recovers a shard without its orders (S15)', { seed: 1, sale: 19 }],
  ['restores an order without its variant (I4)', { seed: 1, sale: 15 }],
  ['does not enforce the cap of a variant (I1)', { seed: 1, sale: 54 }],
])
