/** Answers staff how many shoppers the reminders of a sale reach. */
import { unknownSale } from '../../../functions/control/answers.ts'
import { onControl } from '../../../functions/control/entrance.ts'
import type { Shop } from '../../../functions/lib/shop/shop.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { controlOperations } from '../core/operations.ts'
import { countReminders } from './reminder-items.ts'

export const controlHandlers = [
  onControl(controlOperations.getReach, async ({ table }: Pick<Shop, 'table'>, { params: { saleId } }) => {
    const sale = (await findSale(table, saleId))?.sale
    if (sale === undefined) return unknownSale()
    const [start, back] = await Promise.all([
      countReminders(table, sale, 'start'),
      countReminders(table, sale, 'return'),
    ])
    return { start, return: back }
  }),
] as const
