/** A sample of what crowd.soak.ts plays whole. */
import { describeCrowd } from './crowd-play.ts'

describeCrowd({
  ...{ shoppers: 6_000, packets: 1_000, totalAmount: 100_000, impatient: 500 },
  redelivered: { singly: 30, batches: 5 },
})
