/** The orders of a sale that have coupons, read with their codes from DynamoDB. */
import * as z from 'zod/mini'
import type { SaleId } from '../../core/ids.ts'
import { parse } from '../../core/parse.ts'
import type { CouponOrder, CouponOrders } from '../control/coupons-csv.ts'
import { type Table, UnexpectedItem } from './dynamodb.ts'
import { couponFacts } from './order-item.ts'
import { partPages } from './partitions.ts'
import type { Item } from './query.ts'
import { orderPartCount, orderParts } from './table.ts'

const couponOrder = z.object(couponFacts)

const onlyCoupons = {
  ProjectionExpression: 'sk, listPk, #status, coupons, history',
  ExpressionAttributeNames: { '#status': 'status' },
  FilterExpression: 'attribute_exists(coupons)',
}

export function dynamoCouponOrders(table: Table): CouponOrders {
  return {
    parts: orderPartCount,
    pages: (saleId, part) => pagesOf(table, saleId, part),
  }
}

async function* pagesOf(
  table: Table,
  saleId: SaleId,
  part: number | undefined,
): AsyncGenerator<readonly CouponOrder[]> {
  const all = orderParts(saleId)
  const wanted = part === undefined ? all : all.slice(part, part + 1)
  for await (const page of partPages(table, wanted, onlyCoupons)) yield page.map(readCouponOrder)
}

function readCouponOrder(item: Item): CouponOrder {
  const order = parse(couponOrder, item)
  if (!order.ok) throw new UnexpectedItem('an order with coupons', order.detail)
  const { sk: orderId, listPk: shopperId, history, ...facts } = order.value
  return { orderId, shopperId, writtenAt: history[1].at, ...facts }
}
