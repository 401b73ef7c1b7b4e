/** What a marketer sees of the draw of a sale: how far it is, and what became of its offers. */
import type { DrawView } from '../../core/api/draw-view.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { readDrawState } from '../table/draw/draws.ts'
import { allOffers } from '../table/draw/offers.ts'
import { findSale } from '../table/sale/sales.ts'

/** Undefined without the sale, `null` where it draws nothing. @throws when the table is unavailable */
export async function readSaleDraw(
  { table }: Pick<Shop, 'table'>,
  saleId: SaleId,
): Promise<{ draw: DrawView | null } | undefined> {
  const sale = (await findSale(table, saleId))?.sale
  if (sale === undefined) return undefined
  if (sale.draw === undefined) return { draw: null }
  const { phase = 'waiting', queues } = (await readDrawState(table, saleId)) ?? {}
  const entrants = queues?.reduce((sum, count) => sum + count, 0)
  const offers = await allOffers(table, saleId)
  const ended = offers.filter(({ endedAt }) => endedAt !== undefined).length
  const bought = offers.filter(({ endedAt, boughtAt }) => endedAt === undefined && boughtAt !== undefined).length
  return {
    draw: {
      phase,
      ...(entrants !== undefined && { entrants }),
      offers: { made: offers.length, bought, open: offers.length - bought - ended, ended },
      waiting: entrants === undefined ? 0 : entrants - offers.length,
    },
  }
}
