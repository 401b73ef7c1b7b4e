/**
 * Contacts in DynamoDB. Content and address are encrypted or digested with the keys of personal data, so
 * the table and its backups reveal neither. DynamoDB deletes an expired item within days, and until then
 * it reads as missing.
 */
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { contact } from '../../core/contact.ts'
import { parseShopperId } from '../../core/ids.ts'
import { parse, whole } from '../../core/parse.ts'
import type { Contacts } from '../delivery/contacts.ts'
import { emailDigests } from '../lib/email-digest.ts'
import { contactAttributes, type PersonalDataPorts } from './contact-item.ts'
import { hasHeld, type Table, UnexpectedItem } from './dynamodb.ts'
import { readList } from './list.ts'
import { contactKey, emailList, shopperOfContact } from './table.ts'

const storedContact = z.object({
  sealed: z.string('must be a string'),
  unsubscribed: contact.shape.unsubscribed,
  expiresAt: whole(0, Number.MAX_SAFE_INTEGER),
})

export function dynamoContacts(table: Table, parts: PersonalDataPorts): Contacts {
  const { sealer, keys, clock } = parts
  const { client, name: TableName } = table

  return {
    async find(shopperId) {
      const get = new GetCommand({ TableName, Key: contactKey(shopperId), ConsistentRead: true })
      const { Item } = await client.send(get)
      if (Item === undefined) return undefined
      const stored = parse(storedContact, Item)
      if (!stored.ok) throw new UnexpectedItem('a contact', stored.detail)
      if (stored.value.expiresAt * 1000 <= clock()) return undefined
      const content = await sealer.open({ purpose: 'contact', owner: shopperId }, stored.value.sealed)
      const { email, language } = content ?? {}
      const { unsubscribed } = stored.value
      const read = parse(contact, { email, language, ...(unsubscribed && { unsubscribed }) })
      if (!read.ok) throw new UnexpectedItem('a contact', 'no key opens it, or its content is not one')
      return read.value
    },
    async put(shopperId, content, expiresAt) {
      const attributes = await contactAttributes(parts, shopperId, content, expiresAt)
      // Not a put of the whole item, which would forget that the shopper has unsubscribed.
      const update = new UpdateCommand({
        TableName,
        Key: contactKey(shopperId),
        UpdateExpression: `SET ${Object.keys(attributes)
          .map((name) => `${name} = :${name}`)
          .join(', ')}`,
        ExpressionAttributeValues: Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [`:${name}`, value]),
        ),
      })
      await client.send(update)
    },
    async unsubscribe(shopperId) {
      const update = new UpdateCommand({
        TableName,
        Key: contactKey(shopperId),
        UpdateExpression: 'SET unsubscribed = :true',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':true': true },
      })
      await hasHeld(client.send(update))
    },
    async erase(shopperId) {
      await client.send(new DeleteCommand({ TableName, Key: contactKey(shopperId) }))
    },
    async withEmail(email) {
      const lists = await Promise.all(
        emailDigests(keys, email).map((digest) => readList(table, emailList(digest))),
      )
      const isKept = (item: Record<string, unknown>) => Number(item.expiresAt) * 1000 > clock()
      return lists
        .flat()
        .filter(isKept)
        .map(({ pk }) => {
          const shopperId = parseShopperId(shopperOfContact(String(pk)))
          if (shopperId === undefined) throw new UnexpectedItem('a contact', 'its key must name a shopper')
          return shopperId
        })
    },
  }
}
