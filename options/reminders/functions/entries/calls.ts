/** What `delivery` answers of a shopper's reminders, and `control` of how many shoppers those of a sale reach. */
import { unknownSale } from '../../../../functions/control/answers.ts'
import { onControl } from '../../../../functions/control/entrance.ts'
import { withPorts } from '../../../../functions/lib/http/app.ts'
import type { Shop } from '../../../../functions/lib/shop/shop.ts'
import type { ShopperRoutes } from '../../../../functions/people/delivery.ts'
import { findSale } from '../../../../functions/table/sale/sales.ts'
import { controlOperations } from '../../core/operations.ts'
import { countReminders } from '../reminder-items.ts'
import { reminderRoutes } from '../shopper-routes.ts'

const reminders: ShopperRoutes = (ports) => withPorts(reminderRoutes, ports)

export const shopperRoutes = [reminders] as const

export const controlHandlers = [
  /* @__PURE__ */ onControl(
    controlOperations.getReach,
    async ({ table }: Pick<Shop, 'table'>, { params: { saleId } }) => {
      const sale = (await findSale(table, saleId))?.sale
      if (sale === undefined) return unknownSale()
      const [start, back] = await Promise.all([
        countReminders(table, sale, 'start'),
        countReminders(table, sale, 'return'),
      ])
      return { start, return: back }
    },
  ),
] as const
