/** What the draw does with a change and a deletion of a sale. */
import type { StepsSeam } from '../../../functions/sales/seams.ts'
import { entryParts, offersOf } from './keys.ts'
import { listDraw } from './table.ts'

export const steps = {
  /** The function `draws` finds the sale, and publishes the rules within a minute. May be repeated. */
  async effect({ table, clock }, { saleId, warmed, draw, startsAt }) {
    if (warmed && draw !== undefined && clock() < startsAt) await listDraw(table, saleId)
  },
  partitionsOf: (saleId) => [...entryParts(saleId), offersOf(saleId)],
} satisfies StepsSeam
