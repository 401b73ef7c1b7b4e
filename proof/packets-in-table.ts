/** Reads red packets of a sale from the table: the orders that credit them, the owner of each packet, and the cap. */
import type { SaleId } from '../core/ids.ts'
import { holdsUnits, type Order } from '../core/orders/order.ts'
import { packetIdOf } from '../core/packets/packet.ts'
import type { Table } from '../functions/lib/shop/shop.ts'
import { packetKey } from '../functions/table/keys.ts'
import { saleTotals } from '../functions/table/sale/sale-orders.ts'
import type { OwnedPacket, PacketsInTable } from './invariants/snapshot.ts'

/** `packets` returns the order of each packet. */
export type PacketSource = {
  table: Table
  orders: (saleId: SaleId) => readonly (Pick<Order, 'status' | 'packet'> & { orderId: string; shopperId: string })[]
  packets: (saleId: SaleId) => readonly { number: number; orderId: string }[]
}

/** Reads credits, owners and cap; undefined before the sale has a cap. */
export async function packetsInTable(
  source: PacketSource,
  { saleId }: { saleId: SaleId },
): Promise<PacketsInTable | undefined> {
  const totals = await saleTotals(source.table, saleId)
  if (totals === undefined) return undefined
  const { money = { budget: 0, claimed: 0 }, ...cap } = totals
  const orders = source.orders(saleId).filter(({ status }) => holdsUnits(status))
  const credits = orders.flatMap(({ shopperId, packet }) => {
    if (packet === undefined) return []
    const { number, ...money } = packet
    return [{ shopperId, packetId: packetIdOf(saleId, number), ...money }]
  })
  const byOrder = new Map(orders.map((order) => [order.orderId, order]))
  const owners = source.packets(saleId).map(({ number, orderId }): OwnedPacket => {
    const { shopperId = 'unknown', packet } = byOrder.get(orderId) ?? {}
    return { packetId: packetIdOf(saleId, number), shopperId, amount: packet?.amount ?? 0 }
  })
  return { credits, owners, cap: { ...cap, ...money } }
}

/** Returns the partitions of the packets of a sale; there are at most 64. */
export const partsOfPackets = (saleId: SaleId) => [
  ...new Set(Array.from({ length: 64 }, (_, at) => packetKey(saleId, at).pk)),
]
