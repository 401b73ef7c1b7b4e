/** Lists the draw of a sale when it is warmed, and names the partitions to delete with the sale. */
import type { StepsSeam } from '../../../functions/sales/seams.ts'
import { entryParts, offersOf } from './keys.ts'
import { listDraw } from './table.ts'

export const steps = {
  /** Lets the function `draws` find the sale, which publishes the rules within a minute. Safe to repeat. */
  async effect({ table, clock }, { saleId, warmed, draw, startsAt }) {
    if (warmed && draw !== undefined && clock() < startsAt) await listDraw(table, saleId)
  },
  partitionsOf: (saleId) => [...entryParts(saleId), offersOf(saleId)],
} satisfies StepsSeam
