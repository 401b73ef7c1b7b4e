/**
 * The one table: its shape, and every key in it. Nothing else spells a key. Ids cannot hold `#`, so no id can
 * reach into another item's key.
 *
 *   SALE#<saleId>                SALE            the sale, `revision`, at times `pendingStock`, `settledStock`
 *   SALE#<saleId>                CAP             `remaining` (absent: unlimited) and `sold`
 *   BUYER#<saleId>#<shopperId>   BUYER           `quantity` of all orders of that shopper
 *   ORDER#<orderId>              ORDER           the order
 *   AUDIT#<yyyy-mm-dd>           <iso>#<random>  who changed what
 *
 * The index `list` holds sales by start and a shopper's orders by time.
 */
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import type { OrderId, SaleId, ShopperId } from '../../core/ids.ts'
import { sortableTime } from '../../core/sortable-time.ts'

export type ItemKey = { pk: string; sk: string }
export type ListKey = { listPk: string; listSk: string }

/** Name of the index over `listPk` and `listSk`. */
export const listIndex = 'list'

/** Everything CreateTable needs but the name. */
export const tableDefinition = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
    { AttributeName: 'listPk', AttributeType: 'S' },
    { AttributeName: 'listSk', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: listIndex,
      KeySchema: [
        { AttributeName: 'listPk', KeyType: 'HASH' },
        { AttributeName: 'listSk', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
} satisfies Omit<CreateTableCommandInput, 'TableName'>

export const saleKey = (saleId: SaleId): ItemKey => ({ pk: `SALE#${saleId}`, sk: 'SALE' })
export const capKey = (saleId: SaleId): ItemKey => ({ pk: `SALE#${saleId}`, sk: 'CAP' })
export const orderKey = (orderId: OrderId): ItemKey => ({ pk: `ORDER#${orderId}`, sk: 'ORDER' })
export const buyerKey = (saleId: SaleId, shopperId: ShopperId): ItemKey => ({
  pk: `BUYER#${saleId}#${shopperId}`,
  sk: 'BUYER',
})

/** `when` is epoch ms; `nonce` keeps two changes of one millisecond apart. */
export const auditKey = (when: number, nonce: string): ItemKey => {
  const iso = new Date(when).toISOString()
  return { pk: auditDay(iso.slice(0, 10)), sk: `${iso}#${nonce}` }
}
export const auditDay = (day: string): string => `AUDIT#${day}`

export const salesList = 'SALES'
export const saleListKey = (saleId: SaleId, startsAt: number): ListKey => ({
  listPk: salesList,
  listSk: `${sortableTime(startsAt)}#${saleId}`,
})

export const shopperList = (shopperId: ShopperId): string => `SHOPPER#${shopperId}`
export const orderListKey = (shopperId: ShopperId, reservedAt: number, orderId: OrderId): ListKey => ({
  listPk: shopperList(shopperId),
  listSk: `${sortableTime(reservedAt)}#${orderId}`,
})
