/** The list of orders for staff: of a sale, and of all sales. */
import { describe, expect, it } from 'vitest'
import type { FoundOrder } from '../../../core/api/control-answers.ts'
import { type OrderId, parseSaleId } from '../../../core/ids.ts'
import { paymentIdOf } from '../../../core/orders/order-life.ts'
import { spacedNumber } from '../../../core/orders/order-number.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { putBatch } from '../../../functions/table/batch.ts'
import { orderKey } from '../../../functions/table/keys.ts'
import { orderItem } from '../../../functions/table/orders/order-item.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const ask = (query: string, roles = 'viewer') =>
  rig.ask('GET', `/orders${query}`, undefined, { 'x-shopper-roles': roles })

async function pagesOf(query: string): Promise<FoundOrder[][]> {
  const pages: FoundOrder[][] = []
  let after = ''
  for (;;) {
    const { status, body } = await ask(`?${query}${after}`)
    expect(status, JSON.stringify(body)).toBe(200)
    pages.push(body.orders)
    if (body.next === null) return pages
    after = `&after=${encodeURIComponent(body.next)}`
  }
}

/** Writes orders of one unit, reserved a millisecond apart; `isDisputed` says which have an open dispute. */
async function putOrders(saleIds: readonly string[], count: number, isDisputed: (at: number) => boolean) {
  const { table } = rig.ports
  const orders = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const sale = (await findSale(table, parseSaleId(saleIds[at % saleIds.length]) ?? phone))?.sale
      if (sale === undefined) throw new Error('the sale is gone')
      const { saleId } = sale
      const orderId = deriveOrderId(saleId, shopperIdOf(at), 'key')
      const reserved = { orderId, saleId, shopperId: shopperIdOf(at), quantity: 1, reservedAt: 9000 + at }
      const order = newOrder(reserved, sale, 20_000, () => [])
      const dispute = { paymentId: `${orderId}.1`, state: 'open' as const, at: 9000 }
      return isDisputed(at) ? { ...order, dispute } : order
    }),
  )
  const items = orders.map((order) => ({ ...orderItem(order), ...orderKey(order.orderId) }))
  await putBatch(table, items)
  return orders
}

describe('GET /api/control/orders', () => {
  it('lists the orders of a sale, the last reserved first, page by page and by status', async () => {
    await rig.open({ price: 1000 })
    const sold = await rig.sell(5)
    await rig.ask('POST', `/orders/${sold[2]}/refund`, {})
    const pages = await pagesOf('sale=phone&limit=2')
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    const orders = pages.flat()
    expect(new Set(orders.map(({ orderId }) => orderId))).toEqual(new Set(sold))
    const times = orders.map(({ reservedAt }) => reservedAt)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const [cancelled] = (await pagesOf('sale=phone&status=cancelled')).flat()
    expect(cancelled).toMatchObject({ orderId: sold[2], status: 'cancelled' })
    expect((await pagesOf('status=awaiting-payment')).flat()).toHaveLength(4)
  })

  it('keeps those whose payment is disputed, and those with a variant, in full pages of any size', async () => {
    const { stock: _, ...definition } = rig.definition()
    const variants = [
      { id: 's', name: 'Small', stock: 6 },
      { id: 'xs', name: 'Tiny', stock: 4 },
    ]
    await rig.ask('POST', '/sales', { ...definition, price: 1000, maxPerOrder: 2, variants })
    await rig.act('start', { now: true })
    const wanted = ['1 s', '1 xs', '2 s', '1 xs', '2 s'].map((units) => {
      const [quantity, variant = ''] = units.split(' ')
      return { quantity: Number(quantity), variant }
    })
    const bought: OrderId[] = []
    for (const [at, units] of wanted.entries()) bought.push(await rig.buy(at + 1, units))
    await rig.deliver()
    const disputed = bought.slice(1, 4)
    for (const [at, orderId] of disputed.entries()) {
      const paymentId = paymentIdOf({ orderId }, 1)
      await changeOrder(rig.ports, orderId, { kind: 'payment-started', product: 'A phone', graceMs: 0 })
      const paid = { paymentId, amount: 1000 * (wanted[at + 1]?.quantity ?? 0), currency: 'CNY', reference: 'pi_1' }
      await changeOrder(rig.ports, orderId, { kind: 'payment-succeeded', ...paid })
      await changeOrder(rig.ports, orderId, { kind: 'payment-disputed', paymentId })
    }
    for (const orderId of disputed.slice(0, 1))
      await changeOrder(rig.ports, orderId, { kind: 'dispute-won', paymentId: paymentIdOf({ orderId }, 1) })
    const ids = async (query: string) =>
      (await pagesOf(query))
        .flat()
        .map(({ orderId }) => orderId)
        .toSorted()
    const sorted = (places: number[]) => places.map((at) => bought[at]).toSorted()
    expect(await ids('sale=phone&variant=s&limit=1')).toEqual(sorted([0, 2, 4]))
    expect(await ids('variant=xs&limit=2')).toEqual(sorted([1, 3]))
    expect(await ids('sale=phone&dispute=open&limit=1')).toEqual(sorted([2, 3]))
    expect(await ids('dispute=won')).toEqual(sorted([1]))
    expect(await ids('sale=phone&dispute=open&variant=s')).toEqual(sorted([2]))
    expect(await ids('sale=phone&dispute=lost')).toEqual([])
    // A sent order keeps its status when its money goes back, and is called by that.
    const [sent] = disputed
    if (sent === undefined) throw new Error('no order is disputed')
    await changeOrder(rig.ports, sent, { kind: 'shipped', carrier: 'DHL' })
    expect(await ids('status=shipped')).toEqual([sent])
    await rig.ask('POST', `/orders/${sent}/refund`, {})
    expect(await ids('status=shipped')).toEqual([])
    expect(await ids('sale=phone&status=refund-due')).toEqual([sent])
    expect(await ids('status=refund-due&dispute=won')).toEqual([sent])
    expect((await pagesOf('sale=phone&variant=s&limit=2')).map(({ length }) => length)).toEqual([2, 1])
  })

  it('ends a page of a filter that few orders match after 1,000, and goes on where it ended', async () => {
    await rig.open({ price: 1000 })
    // The oldest, and one in the middle.
    const orders = await putOrders([phone], 2100, (at) => at % 1500 === 0)
    const pages = await pagesOf('sale=phone&dispute=open')
    expect(pages.map((page) => page.map(({ orderId }) => orderId))).toEqual([
      [orders[1500]?.orderId],
      [],
      [orders[0]?.orderId],
    ])
  })

  it('lists the orders of several sales by their own time, page by page, with a filter and without', async () => {
    const { startsAt, endsAt } = rig.definition()
    const sales = ['phone', 'mug', 'lamp'].map((saleId, at) => ({ saleId, startsAt: startsAt + 1000 * at, endsAt }))
    for (const sale of sales) {
      await rig.ask('POST', '/sales', { ...rig.definition(), ...sale, price: 1000 })
      await rig.ask('POST', `/sales/${sale.saleId}/warm`, {})
    }
    const saleIds = sales.map(({ saleId }) => saleId)
    const orders = await putOrders(saleIds, 60, (at) => at % 4 === 0)
    const newestFirst = orders.toReversed().map(({ orderId }) => orderId)
    const listed = async (query: string) => (await pagesOf(query)).map((page) => page.map(({ orderId }) => orderId))
    expect((await listed('limit=7')).map(({ length }) => length)).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 4])
    for (const limit of [1, 7, 60]) expect((await listed(`limit=${limit}`)).flat(), `${limit}`).toEqual(newestFirst)
    // A filter that reads each order merges the two sales that start last, then the others.
    const disputed = (await listed('dispute=open&limit=2')).flat()
    expect(disputed.toSorted()).toEqual(orders.flatMap(({ orderId }, at) => (at % 4 === 0 ? orderId : [])).toSorted())
  })

  it('gives an order a number that support finds it by', async () => {
    await rig.open({ price: 1000 })
    await rig.sell(2)
    const [first, second] = (await pagesOf('sale=phone')).flat()
    if (first?.orderNumber === undefined) throw new Error('the order has no number')
    expect(first.orderNumber).not.toBe(second?.orderNumber)
    const find = async (text: string) =>
      (await rig.ask('POST', '/orders/find', { find: text }, { 'x-shopper-roles': 'support' })).body
    for (const text of [first.orderNumber, spacedNumber(first.orderNumber)])
      expect((await find(text)).orders).toMatchObject([{ orderId: first.orderId }])
  })

  it.each([
    ['sale', '?sale=No'],
    ['status', '?status=lost'],
    ['dispute', '?dispute=maybe'],
    ['variant', '?variant=No!'],
    ['limit', '?limit=101'],
    ['after', '?after=x'],
    ['after', '?sale=phone&after=1.phone~'],
    ['after', '?after=1.phone-aaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ])('refuses a wrong %s: %s', async (field, query) => {
    await rig.open()
    expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
  })
})
