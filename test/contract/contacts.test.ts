/** Contacts of shoppers in a real table: encrypted, for a limited time, and with the wish to hear less. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { ShopperId } from '../../core/ids.ts'
import { createSealer } from '../../functions/lib/sealer.ts'
import type { PersonalTable } from '../../functions/table/people/contact-item.ts'
import {
  findContact,
  putContact,
  recordUnsubscribed,
  shoppersWithEmail,
} from '../../functions/table/people/contacts.ts'
import { dynamoFirstContacts, type FirstContacts } from '../../functions/table/people/first-contacts.ts'
import { useDynamoTable } from './cloud.ts'

const cloud = useDynamoTable()

const keyOf = (byte: number) => Buffer.alloc(32, byte).toString('base64')
let now = Date.UTC(2026, 10, 22)
let personal: PersonalTable
let first: FirstContacts
let shopperId: ShopperId
let count = 0

const firstContactsWith = (...keys: string[]) => {
  const clock = () => now
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  const access = { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, TABLE_NAME: cloud.table.name }
  return dynamoFirstContacts(
    { ...access, AWS_ENDPOINT_URL_DYNAMODB: cloud.endpoint },
    { sealer: createSealer(keys, clock), personalKeys: keys, clock },
  )
}

const personalAt = (...keys: string[]) => {
  const clock = () => now
  return { table: cloud.table, sealer: createSealer(keys, clock), personalKeys: keys, clock }
}

beforeEach(() => {
  count += 1
  shopperId = `ann-${count}` as ShopperId
  personal = personalAt(keyOf(1))
  first = firstContactsWith(keyOf(1))
})

const ann = { email: 'Ann@Example.com', language: 'zh-CN' } as const
const day = 86_400_000

describe('a contact', () => {
  it('is put by a sign-in only where none is kept', async () => {
    const given = { email: 'typed@example.com', language: 'en' } as const
    expect(await first.putIfAbsent(shopperId, ann, now + day)).toBe(true)
    await putContact(personal, shopperId, given, now + day)
    expect(await first.putIfAbsent(shopperId, ann, now + day)).toBe(false)
    expect(await findContact(personal, shopperId)).toEqual(given)
    now += day
    expect(await first.putIfAbsent(shopperId, ann, now + day)).toBe(true)
    expect(await findContact(personal, shopperId)).toEqual(ann)
  })

  it('of a sign-in is refused by a table that is missing, without its content in the error', async () => {
    const { name } = cloud.table
    cloud.table.name = 'another'
    try {
      const failure = await firstContactsWith(keyOf(1))
        .putIfAbsent(shopperId, ann, now + day)
        .catch((error: unknown) => error)
      expect(String(failure)).toBe('Error: the table refused an item: ResourceNotFoundException')
    } finally {
      cloud.table.name = name
    }
  })

  it('stays unsubscribed when the shopper gives another address', async () => {
    await putContact(personal, shopperId, ann, now + day)
    for (const _ of [1, 2]) await recordUnsubscribed(cloud.table, shopperId)
    expect(await findContact(personal, shopperId)).toEqual({ ...ann, unsubscribed: true })
    const next = { email: 'ann@other.example', language: 'en' } as const
    await putContact(personal, shopperId, next, now + day)
    expect(await findContact(personal, shopperId)).toEqual({ ...next, unsubscribed: true })
    expect(await shoppersWithEmail(personal, 'ANN@other.example')).toContain(shopperId)
    expect(await shoppersWithEmail(personal, ann.email)).not.toContain(shopperId)
  })

  it('is not made by unsubscribing', async () => {
    await recordUnsubscribed(cloud.table, shopperId)
    expect(await findContact(personal, shopperId)).toBeUndefined()
    expect(await first.putIfAbsent(shopperId, ann, now + day)).toBe(true)
  })
})
