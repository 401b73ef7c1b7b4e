/** Attacks on personal data by a hostile client, or by someone with access to the table. */

import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { maxDeliveryText } from '../../../core/body-limits.ts'
import { deliveryKey } from '../../../functions/table/keys.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { useDynamoTable } from '../../contract/cloud.ts'
import { berlin, deliveryShop, guangzhou } from './delivery-rig.ts'

const dynamoDb = useDynamoTable()

const long = 'x'.repeat(maxDeliveryText + 1)

/** A change of a good request, and the field that the answer names. */
const refused: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ['a line break in a name', { name: 'Ann\nOrder: 1000 units' }, 'name'],
  ['a tab', { locality: 'Ber\tlin' }, 'locality'],
  ['an escape character', { addressLines: ['\u001b[2JTorstraße 1'] }, 'addressLines.0'],
  ['a null character', { name: 'Ann\u0000' }, 'name'],
  ['a line separator of Unicode', { name: 'Ann\u2028Schäfer' }, 'name'],
  ['text that turns its direction', { name: 'Ann \u202egnihtemos' }, 'name'],
  ['an isolate of direction', { addressLines: ['\u2067Torstraße 1'] }, 'addressLines.0'],
  ['half a character', { name: 'Ann \ud83d' }, 'name'],
  ['a tag', { name: '<img src=x onerror=alert(1)>' }, 'name'],
  ['a tag in an optional part', { organization: '<b>Acme' }, 'organization'],
  ['spaces alone', { name: '   ' }, 'name'],
  ['characters that show nothing', { name: '\u200b\u200b' }, 'name'],
  ['fillers, which count as letters', { name: '\u3164\u115f\uffa0' }, 'name'],
  ['selectors of a variation without a letter', { name: '\ufe0f\u{e0100}' }, 'name'],
  ['a code point that is no character', { name: 'Ann\uffff' }, 'name'],
  ['a formula without a letter', { name: '=+-@' }, 'name'],
  ['a text that is too long', { name: long }, 'name'],
  ['a line that is too long', { addressLines: ['Torstraße 1', long] }, 'addressLines.1'],
  ['too many lines', { addressLines: ['1', '2', '3', '4'] }, 'addressLines'],
  ['no line', { addressLines: [] }, 'addressLines'],
  ['a text in place of lines', { addressLines: 'Torstraße 1' }, 'addressLines'],
  ['an object in place of a text', { name: { $ne: '' } }, 'name'],
  ['a number in place of a text', { postalCode: 10_119 }, 'postalCode'],
  ['a country that is not sent to', { postalCountry: 'FR' }, 'postalCountry'],
  ['an unknown country', { postalCountry: 'ZZ' }, 'postalCountry'],
  ['a country in lower case', { postalCountry: 'de' }, 'postalCountry'],
  ['the name of a prototype', { postalCountry: '__proto__' }, 'postalCountry'],
  ['a phone number of no country', { phone: '+9991234567' }, 'phone'],
  ['an extension longer than is stored', { phone: '030 80615040;ext=12345678901234' }, 'phone'],
  ['a phone number that is too long', { phone: '0'.repeat(33) }, 'phone'],
  ['an email address with a line break', { email: 'ann@example.com\r\nBcc: all@example.com' }, 'email'],
  ['two email addresses', { email: 'ann@example.com,bo@example.com' }, 'email'],
  ['an email address that is too long', { email: `${'a'.repeat(250)}@example.com` }, 'email'],
  ['a language without pages', { language: '../../etc' }, 'language'],
  ['an unknown field', { isAdmin: true }, 'isAdmin'],
  ['an owner', { shopperId: 'bo' }, 'shopperId'],
  ['a field of the table', { expiresAt: 9e9 }, 'expiresAt'],
  ['a prototype', JSON.parse('{"__proto__":{"name":"Bo"}}'), '__proto__'],
]

it.each(refused)('a delivery is refused and not stored for %s', async (_what, change, field) => {
  const shop = deliveryShop(dynamoDb.table)
  const { path } = await shop.order(1)
  const answer = await shop.put(1, path, { ...berlin, ...change })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
  expect((await shop.get(1, path)).body.delivery).toBeNull()
})

describe('the personal data of another shopper', () => {
  it('reads as missing, and can be neither replaced nor erased', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const { path } = await shop.order(1)
    await shop.put(1, path, berlin)
    const answers = [await shop.get(2, path), await shop.put(2, path, guangzhou), await shop.erase(2, path)]
    const unknown = await shop.get(2, path.replace(/.{26}\/delivery$/, `${'a'.repeat(26)}/delivery`))
    for (const { status, text } of answers) expect([status, text]).toEqual([404, unknown.text])
    expect((await shop.get(1, path)).body.delivery).toMatchObject({ locality: 'Berlin' })
  })

  it('is not reached by a header of the client without the gate’s', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const { path } = await shop.order(1)
    await shop.put(1, path, berlin)
    expect((await shop.get(undefined, path)).status).toBe(401)
    expect((await shop.get(undefined, path, undefined, { 'x-shopper-id': 'a b' })).status).toBe(401)
    expect((await shop.get(undefined, '/api/contact')).status).toBe(401)
  })

  it('does not open where its ciphertext was copied to, and nothing of it is answered', async () => {
    const shop = deliveryShop(dynamoDb.table)
    const [of1, of2] = [await shop.order(1), await shop.order(2)]
    await shop.put(1, of1.path, berlin)
    const { client, name: TableName } = dynamoDb.table
    const { Items = [] } = await client.send(new ScanCommand({ TableName }))
    const stolen = Items.find(({ pk }) => pk === deliveryKey(of1.orderId).pk)
    await client.send(new PutCommand({ TableName, Item: { ...stolen, ...deliveryKey(of2.orderId) } }))
    const answer = await shop.get(2, of2.path)
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(answer.text).not.toContain('Berlin')
    // The shopper can still replace it.
    expect((await shop.put(2, of2.path, guangzhou)).status).toBe(200)
  })
})

it('a log holds nothing of an address, a phone number or an email address, after every kind of answer', async () => {
  const shop = deliveryShop(dynamoDb.table)
  const { orderId, path } = await shop.order(9)
  const broken = await shop.order(9)
  const { client, name: TableName } = dynamoDb.table
  const torn = { ...deliveryKey(broken.orderId), sealed: 'Torstraße 1', expiresAt: 9_999_999_999 }
  await client.send(new PutCommand({ TableName, Item: torn }))
  const statuses = [
    await shop.put(9, path, berlin),
    await shop.get(9, path),
    await shop.get(9, '/api/contact'),
    await shop.put(8, path, berlin),
    await shop.put(undefined, path, berlin),
    await shop.put(9, path, JSON.stringify(berlin).slice(1)),
    await shop.put(9, path, JSON.stringify(berlin), { 'content-type': 'text/plain' }),
    await shop.put(9, path, { ...berlin, name: long + berlin.name.repeat(1000) }),
    await shop.ask('POST')(9, path, berlin),
    await shop.get(9, broken.path),
  ].map(({ status }) => status)
  for (const [, change] of refused) statuses.push((await shop.put(9, path, { ...berlin, ...change })).status)
  shop.ports.table = onWireAt(shop.ports.table, 'get ORDERS', () =>
    Promise.reject(new Error('the table is unavailable')),
  )
  statuses.push((await shop.put(9, path, berlin)).status)
  await shop.remove(orderId)
  expect([...new Set(statuses)].toSorted()).toEqual([200, 400, 401, 404, 405, 413, 415, 503])
  expect(shop.telemetry.lines.length).toBeGreaterThan(0)
  const logged = JSON.stringify(shop.telemetry.lines).toLowerCase()
  const secrets = [berlin.name, ...berlin.addressLines, 'berlin', '10119', '8061', '3080615040', 'ann.schaefer', long]
  expect(secrets.filter((text) => logged.includes(text.toLowerCase()))).toEqual([])
})
