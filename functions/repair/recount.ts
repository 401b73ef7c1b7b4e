/**
 * The units that are booked are a sum, kept beside the holds it is of. Where Redis lost one of the two without the other,
 * every later step is right by itself and the difference stays, so the holds have to be counted.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Count } from '../../redis/recount.ts'
import type { StockReader } from '../sales/snapshots.ts'
import type { Holdings } from './ports.ts'

export type TallyPorts = { stockReader: StockReader; holdings: Pick<Holdings, 'pages' | 'count'> }

/**
 * True when booked units differ from held ones, apart from units held back by a recovery. False
 * while units are sold or given back, because the answer is unknown then. @throws RedisUnavailable
 */
export async function isMiscounted(ports: TallyPorts, saleId: SaleId): Promise<boolean> {
  const tally = await count(ports, saleId)
  if (tally === undefined || tally.units + tally.heldBack === tally.booked) return false
  const holds = await ports.holdings.count(saleId)
  const after = await ports.stockReader.read(saleId)
  return holds === tally.holds && after?.booked === tally.booked
}

/**
 * Books what is held of a frozen sale. `moved`: units were given back meanwhile, so that it has to be done again.
 * Throws when Redis is unavailable.
 */
export async function recount(
  ports: TallyPorts & { holdings: Pick<Holdings, 'recount'> },
  saleId: SaleId,
): ReturnType<Holdings['recount']> {
  const tally = await count(ports, saleId)
  return tally === undefined ? { kind: 'unknown-sale' } : ports.holdings.recount(saleId, tally)
}

/** Undefined when Redis has no stock of the sale. */
async function count(
  { stockReader, holdings }: TallyPorts,
  saleId: SaleId,
): Promise<(Count & { heldBack: number }) | undefined> {
  const stock = await stockReader.read(saleId)
  if (stock === undefined) return undefined
  // A walk may show a hold twice.
  const held = new Map<OrderId, number>()
  for await (const page of holdings.pages(saleId)) {
    for (const { orderId, quantity } of page) held.set(orderId, quantity)
  }
  const units = [...held.values()].reduce((sum, quantity) => sum + quantity, 0)
  return { units, holds: held.size, booked: stock.booked, heldBack: stock.heldBack }
}
