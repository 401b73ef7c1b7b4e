/** All that the shop holds of one shopper is exported and erased; a scan of the whole table finds what is left. */
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import type { Order, OrderStatus } from '../../../core/orders/order.ts'
import { historyEntry } from '../../../core/orders/order-life.ts'
import { claimKey } from '../../../core/packets/packet.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { createSealer } from '../../../functions/lib/sealer.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { deliveryApp } from '../../../functions/people/delivery.ts'
import { storedKinds } from '../../../functions/people/person-items.ts'
import { personalControlApp } from '../../../functions/people/personal-data-routes.ts'
import * as keys from '../../../functions/table/keys.ts'
import { orderItem } from '../../../functions/table/orders/order-item.ts'
import { putContact } from '../../../functions/table/people/contacts.ts'
import { putDelivery } from '../../../functions/table/people/deliveries.ts'
import { forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { useDynamoTable } from '../../contract/cloud.ts'
import { aSale, orderIdOf, saleIdOf } from '../../redis/support.ts'
import { behindUrl } from '../../world/function-url.ts'
import { testTelemetry } from '../../world/telemetry.ts'
import { berlin, dayMs, newKey } from './delivery-rig.ts'

const dynamoDb = useDynamoTable()

const named = (text: string): ShopperId => {
  const shopperId = parseShopperId(text)
  if (shopperId === undefined) throw new Error(`${text} is no shopper id`)
  return shopperId
}
const ann = named('customer:shop|ann-4711')
const bob = named('bob-4712')
const [gone, live] = [saleIdOf('gone-sale'), saleIdOf('live-sale')]
const soldAt = Date.UTC(2026, 7, 1)
const personal = [newKey()]
const time = { now: Date.UTC(2026, 10, 22) }
const clock = () => time.now
const sealer = createSealer(personal, clock)
const secrets = [ann, berlin.email, berlin.name, berlin.addressLines[0] ?? '']

const put = (Item: Record<string, unknown>) =>
  dynamoDb.table.client.send(new PutCommand({ TableName: dynamoDb.table.name, Item }))

const putSale = (saleId: typeof gone, list: string) =>
  put({ ...keys.saleKey(saleId), listPk: list, listSk: keys.salePlace({ saleId, startsAt: soldAt }) })

async function allItems(): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await dynamoDb.table.client.send(
    new ScanCommand({ TableName: dynamoDb.table.name, ConsistentRead: true }),
  )
  return Items
}

/** Keys of the items that name Ann anywhere, or are encrypted. */
async function traces(): Promise<string[]> {
  const found = await allItems()
  const ofAnn = found.filter((item) => {
    const text = JSON.stringify(item)
    return secrets.some((secret) => text.includes(secret)) || item.sealed !== undefined || /statement/.test(text)
  })
  return ofAnn.map(({ pk }) => String(pk)).toSorted()
}

let ordersMade = 0
type Steps = readonly (readonly [what: Parameters<typeof historyEntry>[1], status: OrderStatus])[]

async function anOrder(
  shopperId: ShopperId,
  sale: { saleId: typeof gone; price?: number },
  steps: Steps,
  change: Partial<Order> = {},
): Promise<Order> {
  ordersMade += 1
  const { saleId, price = 250 } = sale
  const reservation = { orderId: orderIdOf(saleId, 1, ordersMade), saleId, shopperId, quantity: 1 }
  const order = newOrder({ ...reservation, reservedAt: soldAt }, aSale({ saleId, price }), soldAt, () => [])
  const history = [...order.history, ...steps.map(([what, status]) => historyEntry(soldAt, what, status))]
  const written = { ...order, history, status: history.at(-1)?.status ?? order.status, ...change }
  await put(orderItem(written))
  return written
}

/** The order of a shopper's packet in `saleId`. */
async function aPacketOrder(shopperId: ShopperId, saleId: typeof gone, status: OrderStatus): Promise<Order> {
  const packet = { number: 3, amount: 88, currency: 'EUR' }
  const orderId = deriveOrderId(saleId, shopperId, claimKey)
  return anOrder(shopperId, { saleId, price: 0 }, [['rejected', status]], { orderId, packet })
}

const paidAndSent: Steps = [
  ['payment-succeeded', 'paid'],
  ['shipped', 'shipped'],
  ['delivered', 'delivered'],
]
const unpaid: Steps = [['payment-window-over', 'cancelled']]

/** One item of each kind that has a shopper in it, most of them of an archived sale. */
async function fill(table: Table): Promise<void> {
  const store = { table, sealer, personalKeys: personal, clock }
  const { email, language, ...address } = berlin
  const expiresAt = time.now + 100 * dayMs
  await putSale(gone, keys.archivedSalesList)
  await putSale(saleIdOf('empty-sale'), keys.archivedSalesList)
  await putSale(live, keys.salesList)
  const paid = await anOrder(ann, { saleId: gone }, paidAndSent)
  await anOrder(ann, { saleId: gone, price: 0 }, [])
  await anOrder(ann, { saleId: gone }, unpaid)
  const running = await anOrder(ann, { saleId: live }, unpaid)
  await anOrder(bob, { saleId: gone }, paidAndSent)
  await put({ ...keys.buyerKey(gone, ann), quantity: 2 })
  await put({ ...keys.buyerKey(live, ann), quantity: 0 })
  await put({ ...keys.releaseKey(live, running.orderId), shopperId: ann })
  await putContact(store, ann, { email, language }, expiresAt)
  await putDelivery(store, paid.orderId, { ...address, phone: '+493080615040' }, expiresAt)
  const seconds = Math.ceil(expiresAt / 1000)
  await put({ ...keys.saleMailKey(live, ann, soldAt), sentAt: soldAt, expiresAt: seconds })
  await aPacketOrder(ann, gone, 'fulfilled')
  await aPacketOrder(ann, saleIdOf('empty-sale'), 'rejected')
  await put({ ...keys.blockKey(`shopper ${ann}`), who: 'mia', when: soldAt })
}

function rig(owner = ann) {
  const ports = {
    ...{ offers: { find: async () => aSale() }, table: dynamoDb.table, sealer, personalKeys: personal, clock },
    ...{ sendsMails: true, keepMs: 180 * dayMs, sleep: async () => undefined },
  }
  const own = behindUrl(testTelemetry(), deliveryApp(ports))
  const staff = behindUrl(testTelemetry(), personalControlApp(ports, []))
  return {
    asOwner: (method: string, path = '/api/me') => own(forwardedRequest(owner, method, path)),
    asStaff: (call: 'export' | 'erase', role = 'support') =>
      staff(
        forwardedRequest(
          'rita',
          'POST',
          `/api/control/people/${call}`,
          { shopperId: owner },
          { 'x-shopper-roles': role },
        ),
      ),
  }
}

const personalKinds = Object.entries(storedKinds).filter(([, row]) => typeof row !== 'string')
const fateAfter = { booking: Date.UTC(2035, 0, 1), claims: Date.UTC(2030, 0, 1) }
const erasing = '/api/me?confirm=yes'

describe('the data of a person', () => {
  beforeAll(() => fill(dynamoDb.table))

  it('is exported whole: each kind of item that names a shopper, decrypted', async () => {
    const { status, body, text } = await rig().asOwner('GET')
    expect(status).toBe(200)
    const shown = body.parts.flatMap(({ items }: { items: { kind?: string }[] }) => items)
    const kinds = new Set(shown.map(({ kind = 'order' }: { kind?: string }) => `${kind}Key`))
    expect(kinds).toEqual(new Set(personalKinds.map(([name]) => name)))
    for (const secret of secrets) expect(text).toContain(secret)
    expect(text).not.toContain(bob)
    expect(body).toMatchObject({ shopperId: ann, open: [] })
  })

  it('is the same for support, and not for a viewer', async () => {
    const { at: _, ...mine } = (await rig().asOwner('GET')).body
    expect((await rig().asStaff('export')).body).toMatchObject(mine)
    expect((await rig().asStaff('erase', 'viewer')).status).toBe(403)
  })

  it('stays while an order is under way, which the refusal names', async () => {
    const order = await anOrder(ann, { saleId: live }, [])
    const before = await traces()
    expect((await rig().asOwner('DELETE')).body).toMatchObject({ code: 'invalid-request', field: 'confirm' })
    for (const answer of [await rig().asOwner('DELETE', erasing), await rig().asStaff('erase')]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', reason: 'orders-open' } })
      expect(answer.body.values.orders).toBe(order.orderId)
    }
    expect(await traces()).toEqual(before)
    await put(orderItem({ ...order, status: 'cancelled' }))
  })

  it('is erased but for what a law or a running sale needs, and a repeat changes nothing (I5)', async () => {
    const first = await rig().asOwner('DELETE', erasing)
    expect(first.status).toBe(200)
    // The total of a shopper stays with the orders of its sale, as long as the last of them.
    const kept = [
      { part: 'orders', reason: 'booking', count: 2, until: fateAfter.booking },
      { part: 'orders', reason: 'claims', count: 1, until: fateAfter.claims },
      { part: 'orders', reason: 'running-sale', count: 4, until: null },
      { part: 'wallet', reason: 'booking', count: 1, until: fateAfter.booking },
      { part: 'blocks', reason: 'protection', count: 1, until: null },
    ]
    const total = kept.reduce((sum, { count }) => sum + count, 0)
    expect(first.body.erased).toContainEqual({ part: 'contact', count: 1 })
    expect(first.body.kept).toHaveLength(kept.length)
    expect(first.body.kept).toEqual(expect.arrayContaining(kept))
    const left = await traces()
    expect(left).toHaveLength(total)
    expect(left.map((pk) => pk.split('#')[0])).toEqual([
      ...['BLOCKLIST', 'BUYER', 'BUYER', 'ORDERS', 'ORDERS', 'ORDERS', 'ORDERS', 'ORDERS'],
      ...['RELEASE'],
    ])
    const again = await rig().asStaff('erase')
    expect(again.body).toEqual({ erased: [], kept: first.body.kept })
    expect(await traces()).toEqual(left)
  })

  it('is audited without its content', async () => {
    const entries = (await allItems()).filter(({ pk }) => String(pk).startsWith('AUDIT#'))
    expect(entries).toContainEqual(expect.objectContaining({ who: 'shopper', what: 'erase-person', before: null }))
    expect(entries).toContainEqual(expect.objectContaining({ who: 'rita', what: 'export-person' }))
    expect(JSON.stringify(entries)).not.toContain(ann)
  })

  it('leaves no trace but a block once the periods are over and the sales archived', async () => {
    await putSale(live, keys.archivedSalesList)
    time.now = fateAfter.booking + dayMs
    const { status, body } = await rig().asOwner('DELETE', erasing)
    expect(status).toBe(200)
    // A release goes with the archived sale's keys in Redis, which `reconcile` removes.
    expect((await traces()).map((pk) => pk.split('#')[0])).toEqual(['BLOCKLIST', 'RELEASE'])
    expect(body.kept).toHaveLength(2)
    const orders = (await allItems()).filter(({ pk }) => String(pk).startsWith('ORDERS#'))
    expect(orders.every(({ amount }) => typeof amount === 'number')).toBe(true)
    expect(orders.filter(({ listPk }) => String(listPk).startsWith('SHOPPER#erased:'))).toHaveLength(5)
    expect(orders.filter(({ listPk }) => String(listPk).startsWith('WALLET#erased:'))).toHaveLength(2)
  })
})

describe('an erasure while something is under way', () => {
  let people = 0
  /** Another person, whose orders are of an archived sale. */
  function another() {
    people += 1
    const shopperId = named(`person-${people}`)
    const own = rig(shopperId)
    const order = (steps: Steps, change: Partial<Order> = {}) => anOrder(shopperId, { saleId: gone }, steps, change)
    const erase = () => own.asOwner('DELETE', erasing)
    return { ...own, shopperId, order, erase, save: (next: Order) => put(orderItem(next)) }
  }
  const payment = { paymentId: 'p', attempt: 1, startedAt: soldAt, state: 'succeeded' } as const
  const refund = { paymentId: 'p', amount: 250, currency: 'EUR', returned: 0 }
  const booked = { part: 'orders', reason: 'booking', count: 1, until: fateAfter.booking }

  beforeAll(() => {
    time.now = soldAt + 10 * dayMs
    return putSale(gone, keys.archivedSalesList)
  })

  const dispute = (state: 'open' | 'won' | 'lost') => ({ paymentId: 'p', state, at: soldAt })
  const whole = { ...refund, returned: 250 }
  it.each<[string, Partial<Order>, Partial<Order>]>([
    ['the dispute of its payment is open', { dispute: dispute('open') }, { dispute: dispute('won') }],
    [
      'a lost dispute leaves a rest of a refund',
      { dispute: dispute('lost'), refunds: [{ ...refund, returned: 200 }] },
      { dispute: dispute('lost'), refunds: [whole] },
    ],
    ['the refund of sent goods is on its way', { refunds: [refund] }, { refunds: [whole] }],
    [
      'the bank returned a refund, and no person has settled it',
      { refunds: [{ ...whole, failedAt: soldAt }] },
      { refunds: [whole] },
    ],
  ])('is refused while %s, names the order, and is made afterwards', async (_, under, after) => {
    const { order, erase, save } = another()
    const made = await order(paidAndSent, { payment, ...under })
    expect(await erase()).toMatchObject({
      status: 409,
      body: { reason: 'orders-open', values: { orders: made.orderId } },
    })
    await save({ ...made, ...after })
    const { status, body } = await erase()
    expect(status).toBe(200)
    // § 147 AO keeps the record of the payment.
    expect(body.kept).toContainEqual(booked)
  })
})
