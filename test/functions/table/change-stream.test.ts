/** Records of the table's stream, also those that a later version writes. */
import { describe, expect, it } from 'vitest'
import { readChange } from '../../../functions/table/change-stream.ts'
import { orderItem } from '../../../functions/table/orders/order-item.ts'
import { anOrder, creditItem, orderId, recordOf, recordOfOrder, shopperId } from '../people/mail-rig.ts'

const item = (change: Record<string, unknown> = {}) => ({ ...orderItem(anOrder()), ...change })

describe('a record of the stream', () => {
  it('of an order has its facts, its last word and its revision', () => {
    expect(readChange(recordOfOrder(anOrder()))).toMatchObject({
      kind: 'order',
      order: {
        ...{ orderId, shopperId, saleId: 'stoneware-mug', quantity: 2, amount: 4800, currency: 'EUR' },
        ...{ status: 'awaiting-payment', what: 'written', revision: 2, hasCodes: false },
      },
    })
  })

  it('of a shipped order has its carrier and number, although this version knows neither word nor status', () => {
    const history = [...anOrder().history.map(({ at, status, what }) => `${at} ${status} ${what}`), '9 shipped shipped']
    const shipment = { carrier: 'DHL', tracking: '00340434' }
    const shipped = item({ status: 'shipped', history, shipment, parcels: 2 })
    expect(readChange(recordOf(shipped))).toMatchObject({
      order: { status: 'shipped', what: 'shipped', revision: 3, shipment },
    })
  })

  it('of an order with a reason of a later version is read without it', () => {
    const change = readChange(recordOf(item({ reason: 'by-the-moon' })))
    expect(change).toMatchObject({ kind: 'order', order: { orderId } })
    expect(change?.kind === 'order' && change.order.reason).toBeUndefined()
  })

  it('of a credit has its packet and its amount', () => {
    expect(readChange(recordOf(creditItem()))).toMatchObject({
      kind: 'credit',
      credit: { shopperId, saleId: 'stoneware-mug', packet: 7, amount: 888, currency: 'CNY' },
    })
  })

  it.each([
    ['an order of no shopper', item({ listPk: 'SALES' })],
    ['an order without a history', item({ history: [] })],
    ['an order of nothing', item({ quantity: 0 })],
    ['a credit of no packet', { ...creditItem(), packet: { number: -1, amount: 1, currency: 'CNY' } }],
  ])('is unreadable when it is %s, and says so without its content', (_name, faulty) => {
    const change = readChange(recordOf(faulty))
    expect(change?.kind).toBe('unreadable')
    expect(JSON.stringify(change)).not.toMatch(/ann|stoneware/)
  })

  it('of the order of a red packet is left out when it was rejected, or its shopper erased (N5)', () => {
    const { history: [reserved, written] = [] } = creditItem() as { history?: string[] }
    for (const steps of [
      [reserved, '1 rejected rejected'],
      [reserved, written, '2 fulfilled person-erased'],
    ]) {
      expect(readChange(recordOf({ ...creditItem(), history: steps }))).toBeUndefined()
    }
  })

  it('of another item, or without an image, is left out', () => {
    expect(readChange(recordOf({ pk: 'SALE#stoneware-mug', sk: 'SALE' }))).toBeUndefined()
    expect(readChange(recordOf({ pk: 'PACKETS#stoneware-mug#3', sk: '3', orderId }))).toBeUndefined()
    const { dynamodb } = recordOfOrder(anOrder())
    expect(readChange({ dynamodb: { ...dynamodb, NewImage: undefined } })).toBeUndefined()
  })
})
