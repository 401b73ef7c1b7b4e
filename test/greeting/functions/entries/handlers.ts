/** Answers `GET /api/greetings/{saleId}`. */
import type { HandlersSeam } from '../../../../functions/entries/seams.ts'
import { notFound } from '../../../../functions/lib/http/answer.ts'
import { on, withPorts } from '../../../../functions/lib/http/app.ts'
import type { ShopContext } from '../../../../functions/lib/shop/shop.ts'
import { findSale } from '../../../../functions/table/sale/sales.ts'
import { operations } from '../../core/operations.ts'

const greetingRoute = on(
  operations.getGreeting,
  async ({ table }: Pick<ShopContext, 'table'>, { params: { saleId } }) => {
    const greeting = (await findSale(table, saleId))?.sale.greeting
    return greeting === undefined ? notFound() : { greeting }
  },
)

export const handlers = { routes: (ports) => withPorts([greetingRoute], ports) } satisfies HandlersSeam
