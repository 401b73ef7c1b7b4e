import { describeCrowd } from './crowd-play.ts'

describeCrowd({
  ...{ shoppers: 100_000, packets: 10_000, totalAmount: 1_000_000, impatient: 5_000 },
  redelivered: { singly: 150, batches: 30 },
})
