/** Answers staff how far the draw of a sale is. */
import { unknownSale } from '../../../functions/control/answers.ts'
import { onControl } from '../../../functions/control/entrance.ts'
import type { Shop } from '../../../functions/lib/shop/shop.ts'
import { controlOperations } from '../core/operations.ts'
import { readSaleDraw } from './table.ts'

export const controlHandlers = [
  onControl(
    controlOperations.getDraw,
    async (ports: Pick<Shop, 'table'>, { params }) => (await readSaleDraw(ports, params.saleId)) ?? unknownSale(),
  ),
] as const
