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
      ...{ name: 'Ann Schäfer', organization: 'Acme', street: 'Torstraße 1', street2: 'Hinterhaus', street3: '' },
      ...{ district: '', city: 'Berlin', region: '', postalCode: '10119', country: 'DE' },
      ...{ phone: '+49 30 80615040', email: 'ann@example.com' },
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
    expect(await rowsFor('marketer')).toMatchObject([{ orderId, quantity: '3', variant: 's', city: 'Berlin' }])
  })

  it('has at most 17 columns beside one for each part of an address, as tools for labels read them', () => {
    const address = 'name organization street street2 street3 district city region postalCode country phone email'
    expect(personal).toEqual(address.split(' '))
    expect(sentOrdersTable.headings.length - personal.length).toBeLessThanOrEqual(17)
  })

  it.each([
    ['+493080615040', '+49 30 80615040'],
    ['+12177822000', '+1 217 782 2000'],
    ['+81312345678', '+81 3 1234 5678'],
    ['+12177822000;ext=12', '+1 217 782 2000 ext. 12'],
  ])('has the phone %s in groups of digits, which are no formula', async (phone, written) => {
    const one = await sell({ phone })
    expect((await rowsFor('marketer')).find(({ orderId }) => orderId === one)?.phone).toBe(written)
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
      expect([row?.name, row?.organization, row?.email]).toEqual([`'${text}`, `'${text}`, "'+cmd@example.com"])
    },
  )
})

describe('a search by name', () => {
  const find = (body: object, roles = 'support') => rig.ask('POST', '/orders/find', body, { 'x-shopper-roles': roles })
  const idsOf = ({ body }: Awaited<ReturnType<typeof find>>) =>
    body.orders.map(({ orderId }: { orderId: OrderId }) => orderId)

  it.each([
    ['schafer', true],
    ['ANN  sch\u00e4', true],
    ['Ｓｃｈäfer Ann', true],
    ['Anna', false],
    ['Torstraße', false],
  ])('looks for %j among those that orders are sent to', async (name, isFound) => {
    const one = await sell()
    for (const filter of [{}, { sale: 'phone' }, { status: 'awaiting-payment' }]) {
      const found = await find({ name, ...filter })
      expect(found).toMatchObject({ status: 200, body: { next: null } })
      expect(idsOf(found)).toEqual(isFound ? [one] : [])
      expect(JSON.stringify(found.body)).not.toMatch(/Sch|Berlin|example/)
    }
    expect(idsOf(await find({ name, sale: 'other' }))).toEqual([])
    expect(idsOf(await find({ name, status: 'paid' }))).toEqual([])
  })

  it.each([
    ['胜', '张胜'],
    ['strasse', 'Frau Straße'],
    ['lukasz bjorn', 'Björn Łukasz'],
    ['SØREN', 'Soren Þorn'],
    ['Thorn aero dorde', 'Đorđe Ærø Þorn'],
  ])('finds %j in the name %s', async (name, stored) => {
    const one = await sell({ name: stored })
    expect(idsOf(await find({ name }))).toEqual([one])
  })

  it('is not for viewers, and refuses an empty name and a cursor of another list', async () => {
    await sell()
    expect(await find({ name: 'ann' }, 'viewer')).toMatchObject({ status: 403 })
    for (const [field, body] of [
      ['name', { name: ' ' }],
      ['after', { name: 'ann', sale: 'phone', after: 'x' }],
      ['find', {}],
    ] as const)
      expect(await find(body)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('a search by email address', () => {
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
