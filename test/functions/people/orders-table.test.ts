/** The orders of a sale with where to send them, and who may read that. */

import { parse as parseCsv } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { reportColumns } from '../../../core/report/sale-report.ts'
import { sentOrdersTable } from '../../../functions/people/list-orders.ts'
import { putContact } from '../../../functions/table/people/contacts.ts'
import { putDelivery } from '../../../functions/table/people/deliveries.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const ann = {
  name: 'Ann Schäfer',
  organization: 'Acme',
  addressLines: ['Torstraße 1', 'Hinterhaus'],
  locality: 'Berlin',
  postalCode: '10119',
  postalCountry: 'DE',
  phone: '+493080615040',
}

/** Longer than a test lasts, epoch ms. */
const never = Date.UTC(2100)

const personal = sentOrdersTable.headings.slice(sentOrdersTable.headings.indexOf('name'))

async function rowsFor(roles: string, query = ''): Promise<Record<string, string>[]> {
  const { status, body } = await rig.ask('GET', `/sales/phone/orders.csv${query}`, undefined, {
    'x-shopper-roles': roles,
  })
  expect(status).toBe(200)
  return parseCsv(body, { columns: true })
}

/** Two orders, of which the first has a delivery. */
async function sell(change: Partial<typeof ann> = {}, email = 'ann@example.com'): Promise<OrderId> {
  await rig.open({ price: 1000, delivery: { countries: ['DE'] } })
  const [one] = await rig.sell(2)
  await putDelivery(rig.ports, one, { ...ann, ...change }, never)
  await putContact(rig.ports, shopperIdOf(1), { email, language: 'en' }, never)
  await putContact(rig.ports, shopperIdOf(2), { email: 'bo@example.com', language: 'en' }, never)
  return one
}

describe('orders.csv', () => {
  it('has the delivery of each order, for a marketer', async () => {
    const one = await sell()
    const rows = await rowsFor('marketer')
    expect(rows.find(({ orderId }) => orderId === one)).toMatchObject({
      // Spreadsheets take a leading plus for a formula.
      ...{ name: 'Ann Schäfer', phone: "'+493080615040", email: 'ann@example.com' },
      address: 'Acme, Torstraße 1, Hinterhaus, 10119 Berlin, DE',
    })
    const other = rows.find(({ orderId }) => orderId !== one)
    expect(personal.map((heading) => other?.[heading])).toEqual(personal.map(() => ''))
  })

  it('has the variant of an order beside its delivery (N1)', async () => {
    const variants = ['s', 'm'].map((id) => ({ id, name: id, stock: 5 }))
    const limits = { stock: 10, limitPerShopper: 3, maxPerOrder: 3 }
    await rig.open({ price: 1000, delivery: { countries: ['DE'] }, variants, ...limits })
    const orderId = await rig.buy(1, { quantity: 3, variant: 's' })
    await rig.deliver()
    await putDelivery(rig.ports, orderId, ann, never)
    expect(await rowsFor('marketer')).toMatchObject([
      { orderId, quantity: '3', variant: 's', address: expect.stringContaining('Berlin') },
    ])
  })

  it('has at most 20 columns', () => {
    expect(sentOrdersTable.headings.length).toBeLessThanOrEqual(20)
  })

  it('shows a viewer the same orders and no personal data', async () => {
    await sell()
    const rows = await rowsFor('viewer')
    expect(rows.map(({ orderId }) => orderId).toSorted()).toEqual(
      (await rowsFor('marketer')).map(({ orderId }) => orderId).toSorted(),
    )
    for (const row of rows) expect(personal.map((heading) => row[heading])).toEqual(personal.map(() => ''))
  })

  it('does not read personal data for a viewer, for a report, or for a sale that asks for no address', async () => {
    const refuse = async () => Promise.reject(new Error('personal data was read'))
    await sell()
    rig.ports.table = onWireAt(rig.ports.table, 'batch get DELIVERY', refuse)
    await rowsFor('viewer')
    const [row] = await rowsFor('marketer', '?columns=report')
    expect(Object.keys(row ?? {})).toEqual(reportColumns)
    await expect(rowsFor('marketer')).rejects.toThrow('personal data was read')
  })

  it.each(['=HYPERLINK("https://evil.example","Ann")', '+1+cmd|calc', '-2+3', '@SUM(A1)'])(
    'keeps a name or line from becoming a formula: %s',
    async (text) => {
      const one = await sell({ name: text, organization: text }, '+cmd@example.com')
      const row = (await rowsFor('marketer')).find(({ orderId }) => orderId === one)
      expect([row?.name, row?.email]).toEqual([`'${text}`, "'+cmd@example.com"])
      expect(row?.address?.startsWith(`'${text}, `)).toBe(true)
    },
  )
})

describe('a search by e-mail address', () => {
  const find = (text: string) => rig.ask('POST', '/orders/find', { find: text }, { 'x-shopper-roles': 'support' })

  it('finds the orders of its shopper, in any case of its letters, and of all shoppers with that address', async () => {
    const one = await sell()
    const { status, body } = await find('ANN@example.com')
    expect(status).toBe(200)
    expect(body.orders).toMatchObject([{ orderId: one }])
    expect(JSON.stringify(body)).not.toMatch(/example\.com|Berlin/i)
    await putContact(rig.ports, shopperIdOf(2), { email: 'ann@example.com', language: 'en' }, never)
    const { body: both } = await find('ann@example.com')
    const shoppers = both.orders.map(({ shopperId }: { shopperId: string }) => shopperId)
    expect(shoppers.toSorted()).toEqual([shopperIdOf(1), shopperIdOf(2)])
    expect(both.next).toBeNull()
  })

  it('still takes an address for a shopper id, which may look like one', async () => {
    await sell()
    expect(await find('stranger@example.com')).toMatchObject({ status: 200, body: { orders: [], next: null } })
    expect(await find('no body@example.com')).toMatchObject({ status: 400, body: { field: 'find' } })
  })
})
