export type FoundIn = { seed: number; sale: number }

/**
 * Seed and number of a sale that finds each mutation, by the mutation's name. Changes of the program
 * move them; a mutation that is missing here, or that its sale no longer finds, is searched for from
 * the first sale on.
 */
export const foundBy: ReadonlyMap<string, FoundIn> = new Map([
  ['acknowledges a message before it is sent (O4)', { seed: 1, sale: 7 }],
  ['does not send the outbox again (O5)', { seed: 1, sale: 2 }],
  ['reserves twice for a repeated request (I5)', { seed: 1, sale: 7 }],
  ['reserves for many although units are not left (I1)', { seed: 1, sale: 2 }],
  ['reserves for many without a look at their records (I5)', { seed: 1, sale: 25 }],
  ['sells while a sale is closed (I6)', { seed: 1, sale: 49 }],
  ['answers that a sale is closed while Redis still sells it (I6)', { seed: 1, sale: 49 }],
  ['changes a sale without a new tag (I6)', { seed: 1, sale: 49 }],
  ['holds nothing back in a recovered sale (I2)', { seed: 1, sale: 16 }],
  ['returns units without a hold (O9)', { seed: 1, sale: 10 }],
  ['does not record whose units it returned (I5)', { seed: 1, sale: 2 }],
  ['frees the lock of another client (K4)', { seed: 1, sale: 1 }],
  ['never returns an unused admission (G7)', { seed: 1, sale: 1 }],
  ['does not compare the block list (R8)', { seed: 1, sale: 10 }],
  ['changes an order without checking its status (O8)', { seed: 1, sale: 1 }],
  ['does not refund a late payment', { seed: 1, sale: 5 }],
  ['overwrites an order with a duplicate (O6)', { seed: 1, sale: 2 }],
  ['does not enforce the cap (I1)', { seed: 1, sale: 10 }],
  ['rejects orders when one part of the cap has too few units (I2)', { seed: 1, sale: 2 }],
  ['moves units out of a part of the cap and into none (I4)', { seed: 1, sale: 4 }],
  ['requests a refund once and never retries', { seed: 1, sale: 5 }],
  ['does not record units still to be returned (O9)', { seed: 1, sale: 3 }],
  ['draws coupon codes twice', { seed: 1, sale: 1 }],
  ['overwrites an order with a duplicate that has other codes (O6)', { seed: 1, sale: 3 }],
  ['stores only the first code of an order', { seed: 1, sale: 5 }],
  ['hands out a second packet for a repeated claim (P3)', { seed: 3, sale: 1 }],
  ['hands out packets while a sale is closed (I6)', { seed: 3, sale: 15 }],
  ['credits a packet that has an owner (P3)', { seed: 3, sale: 1 }],
  ['credits a repeated claim again (P8)', { seed: 3, sale: 1 }],
  ['loads a repeated batch of packets again (I5)', { seed: 3, sale: 2 }],
  ['acknowledges claims before they are sent (O4)', { seed: 3, sale: 3 }],
  ['acknowledges claims before they are credited (O5)', { seed: 3, sale: 103 }],
  ['recovers packets without a freeze (P10)', { seed: 3, sale: 1 }],
  ['recovers packets without their owners (P10)', { seed: 3, sale: 1 }],
  ['splits the amount differently each time (P1)', { seed: 3, sale: 1 }],
  ['returns the unclaimed amount repeatedly', { seed: 3, sale: 1 }],
  ['loses the count of packets that may have been handed out (I2)', { seed: 1, sale: 21 }],
  ['releases a held packet whose claim has arrived (P3)', { seed: 3, sale: 3 }],
  ['releases a held packet and still counts it as held (P3)', { seed: 3, sale: 2 }],
  ['releases held packets while earlier claims may still arrive (I2)', { seed: 3, sale: 3 }],
])
