/** Contacts and deliveries in DynamoDB: sealed for their owner, found by their keys, expired in time, with the wish to hear less. */
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId, ShopperId } from '../../core/ids.ts'
import { createSealer } from '../../functions/lib/sealer.ts'
import { contactKey, deliveryKey } from '../../functions/table/keys.ts'
import { newOrderPut } from '../../functions/table/orders/order-item.ts'
import {
  dynamoFirstContacts,
  type FirstContacts,
  type PersonalTable,
} from '../../functions/table/people/contact-item.ts'
import {
  deleteContact,
  findContact,
  findContacts,
  putContact,
  recordUnsubscribed,
  shoppersWithEmail,
} from '../../functions/table/people/contacts.ts'
import {
  deleteDelivery,
  findDeliveries,
  ordersWithDelivery,
  putDelivery,
} from '../../functions/table/people/deliveries.ts'
import { transact } from '../../functions/table/transaction.ts'
import { newKey } from '../functions/people/delivery-rig.ts'
import { orderIdOf, saleIdOf, shopperIdOf } from '../redis/support.ts'
import { useDynamoTable } from './cloud.ts'
import { orderOf as orderFor } from './table-rig.ts'

const dynamoDb = useDynamoTable()

const start = Date.UTC(2026, 10, 22)
const inAnHour = start + 3_600_000

const delivery = {
  name: 'Ann Schäfer',
  addressLines: ['Torstraße 1'],
  locality: 'Berlin',
  postalCode: '10119',
  postalCountry: 'DE',
  phone: '+493080615040',
}
const contact = { email: 'Ann.Schaefer@Example.com', language: 'zh-CN' } as const

function personalWith(keys: readonly string[], now = start) {
  const clock = () => now
  return { table: dynamoDb.table, sealer: createSealer(keys, clock), personalKeys: keys, clock }
}

const sale = { saleId: saleIdOf('mug') }
const orderOf = (shopper: number) => orderIdOf(sale.saleId, shopper, 1)

/** Every item whose key is one of `keys`. */
async function itemsAt(...keys: readonly { pk: string }[]) {
  const { Items = [] } = await dynamoDb.table.client.send(
    new ScanCommand({ TableName: dynamoDb.table.name, ConsistentRead: true }),
  )
  return Items.filter(({ pk }) => keys.some((key) => key.pk === pk))
}

async function putBoth(personal: PersonalTable, order: OrderId, shopper: ShopperId, email: string = contact.email) {
  await putDelivery(personal, order, delivery, inAnHour)
  await putContact(personal, shopper, { ...contact, email }, inAnHour)
}

describe('personal data in the table', () => {
  it('is found by its owner until it is erased', async () => {
    const personal = personalWith([newKey()])
    const [order, other, shopper] = [orderOf(1), orderOf(2), shopperIdOf(1)]
    expect([...(await findDeliveries(personal, [order, other]))]).toEqual([])
    await putBoth(personal, order, shopper)
    expect([...(await findDeliveries(personal, [order, other]))]).toEqual([[order, delivery]])
    expect([...(await ordersWithDelivery(dynamoDb.table, [order, other], start))]).toEqual([
      [order, delivery.postalCountry],
    ])
    expect(await findContact(personal, shopper)).toEqual(contact)
    expect(await shoppersWithEmail(personal, 'ann.schaefer@example.COM')).toEqual([shopper])
    expect(await shoppersWithEmail(personal, 'bo@example.com')).toEqual([])
    const written = orderFor(sale, 1)
    await transact(dynamoDb.table, [newOrderPut(dynamoDb.table.name, written)])
    for (let times = 0; times < 2; times += 1) {
      expect(await deleteDelivery(dynamoDb.table, written)).toBe(true)
      await deleteContact(dynamoDb.table, shopper)
    }
    expect([...(await ordersWithDelivery(dynamoDb.table, [order], start))]).toEqual([])
    expect(await findContact(personal, shopper)).toBeUndefined()
    expect(await shoppersWithEmail(personal, contact.email)).toEqual([])
    expect(await itemsAt(deliveryKey(order), contactKey(shopper))).toEqual([])
  })

  it('is found for hundreds of orders and shoppers at once', async () => {
    const personal = personalWith([newKey()])
    const shoppers = Array.from({ length: 120 }, (_, i) => 1000 + i)
    for (const shopper of shoppers) {
      const name = `Person ${shopper}`
      await putDelivery(personal, orderOf(shopper), { ...delivery, name }, inAnHour)
      await putContact(personal, shopperIdOf(shopper), contact, inAnHour)
    }
    const found = await findDeliveries(personal, shoppers.map(orderOf))
    expect(shoppers.map((shopper) => found.get(orderOf(shopper))?.name)).toEqual(
      shoppers.map((shopper) => `Person ${shopper}`),
    )
    expect((await findContacts(personal, shoppers.map(shopperIdOf))).size).toBe(120)
    expect((await ordersWithDelivery(dynamoDb.table, shoppers.map(orderOf), start)).size).toBe(120)
  })

  it('cannot be read in the items', async () => {
    const personal = personalWith([newKey()])
    const [order, shopper] = [orderOf(3), shopperIdOf(3)]
    await putBoth(personal, order, shopper)
    const items = await itemsAt(deliveryKey(order), contactKey(shopper))
    expect(items.map((item) => Object.keys(item).toSorted())).toEqual(
      expect.arrayContaining([
        ['country', 'expiresAt', 'pk', 'sealed', 'sk'],
        ['expiresAt', 'listPk', 'listSk', 'pk', 'sealed', 'sk'],
      ]),
    )
    const raw = JSON.stringify(items).toLowerCase()
    const plain = [delivery.name, 'torstraße', 'berlin', '10119', '3080615040', 'schaefer', 'example.com', 'zh-cn']
    const forms = plain.flatMap((text) => [
      text.toLowerCase(),
      Buffer.from(text).toString('base64').replace(/=+$/, '').toLowerCase(),
      Buffer.from(text).toString('hex'),
    ])
    expect(forms.filter((text) => raw.includes(text))).toEqual([])
    expect(new Set(items.map(({ sealed }) => sealed)).size).toBe(2)
  })

  it('reads as missing once it is expired, before DynamoDB has deleted it', async () => {
    const keys = [newKey()]
    const [order, shopper] = [orderOf(4), shopperIdOf(4)]
    const early = personalWith(keys)
    await putBoth(early, order, shopper, 'late@example.com')
    const items = await itemsAt(deliveryKey(order), contactKey(shopper))
    expect(items.map(({ expiresAt }) => expiresAt)).toEqual([inAnHour / 1000, inAnHour / 1000])
    for (const [now, isThere] of [
      [inAnHour - 1, true],
      [inAnHour, false],
    ] as const) {
      const personal = personalWith(keys, now)
      expect((await findDeliveries(personal, [order])).has(order)).toBe(isThere)
      expect((await ordersWithDelivery(dynamoDb.table, [order], now)).has(order)).toBe(isThere)
      expect((await findContact(personal, shopper)) !== undefined).toBe(isThere)
      expect((await shoppersWithEmail(personal, 'late@example.com')).length === 1).toBe(isThere)
    }
  })

  it('is read with a former key beside a new one, and written with the new one', async () => {
    const [former, fresh] = [newKey(), newKey()]
    const [order, shopper] = [orderOf(5), shopperIdOf(5)]
    const before = personalWith([former])
    await putBoth(before, order, shopper, 'rotated@example.com')
    const both = personalWith([fresh, former])
    expect((await findDeliveries(both, [order])).get(order)).toEqual(delivery)
    expect(await shoppersWithEmail(both, 'rotated@example.com')).toEqual([shopper])
    await expect(findDeliveries(personalWith([fresh]), [order])).rejects.toThrow('no key opens it')
    await putBoth(both, order, shopper, 'rotated@example.com')
    const after = personalWith([fresh])
    expect((await findDeliveries(after, [order])).get(order)).toEqual(delivery)
    expect(await shoppersWithEmail(after, 'rotated@example.com')).toEqual([shopper])
  })

  it('does not open for another owner, or as the other kind', async () => {
    const personal = personalWith([newKey()])
    const [order, shopper] = [orderOf(6), shopperIdOf(6)]
    await putBoth(personal, order, shopper, 'six@example.com')
    const items = await itemsAt(deliveryKey(order), contactKey(shopper))
    const sealedOf = (key: { pk: string }) => items.find(({ pk }) => pk === key.pk)?.sealed
    const copy = (key: { pk: string; sk: string }, sealed: unknown) =>
      dynamoDb.table.client.send(
        new PutCommand({ TableName: dynamoDb.table.name, Item: { ...key, sealed, expiresAt: inAnHour / 1000 } }),
      )
    await copy(deliveryKey(orderOf(7)), sealedOf(deliveryKey(order)))
    await expect(findDeliveries(personal, [orderOf(7)])).rejects.toThrow('no key opens it')
    await copy(deliveryKey(orderOf(8)), sealedOf(contactKey(shopper)))
    await expect(findDeliveries(personal, [orderOf(8)])).rejects.toThrow('no key opens it')
    await copy(contactKey(shopperIdOf(7)), sealedOf(contactKey(shopper)))
    await expect(findContact(personal, shopperIdOf(7))).rejects.toThrow('no key opens it')
  })
})

/** How a sign-in puts a contact. */
function firstContactsOf({ table, ...personal }: PersonalTable) {
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const access = { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, TABLE_NAME: table.name }
  return dynamoFirstContacts({ ...access, AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint }, personal)
}

describe('a contact', () => {
  let now = start
  let shopperId: ShopperId
  let personal: PersonalTable
  let first: FirstContacts
  let count = 0
  beforeEach(() => {
    count += 1
    shopperId = shopperIdOf(2000 + count)
    personal = { ...personalWith([newKey()]), clock: () => now }
    first = firstContactsOf(personal)
  })
  const day = 86_400_000

  it('is put by a sign-in only where none is kept', async () => {
    const given = { email: 'typed@example.com', language: 'en' } as const
    expect(await first.putIfAbsent(shopperId, contact, now + day)).toBe(true)
    await putContact(personal, shopperId, given, now + day)
    expect(await first.putIfAbsent(shopperId, contact, now + day)).toBe(false)
    expect(await findContact(personal, shopperId)).toEqual(given)
    now += day
    expect(await first.putIfAbsent(shopperId, contact, now + day)).toBe(true)
    expect(await findContact(personal, shopperId)).toEqual(contact)
  })

  it('of a sign-in is refused by a table that is missing, without its content in the error', async () => {
    const missing = { ...personal, table: { ...dynamoDb.table, name: 'another' } }
    const failure = await firstContactsOf(missing)
      .putIfAbsent(shopperId, contact, now + day)
      .catch((error: unknown) => error)
    expect(String(failure)).toBe('Error: the table refused an item: ResourceNotFoundException')
  })

  it('stays unsubscribed when the shopper gives another address', async () => {
    await putContact(personal, shopperId, contact, now + day)
    for (const _ of [1, 2]) await recordUnsubscribed(dynamoDb.table, shopperId)
    expect(await findContact(personal, shopperId)).toEqual({ ...contact, unsubscribed: true })
    const next = { email: 'ann@other.example', language: 'en' } as const
    await putContact(personal, shopperId, next, now + day)
    expect(await findContact(personal, shopperId)).toEqual({ ...next, unsubscribed: true })
    expect(await shoppersWithEmail(personal, 'ANN@other.example')).toContain(shopperId)
    expect(await shoppersWithEmail(personal, contact.email)).not.toContain(shopperId)
  })

  it('is not made by unsubscribing', async () => {
    await recordUnsubscribed(dynamoDb.table, shopperId)
    expect(await findContact(personal, shopperId)).toBeUndefined()
    expect(await first.putIfAbsent(shopperId, contact, now + day)).toBe(true)
  })
})
