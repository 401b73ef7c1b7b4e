/** Finds where the report of a sale disagrees with what its shoppers have; its orders and money are compared in screens.ts. */
import { holdsUnits } from '../../../core/orders/order.ts'
import type { World } from '../../world/world.ts'
import { comparison, sum, type Won } from './differences.ts'
import { reportOf } from './screens.ts'

/** Empty when all agree. For a sale at rest, whose units all went if they have an end. */
export async function reportDifferences(own: World, won: readonly Won[]): Promise<string[]> {
  const { sale, pace, demand, ...report } = await reportOf(own)
  const ids = won.flatMap(({ orderId }) => orderId ?? [])
  const orders = [...(await own.table.findMany(ids)).values()]
  const kept = orders.filter(({ status }) => holdsUnits(status))
  const isRedPacket = sale.kind === 'red-packet'
  const sold = isRedPacket ? won.length : sum(kept.map(({ quantity }) => quantity))
  const offered = isRedPacket && sale.windows.length > 0 ? sum(sale.windows.map(({ stock }) => stock)) : sale.stock
  const owners = isRedPacket ? won.map(({ client }) => client.shopperId) : kept.map(({ shopperId }) => shopperId)
  const isLimited = sale.stock !== -1
  const rounds = Math.max(1, sale.windows.length)
  const { found, same } = comparison()
  same('report: units', report.units, isLimited ? { offered, sold, left: 0 } : { offered: null, sold, left: null })
  same('report: shoppers', report.shoppers, new Set(owners).size)
  same('report: pending', report.pending, 0)
  same('report: rounds', pace.windows.length, rounds)
  same('report: sold in rounds', sum(pace.windows.map((round) => round.sold)), sold)
  const soldOut = pace.windows.filter(({ soldOutMs }) => soldOutMs !== null)
  same('report: rounds that sold out', soldOut.length, isLimited ? rounds : 0)
  const named = won.find(({ client }) => JSON.stringify({ pace, demand, report }).includes(client.shopperId))
  same('the shopper whom the report names', named?.client.shopperId, undefined)
  return found
}
