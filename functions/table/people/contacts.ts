/**
 * Contacts in DynamoDB. Content and address are encrypted or digested with the keys of personal data, so
 * the table and its backups reveal neither.
 */
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { ShopperId } from '../../../core/ids.ts'
import { type Contact, contact } from '../../../core/people/contact.ts'
import { emailDigests } from '../../lib/email-digest.ts'
import { readBatch } from '../batch.ts'
import { hasHeld, type Table } from '../dynamodb.ts'
import { contactKey, emailList, shopperOfContact } from '../keys.ts'
import { readList } from '../list.ts'
import { contactAttributes, contactPurpose, type PersonalDataPorts } from './contact-item.ts'
import { openItem } from './open-item.ts'
import { isKept } from './sealed-item.ts'

/** All throw when the table is unavailable. */
export type Contacts = {
  /** Undefined when it is missing, erased or expired. Strongly consistent. */
  find: (shopperId: ShopperId) => Promise<Contact | undefined>
  /** The same for several, none named twice. */
  findMany: (shopperIds: readonly ShopperId[]) => Promise<ReadonlyMap<ShopperId, Contact>>
  /**
   * Replaces an earlier one; kept until `expiresAt`, epoch ms. Who has unsubscribed stays so: `unsubscribe`
   * alone writes that.
   */
  put: (shopperId: ShopperId, contact: Contact, expiresAt: number) => Promise<void>
  /** Safe to repeat; without effect where no contact is kept. */
  unsubscribe: (shopperId: ShopperId) => Promise<void>
  /** Safe to repeat. */
  erase: (shopperId: ShopperId) => Promise<void>
  /** The shoppers with that e-mail address, in any case of its letters; eventually consistent. */
  withEmail: (email: string) => Promise<readonly ShopperId[]>
}

export function dynamoContacts(table: Table, parts: PersonalDataPorts): Contacts {
  const { sealer, keys, clock } = parts
  const { client, name: TableName } = table

  async function findMany(shopperIds: readonly ShopperId[]) {
    const items = await readBatch(table, shopperIds.map(contactKey))
    const opened = items
      .filter((item) => isKept(item, clock()))
      .map(async (item) => {
        const shopperId = shopperOfContact(String(item.pk))
        const content = await openItem(sealer, contactPurpose(shopperId), item, contact)
        const known: Contact = item.unsubscribed === true ? { ...content, unsubscribed: true } : content
        return [shopperId, known] as const
      })
    return new Map(await Promise.all(opened))
  }

  return {
    async find(shopperId) {
      return (await findMany([shopperId])).get(shopperId)
    },
    findMany,
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
      return lists
        .flat()
        .filter((item) => isKept(item, clock()))
        .map(({ pk }) => shopperOfContact(String(pk)))
    },
  }
}
