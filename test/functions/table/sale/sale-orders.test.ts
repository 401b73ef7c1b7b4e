import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import { deriveOrderId } from '../../../../functions/lib/order-id.ts'
import { orderKey, orderParts } from '../../../../functions/table/keys.ts'
import { orderItem } from '../../../../functions/table/orders/order-item.ts'
import { saleOrderPages } from '../../../../functions/table/sale/sale-orders.ts'
import { orderOf, range } from '../../../contract/table-rig.ts'
import { aSale, shopperIdOf } from '../../../redis/support.ts'
import { named, scripted } from '../scripted-table.ts'

const { saleId } = aSale()

describe('the orders of a sale', () => {
  it('spreads the orders of a hot sale evenly over all its partitions', () => {
    const counts = new Map(orderParts(saleId).map((part) => [part, 0]))
    for (const shopper of range(32_000)) {
      const { pk } = orderKey(deriveOrderId(saleId, shopperIdOf(shopper), 'key'))
      counts.set(pk, (counts.get(pk) ?? 0) + 1)
    }
    expect(counts.size).toBe(32)
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(200)
  })

  it('reads every page of each partition (I4)', async () => {
    const [first, second] = [1, 2].map((shopper) => orderOf({ saleId }, shopper))
    if (first === undefined || second === undefined) throw new Error('two orders were made')
    const start = { pk: 'where the first answer ended' }
    const others = Array(31).fill({ Items: [] })
    const table = scripted({ Items: [orderItem(first)], LastEvaluatedKey: start }, ...others, {
      Items: [orderItem(second)],
    })
    const listed: OrderId[] = []
    for await (const page of saleOrderPages(table, saleId)) {
      listed.push(...page.map(({ orderId }) => orderId))
    }
    expect(listed).toEqual([first.orderId, second.orderId])
    expect(table.inputs.slice(32)).toMatchObject([{ ExclusiveStartKey: start }])
  })

  it('fails as a whole when one partition cannot be read, so that a partial list is never taken for the full one (I4)', async () => {
    const unavailable = named('TimeoutError')
    const pages = saleOrderPages(scripted({ Items: [] }, { Items: [] }, unavailable), saleId)
    const readAll = async () => {
      for await (const page of pages) expect(page).toEqual([])
    }
    await expect(readAll()).rejects.toBe(unavailable)
  })
})
