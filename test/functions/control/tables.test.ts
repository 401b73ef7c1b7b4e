/** The tables of a sale: complete, in one answer or in parts, of any size. */

import { describe, expect, it } from 'vitest'
import { nextHeader } from '../../../core/api/operation.ts'
import { orderQuarters } from '../../../core/ids.ts'
import { reportColumns } from '../../../core/report/sale-report.ts'
import { sentOrdersTable } from '../../../functions/people/list-orders.ts'
import { orderOf } from '../../contract/table-rig.ts'
import { claimIdOf } from '../../redis/packets/rain.ts'
import { aSale } from '../../redis/support.ts'
import { orderMessageOf } from '../../world/messages.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'
import { partsOf, withManyOrders } from './table-parts.ts'

const rig = useWorld()

const path = '/sales/phone/orders.csv'
const onePacketEach = { packets: { count: 30, totalAmount: 300 }, limitPerShopper: undefined, maxPerOrder: undefined }

describe('GET /api/control/sales/{id}/orders.csv', () => {
  it('lists every written order with its buyer, amount and times', async () => {
    await rig.open({ price: 1000 })
    const [one, two] = await rig.sell(2)
    rig.clock.now += 5000
    await rig.ask('POST', `/orders/${one}/refund`, {})
    const { status, headers, body } = await rig.ask('GET', path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="phone-orders.csv"',
      'cache-control': 'no-store',
    })
    expect(headers[nextHeader]).toBeUndefined()
    const [first, ...lines] = body.trimEnd().split('\r\n')
    expect(first.split(',')).toEqual(sentOrdersTable.headings)
    const rows = lines.map((line: string) =>
      Object.fromEntries(line.split(',').map((cell, column) => [sentOrdersTable.headings[column], cell])),
    )
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const money = { amount: '10.00', currency: 'CNY', quantity: '1', reservedAt: time }
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...{ ...money, orderId: one, shopperId: 'shopper-1', status: 'cancelled' },
        ...{ paidAt: '', paymentId: '', refundReturned: '' },
      }),
    )
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...money,
        orderId: two,
        status: 'awaiting-payment',
      }),
    )
    expect(await rig.ask('GET', '/sales/other/orders.csv')).toMatchObject({ status: 404 })
  })

  it('has the payment of an order, and what was returned in its currency', () => {
    const order = orderOf(aSale({ saleId: phone }), 1, 1, {
      ...{ status: 'refunded', amount: 1000, currency: 'EUR', reason: 'by-marketer' },
      payment: { paymentId: 'pay-2', attempt: 2, startedAt: 3000, state: 'succeeded' },
      refunds: [
        { paymentId: 'pay-1', amount: 900, currency: 'USD', returned: 0 },
        { paymentId: 'pay-2', amount: 1000, currency: 'EUR', returned: 400 },
      ],
      history: [
        { at: 1000, what: 'reserved', status: 'reserved' },
        { at: 2000, what: 'written', status: 'awaiting-payment' },
        { at: 4000, what: 'payment-succeeded', status: 'paid' },
        { at: 5000, what: 'refunded-by-marketer', status: 'refund-due' },
        { at: 6000, what: 'refund-succeeded', status: 'refunded' },
      ],
    })
    const [cells = []] = sentOrdersTable.linesOf({ order })
    expect(cells).toHaveLength(sentOrdersTable.headings.length)
    const row = Object.fromEntries(cells.map((cell, column) => [sentOrdersTable.headings[column], cell]))
    expect(row).toMatchObject({
      ...{ paymentId: 'pay-2', paidAt: '1970-01-01T00:00:04.000Z', amount: '10.00' },
      ...{ refundReturned: '4.00', refundedAt: '1970-01-01T00:00:06.000Z' },
    })
  })

  it('comes in parts that follow each other, with one line of headings, each order once', async () => {
    await rig.open()
    rig.ports.table = withManyOrders(rig.ports.table, 40_000)
    const parts = await partsOf(rig, path)
    expect(parts.length).toBeGreaterThan(1)
    const ids = parts.flatMap(({ ids }) => ids)
    expect(ids).toHaveLength(40_000)
    expect(new Set(ids).size).toBe(40_000)
    expect(parts.map(({ hasHeadings }) => hasHeadings)).toEqual(parts.map((_, at) => at === 0))
  })

  it('is refused whole when it does not fit, so that no client takes a part for all', async () => {
    await rig.open()
    rig.ports.table = withManyOrders(rig.ports.table, 40_000)
    expect(await rig.ask('GET', path)).toMatchObject({
      status: 413,
      body: { code: 'too-large', reason: 'table-in-parts' },
    })
  })

  const idsOf = async (query: string): Promise<string[]> => {
    const { body } = await rig.ask('GET', `${path}?${query}`)
    const lines: string[] = body.trimEnd().split('\r\n')
    return lines.filter((line) => line.startsWith('phone-')).map((line) => line.slice(0, line.indexOf(',')))
  }

  it('comes in quarters that can be read at once, and goes on behind an order of its quarter alone', async () => {
    await rig.open()
    rig.ports.table = withManyOrders(rig.ports.table, 400)
    const quarters = await Promise.all(
      orderQuarters.map((quarter) => rig.ask('GET', `${path}?columns=report&after=&quarter=${quarter}`)),
    )
    const lines = quarters.map(({ body }) => body.trimEnd().split('\r\n'))
    expect(lines.map((some) => some[0])).toEqual(quarters.map(() => reportColumns.join()))
    expect(lines.map((some) => some.length - 1)).toEqual([100, 100, 100, 100])
    const whole = await rig.ask('GET', `${path}?columns=report`)
    expect(lines.flatMap((some) => some.slice(1))).toEqual(whole.body.trimEnd().split('\r\n').slice(1))
    const [first = ''] = await idsOf('quarter=2&')
    expect(await idsOf(`quarter=2&after=${first}&`)).toEqual((await idsOf('quarter=2&')).slice(1))
    expect(await rig.ask('GET', `${path}?quarter=1&after=${first}`)).toMatchObject({
      ...{ status: 400, body: { field: 'after' } },
    })
  })

  it.each([
    ['quarter', 'quarter=5'],
    ['after', 'after=7'],
    ['after', 'after=other-abcdefghijklmnopqrstuvwxyz'],
    ['part', 'part=0'],
  ])('names a bad %s in %s', async (field, query) => {
    await rig.open()
    expect(await rig.ask('GET', `${path}?${query}`)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('GET /api/control/sales/{id}/packets.csv', () => {
  it('lists the credited red packets, and no rejected one, from any of them on', async () => {
    const start = rig.clock.now
    await rig.open({ kind: 'red-packet', price: undefined, stock: undefined, ...onePacketEach })
    const sale = await rig.sale()
    const messages = [0, 1, 16, 17, 1].map((number, at) =>
      orderMessageOf({ sale, shopper: at + 1, packet: { number, amount: 10 } }),
    )
    rig.clock.now = start + 1000
    rig.queue.messages.push(...messages.map(({ body }) => JSON.parse(body)))
    await rig.deliver()
    const { status, body } = await rig.ask('GET', '/sales/phone/packets.csv')
    expect(status).toBe(200)
    const [headings, ...lines] = body.trimEnd().split('\r\n')
    expect(headings).toBe('packetId,shopperId,amount,currency,claimedAt,creditedAt')
    const times = `${new Date(5_000).toISOString()},${new Date(start + 1000).toISOString()}`
    const wanted = [0, 1, 16, 17].map((number, at) => `phone-p${number},shopper-${at + 1},0.10,CNY,${times}`)
    expect(lines.toSorted()).toEqual(wanted.toSorted())
    const first = Number(/shopper-(\d)/.exec(lines[0])?.[1])
    const rest = await rig.ask('GET', `/sales/phone/packets.csv?after=${claimIdOf({ saleId: phone }, first)}`)
    expect(rest.body.trimEnd().split('\r\n')).toEqual(lines.slice(1))
    expect(await rig.ask('GET', '/sales/phone/packets.csv?after=x')).toMatchObject({
      ...{ status: 400, body: { field: 'after' } },
    })
    const orders = (await rig.ask('GET', path)).body.trimEnd().split('\r\n').slice(1)
    expect(orders.filter((line: string) => line.includes('fulfilled'))).toHaveLength(4)
    expect(orders.filter((line: string) => line.includes('rejected'))).toHaveLength(1)
  })

  it('is refused for a sale without red packets', async () => {
    await rig.open()
    expect(await rig.ask('GET', '/sales/phone/packets.csv')).toMatchObject({
      status: 409,
      body: { reason: 'no-packets' },
    })
  })
})
