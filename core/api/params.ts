/** The parameters of paths that several operations have. */
import * as z from 'zod/mini'
import { parseOrderId, parseSaleId } from '../ids.ts'
import { readBy } from '../lib/parse.ts'
import { parseOrderNumber } from '../orders/order-number.ts'

/** As the API shows it: digits alone. */
export const orderNumber = readBy(parseOrderNumber, 'must be an order number')

export const saleParams = z.object({ saleId: readBy(parseSaleId, 'is not a sale id') })
export const orderParams = z.object({ orderId: readBy(parseOrderId, 'is not an order id') })
