/** Finds where the report of a sale disagrees with what its shoppers have, and with its live numbers. */
import { holdsUnits } from '../../../core/orders/order.ts'
import { moneyStateOfOrder } from '../../../core/orders/order-standing.ts'
import type { World } from '../../world/world.ts'
import type { Won } from './differences.ts'
import { reportOf, sum } from './screens.ts'

/** Empty when all agree. For a sale at rest, whose units all went if they have an end. */
export async function reportDifferences(own: World, won: readonly Won[]): Promise<string[]> {
  const { sale, pace, demand, ...report } = await reportOf(own)
  const ids = won.flatMap(({ orderId }) => orderId ?? [])
  const orders = [...(await own.table.findMany(ids)).values()]
  const kept = orders.filter(({ status }) => holdsUnits(status))
  const paid = kept.filter((order) => moneyStateOfOrder(order) === 'paid')
  const isRedPacket = sale.kind === 'red-packet'
  const sold = isRedPacket ? won.length : sum(kept.map(({ quantity }) => quantity))
  const offered = isRedPacket && sale.windows.length > 0 ? sum(sale.windows.map(({ stock }) => stock)) : sale.stock
  const owners = isRedPacket ? won.map(({ client }) => client.shopperId) : kept.map(({ shopperId }) => shopperId)
  const isLimited = sale.stock !== -1
  const should = {
    units: isLimited ? { offered, sold, left: 0 } : { offered: null, sold, left: null },
    orders: isRedPacket ? won.length : kept.length,
    shoppers: new Set(owners).size,
    paid: isRedPacket || report.payments === null ? undefined : paid.length,
    revenue: report.payments === null ? undefined : sum(paid.map(({ amount }) => amount)),
    pending: 0,
    rounds: Math.max(1, sale.windows.length),
    soldInRounds: sold,
    roundsSoldOut: isLimited ? Math.max(1, sale.windows.length) : 0,
  }
  const is = {
    ...{ units: report.units, orders: report.orders, shoppers: report.shoppers, pending: report.pending },
    ...{ paid: report.payments?.paid, revenue: report.payments?.revenue },
    rounds: pace.windows.length,
    soldInRounds: sum(pace.windows.map((round) => round.sold)),
    roundsSoldOut: pace.windows.filter(({ soldOutMs }) => soldOutMs !== null).length,
  }
  const found = Object.entries(should).flatMap(([name, value]) => {
    const [seen, wanted] = [JSON.stringify(is[name as keyof typeof is]), JSON.stringify(value)]
    return seen === wanted ? [] : [`the report says ${name} ${seen} and should say ${wanted}`]
  })
  const named = won.find(({ client }) => JSON.stringify({ pace, demand, report }).includes(client.shopperId))
  return named === undefined ? found : [...found, `the report names ${named.client.shopperId}`]
}
