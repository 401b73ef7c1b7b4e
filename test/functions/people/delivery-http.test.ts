/** A shopper says where an order is sent, changes it, and erases it. */

import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { type OrderStatus, orderStatuses } from '../../../core/orders/order.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { payOrder } from '../../../functions/orders/pay.ts'
import { shoppersWithEmail } from '../../../functions/table/people/contacts.ts'
import { useDynamoTable } from '../../contract/cloud.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { world } from '../../world/world.ts'
import { berlin, dayMs, deliveryShop, guangzhou } from './delivery-rig.ts'

const dynamoDb = useDynamoTable()

const before: readonly OrderStatus[] = ['awaiting-payment', 'paid', 'fulfilled']

describe('the delivery of an order', () => {
  it('is stored with the shopper’s contact, and read again', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const { path } = await shop.order(1)
    const empty = await shop.get(1, path)
    expect(empty).toMatchObject({ status: 200, body: { delivery: null, lines: [], email: null } })
    expect(empty.headers['cache-control']).toBe('no-store')
    const { email, language, ...address } = berlin
    const stored = {
      delivery: { ...address, phone: '+493080615040' },
      lines: ['Ann Schäfer', 'Torstraße 1', 'Hinterhaus', '10119 Berlin'],
      email,
    }
    expect(await shop.put(1, path, berlin)).toMatchObject({ status: 200, body: stored })
    expect((await shop.get(1, path)).body).toMatchObject(stored)
    expect((await shop.get(1, '/api/contact')).body).toEqual({ contact: { email, language } })
  })

  it('is replaced by a later one, and the contact with it (I5)', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const { path } = await shop.order(2)
    for (const request of [berlin, berlin, guangzhou]) {
      expect((await shop.put(2, path, request)).status).toBe(200)
    }
    expect((await shop.get(2, path)).body).toMatchObject({
      delivery: { postalCountry: 'CN', phone: '+8613800138000' },
      lines: ['广东省广州市天河区', '天河路 385 号', '王小明'],
      email: guangzhou.email,
    })
  })

  it('has the forms of the sale’s countries, in the order of the sale', async () => {
    const shop = deliveryShop(dynamoDb.table, { delivery: { countries: ['JP', 'CN'] } })
    const { body } = await shop.get(3, (await shop.order(3)).path)
    expect(body.forms.map(({ country }: { country: string }) => country)).toEqual(['JP', 'CN'])
  })

  it.each(orderStatuses.filter((status) => !before.includes(status)))(
    'can no longer change once the order is %s, and can be erased',
    async (status) => {
      const shop = deliveryShop(dynamoDb.table)
      const { orderId, path } = await shop.order(4)
      await shop.put(4, path, berlin)
      await shop.change(orderId, { status })
      expect(await shop.put(4, path, guangzhou)).toMatchObject({ status: 409, body: { code: 'conflict' } })
      expect((await shop.get(4, path)).body).toMatchObject({ delivery: { locality: 'Berlin' }, forms: [] })
      expect(await shop.erase(4, path)).toMatchObject({ status: 200, body: { delivery: null, lines: [] } })
    },
  )

  it.each(before)('can change while the order is %s', async (status) => {
    const shop = deliveryShop(dynamoDb.table)
    expect((await shop.put(5, (await shop.order(5, { status })).path, berlin)).status).toBe(200)
  })

  it('is erased, also by a repeated request; the contact stays until it is erased itself', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const { path } = await shop.order(6)
    await shop.put(6, path, berlin)
    for (let times = 0; times < 2; times += 1) {
      expect((await shop.erase(6, path)).body).toMatchObject({ delivery: null, email: berlin.email })
    }
    for (let times = 0; times < 2; times += 1) {
      expect((await shop.erase(6, '/api/contact')).body).toEqual({ contact: null })
    }
    expect((await shop.get(6, path)).body).toMatchObject({ delivery: null, email: null })
    expect(await shoppersWithEmail(shop.ports, berlin.email)).not.toContain(shopperIdOf(6))
  })

  it('is not erased while the payment page is open, which would leave a paid order without an address', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const payment = { paymentId: 'p', attempt: 1, startedAt: 7_000, state: 'started' } as const
    const { orderId, path } = await shop.order(8, { payment })
    await shop.put(8, path, berlin)
    expect(await shop.erase(8, path)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await shop.get(8, path)).body).toMatchObject({ delivery: { locality: 'Berlin' } })
    await shop.change(orderId, { payment: { ...payment, state: 'failed' } })
    expect(await shop.erase(8, path)).toMatchObject({ status: 200, body: { delivery: null } })
  })

  it('goes only to a country with the same cost once its payment has begun', async () => {
    const costs = { DE: 490, CN: 1200, AT: 490 }
    const shop = deliveryShop(dynamoDb.table, { delivery: { countries: ['DE', 'CN', 'AT'], costs } })
    const payment = { paymentId: 'p', attempt: 1, startedAt: 7_000, state: 'started' } as const
    const { orderId, path } = await shop.order(9)
    expect((await shop.put(9, path, guangzhou)).status).toBe(200)
    expect((await shop.put(9, path, berlin)).status).toBe(200)
    await shop.change(orderId, { payment, amount: 740, deliveryCost: 490 })
    const refused = { status: 400, body: { code: 'invalid-request', field: 'postalCountry' } }
    expect(await shop.put(9, path, guangzhou)).toMatchObject(refused)
    const vienna = { ...berlin, postalCountry: 'AT', postalCode: '1010', locality: 'Wien' }
    expect((await shop.put(9, path, vienna)).status).toBe(200)
    await shop.change(orderId, { status: 'paid', payment: { ...payment, state: 'succeeded' } })
    expect(await shop.put(9, path, guangzhou)).toMatchObject(refused)
  })

  it('expires after the time that the stage keeps personal data', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const { path } = await shop.order(7)
    await shop.put(7, path, berlin)
    shop.time.now += 180 * dayMs - 1_000
    expect((await shop.get(7, path)).body.delivery).not.toBeNull()
    shop.time.now += 2_000
    expect((await shop.get(7, path)).body).toMatchObject({ delivery: null, email: null })
    expect((await shop.get(7, '/api/contact')).body).toEqual({ contact: null })
  })

  it('is not asked for by a sale without countries', async () => {
    const shop = deliveryShop(dynamoDb.table, { delivery: { countries: [] } })
    const { path } = await shop.order(8)
    expect(await shop.put(8, path, berlin)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await shop.get(8, path)).body).toMatchObject({ delivery: null, forms: [] })
  })
})

describe('an order that is paid while its address is erased', () => {
  /** The table of one caller; all of `interrupt` happens just before its call number `at`. */
  function interruptedTable(at: number, interrupt: () => Promise<void>) {
    const { client } = dynamoDb.table
    let calls = 0
    const send = async (command: never) => {
      calls += 1
      if (calls === at) await interrupt()
      return client.send(command)
    }
    return { table: { ...dynamoDb.table, client: { send } as unknown as Table['client'] }, calls: () => calls }
  }

  async function payBy(table: Table, orderId: OrderId) {
    const { ports } = await world()
    const { sale } = deliveryShop(table)
    const clock = () => 7_000
    const offers = { find: async () => sale }
    return (await payOrder({ ...ports, table, offers, clock }, shopperIdOf(9), orderId)).kind
  }

  const eraseBy = async (table: Table, orderId: OrderId) =>
    (await deliveryShop(table).erase(9, `/api/orders/${orderId}/delivery`)).status

  it.each([
    ['the erasure', 'the payment'],
    ['the payment', 'the erasure'],
  ])('never becomes paid without one, with %s between any two steps of %s', async (within) => {
    const outcomes = new Set<string>()
    let isAfter = false
    for (let at = 1; !isAfter; at += 1) {
      const shop = deliveryShop(dynamoDb.table)
      const { orderId, path } = await shop.order(9)
      await shop.put(9, path, berlin)
      let paid: string | undefined
      let erased: number | undefined
      const pay = async (table: Table) => {
        paid = await payBy(table, orderId)
      }
      const erase = async (table: Table) => {
        erased = await eraseBy(table, orderId)
      }
      const [outer, inner] = within === 'the erasure' ? [pay, erase] : [erase, pay]
      const interrupted = interruptedTable(at, () => inner(dynamoDb.table))
      await outer(interrupted.table)
      isAfter = interrupted.calls() < at
      if (isAfter) await inner(dynamoDb.table)
      const { delivery } = (await shop.get(9, path)).body
      outcomes.add(`${paid}, ${erased}, ${delivery === null ? 'erased' : 'stored'}`)
    }
    expect(outcomes).toEqual(new Set(['started, 409, stored', 'no-address, 200, erased']))
  })
})
