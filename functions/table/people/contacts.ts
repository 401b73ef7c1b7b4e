/** Contacts in DynamoDB, encrypted or digested, so that the table and its backups reveal neither name nor address. */
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { ShopperId } from '../../../core/ids.ts'
import { type Contact, contact } from '../../../core/people/contact.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { updateIf } from '../dynamodb.ts'
import { contactKey, emailList, shopperOfContact } from '../keys.ts'
import { readList } from '../list.ts'
import { contactAttributes, contactPurpose, emailDigests, type PersonalTable } from './contact-item.ts'
import { isKept, openItem, openKept } from './sealed-item.ts'

/** Returns the contact, unless missing, erased or expired; strongly consistent. @throws when the table is unavailable */
export async function findContact(personal: PersonalTable, shopperId: ShopperId): Promise<Contact | undefined> {
  return (await findContacts(personal, [shopperId])).get(shopperId)
}

export async function findContacts(
  personal: PersonalTable,
  shopperIds: readonly ShopperId[],
): Promise<ReadonlyMap<ShopperId, Contact>> {
  return openKept(personal, shopperIds.map(contactKey), async (item) => {
    const shopperId = shopperOfContact(String(item.pk))
    const content = await openItem(personal.sealer, contactPurpose(shopperId), item, contact)
    const known: Contact = item.unsubscribed === true ? { ...content, unsubscribed: true } : content
    return [shopperId, known]
  })
}

/** Stores a contact until `expiresAt`, epoch ms, and keeps an unsubscription. @throws when the table is unavailable */
export async function putContact(
  personal: PersonalTable,
  shopperId: ShopperId,
  content: Contact,
  expiresAt: number,
): Promise<void> {
  const { client, name } = personal.table
  const attributes = await contactAttributes(personal, shopperId, content, expiresAt)
  // An update, because a put would lose that the shopper has unsubscribed.
  const update = new UpdateCommand({
    TableName: name,
    Key: contactKey(shopperId),
    UpdateExpression: `SET ${Object.keys(attributes)
      .map((attribute) => `${attribute} = :${attribute}`)
      .join(', ')}`,
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(attributes).map(([attribute, value]) => [`:${attribute}`, value]),
    ),
  })
  await client.send(update)
}

/** Records that a shopper unsubscribed; a no-op without a contact. Safe to repeat. @throws when the table is unavailable */
export async function recordUnsubscribed(table: Table, shopperId: ShopperId): Promise<void> {
  await updateIf(table, {
    Key: contactKey(shopperId),
    UpdateExpression: 'SET unsubscribed = :true',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':true': true },
  })
}

/** Deletes a contact. Safe to repeat. @throws when the table is unavailable */
export async function deleteContact({ client, name }: Table, shopperId: ShopperId): Promise<void> {
  await client.send(new DeleteCommand({ TableName: name, Key: contactKey(shopperId) }))
}

/** Returns the shoppers with that email address, ignoring case; eventually consistent. */
export async function shoppersWithEmail(
  { table, personalKeys, clock }: Omit<PersonalTable, 'sealer'>,
  email: string,
): Promise<readonly ShopperId[]> {
  const lists = await Promise.all(emailDigests(personalKeys, email).map((digest) => readList(table, emailList(digest))))
  return lists
    .flat()
    .filter((item) => isKept(item, clock()))
    .map(({ pk }) => shopperOfContact(String(pk)))
}
