/** A change of a sale makes the function `draws` find it, which publishes the rules within a minute. */
import type { Sale } from '../../../core/sale/sale.ts'
import type { Shop } from '../../../functions/lib/shop/shop.ts'
import { listDraw } from './table.ts'

/** May be repeated. */
async function listIfDrawn({ table, clock }: Pick<Shop, 'table' | 'clock'>, sale: Sale): Promise<void> {
  const { saleId, warmed, draw, startsAt } = sale
  if (warmed && draw !== undefined && clock() < startsAt) await listDraw(table, saleId)
}

export const effects = [listIfDrawn] as const
