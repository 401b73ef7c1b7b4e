/** Units of a sale that draws go to the shoppers on its list alone, and other sites and calls of staff know it. */
import { expect, it } from 'vitest'
import { countdownOf } from '../../../../core/sale/pointer.ts'
import { countdownJson } from '../../../../functions/sales/publishing/countdown.ts'
import { findSale, saveSale } from '../../../../functions/table/sale/sales.ts'
import { armedTokenOf } from '../../../../redis/gate/armed-token.ts'
import { updateDefinition } from '../../../../redis/stock/warm.ts'
import { handedOver, refused } from '../../../../test/functions/orders/reservation-shop.ts'
import { aSale } from '../../../../test/redis/support.ts'
import { useRedis } from '../../../../test/redis/test-store.ts'
import { world } from '../../../../test/world/world.ts'

const redis = useRedis()
const own = { limitPerShopper: 1, maxPerOrder: 1 }

it('a call of staff reserves none of them: each is of a shopper on its list (N3, I1)', async () => {
  const rig = await world({ redis })
  await rig.create()
  await rig.act('start', { now: true })
  const closesAt = (await rig.sale()).startsAt - 100_000
  const draw = { opensAt: closesAt - 1000, closesAt, commitSeconds: 60, claimSeconds: 600 }
  await updateDefinition(redis, await rig.change({ ...own, draw }))
  const order = { shopperId: 'shopper-1', quantity: 1, key: 'k1' }
  expect(await rig.act('orders', order)).toMatchObject({ status: 409, body: { reason: 'units-drawn' } })
  expect(await rig.stockRecord()).toMatchObject({ booked: 0 })
})

it('a late confirmation of the shop takes none of them: they are offered to the next rank (N3, I1)', async () => {
  const { shop, orderId } = await handedOver(redis)
  await shop.expire(orderId)
  const { revision, sale } = (await findSale(shop.table, shop.sale.saleId)) ?? {}
  const draw = { opensAt: 1000, closesAt: 2000, commitSeconds: 60, claimSeconds: 600 }
  const drawn = { ...shop.sale, ...sale, ...own, draw, startsAt: 67_000 }
  await saveSale(shop.table, revision ?? 0, { sale: drawn, finishedStockChanges: [] }, {})
  await updateDefinition(redis, drawn)
  expect(await shop.confirm(orderId)).toMatchObject(refused('reservation-over'))
  expect(await shop.booked()).toBe(0)
  expect(shop.queue.messages).toEqual([])
})

it('the countdown sends shoppers on pages of other sites to the page of the sale', () => {
  const allowedOrigins = ['https://host.example']
  const draw = { opensAt: 1, closesAt: 2, commitSeconds: 60, claimSeconds: 600 }
  const onPage = (sale: ReturnType<typeof aSale>) =>
    JSON.parse(countdownJson(countdownOf(sale, armedTokenOf), sale)).product.onPage
  expect([onPage(aSale({ allowedOrigins })), onPage(aSale({ allowedOrigins, draw }))]).toEqual([undefined, true])
})
