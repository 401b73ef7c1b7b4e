/**
 * Puts the contact of a shopper who signs in, by DynamoDB's JSON protocol. The SDK's client would make the
 * bundle of sign-in twice as large, and shoppers wait for its import.
 */
import * as z from 'zod/mini'
import type { ShopperId } from '../../../core/ids.ts'
import { readJson } from '../../../core/lib/parse.ts'
import type { Contact } from '../../../core/people/contact.ts'
import { openPost } from '../../../redis/post.ts'
import { type AwsAccess, signerOf } from '../../lib/signature.ts'
import { contactKey } from '../keys.ts'
import { contactAttributes, type PersonalKeys } from './contact-item.ts'

export type FirstContacts = {
  /**
   * As `put`, where no contact is kept; false where one is.
   * @throws when the table is unavailable
   */
  putIfAbsent: (shopperId: ShopperId, contact: Contact, expiresAt: number) => Promise<boolean>
}

/** Without AWS_ENDPOINT_URL_DYNAMODB requests go to the table of the region. */
export type TableAccess = AwsAccess & { TABLE_NAME: string; AWS_ENDPOINT_URL_DYNAMODB?: string | undefined }

const timeoutMs = 1000

const target = 'DynamoDB_20120810.PutItem'

const refusal = z.object({ __type: z.string() })

export function dynamoFirstContacts(access: TableAccess, parts: PersonalKeys): FirstContacts {
  const { AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME: TableName } = access
  const url = AWS_ENDPOINT_URL_DYNAMODB ?? `https://dynamodb.${AWS_REGION}.amazonaws.com`
  const sign = signerOf('dynamodb', access)
  const post = openPost(url, timeoutMs)
  return {
    async putIfAbsent(shopperId, contact, expiresAt) {
      const attributes = await contactAttributes(parts, shopperId, contact, expiresAt)
      const body = JSON.stringify({
        TableName,
        Item: valuesOf({ ...contactKey(shopperId), ...attributes }),
        ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
        ExpressionAttributeValues: valuesOf({ ':now': Math.floor(parts.clock() / 1000) }),
      })
      const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target }
      const signed = await sign(new URL(url).host, headers, body, new Date())
      return hasTakenEffect(await post('/', signed, body, timeoutMs))
    },
  }
}

/** @throws for another answer than that of the condition */
function hasTakenEffect({ status, body }: { status: number; body: string }): boolean {
  if (status === 200) return true
  const read = readJson(refusal, body)
  const name = read.ok ? read.value.__type.replace(/^.*#/, '') : `HTTP ${status}`
  if (name === 'ConditionalCheckFailedException') return false
  throw new Error(`the table refused a contact: ${name}`)
}

/** In DynamoDB's JSON. */
function valuesOf(item: Readonly<Record<string, string | number>>) {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'number' ? { N: String(value) } : { S: value },
    ]),
  )
}
