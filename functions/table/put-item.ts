/** Puts items by DynamoDB's JSON protocol, because the SDK's client would be most of the bundle of some functions. */
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { openPost } from '../../redis/post.ts'
import { type AwsAccess, signerOf } from '../lib/signature.ts'

/** Without AWS_ENDPOINT_URL_DYNAMODB requests go to the table of the region. */
export type TableAccess = AwsAccess & { TABLE_NAME: string; AWS_ENDPOINT_URL_DYNAMODB?: string | undefined }

type Values = Readonly<Record<string, string | number | readonly string[]>>

/** A condition, and the values of its placeholders. */
type Condition = { expression: string; values: Values }

const timeoutMs = 1000

const target = 'DynamoDB_20120810.PutItem'

const refusal = z.object({ __type: z.string() })

/**
 * Returns a function that puts an item; it resolves with false when the condition failed.
 * @throws when the table is unavailable
 */
export function openPut(access: TableAccess): (item: Values, condition?: Condition) => Promise<boolean> {
  const { AWS_REGION, AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME: TableName } = access
  const url = AWS_ENDPOINT_URL_DYNAMODB ?? `https://dynamodb.${AWS_REGION}.amazonaws.com`
  const sign = signerOf('dynamodb', access)
  const post = openPost(url, timeoutMs)
  return async (item, condition) => {
    const body = JSON.stringify({
      TableName,
      Item: valuesOf(item),
      ...(condition && {
        ConditionExpression: condition.expression,
        ExpressionAttributeValues: valuesOf(condition.values),
      }),
    })
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target }
    const signed = await sign(new URL(url).host, headers, body, new Date())
    return isWritten(await post('/', signed, body, timeoutMs))
  }
}

/** True when the item was written, false when its condition failed. @throws for any other answer */
function isWritten({ status, body }: { status: number; body: string }): boolean {
  if (status === 200) return true
  const read = readJson(refusal, body)
  const name = read.ok ? read.value.__type.replace(/^.*#/, '') : `HTTP ${status}`
  if (name === 'ConditionalCheckFailedException') return false
  throw new Error(`the table refused an item: ${name}`)
}

/** Converts values to DynamoDB's JSON. */
const valuesOf = (values: Values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, inJson(value)]))

function inJson(value: Values[string]): object {
  if (typeof value === 'number') return { N: String(value) }
  return typeof value === 'string' ? { S: value } : { L: value.map((text) => ({ S: text })) }
}
