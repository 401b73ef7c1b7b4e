/** What a marketer sees of the draw of a sale: how far it is, and what became of its offers. */
import type { SaleId } from '../../../core/ids.ts'
import type { Shop } from '../../../functions/lib/shop/shop.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import type { DrawView } from '../core/draw-view.ts'
import { readDrawState } from './draws.ts'
import { allOffers } from './offers.ts'

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
