/** The answers that shoppers received instead of units: a sample, each for seven days, in a partition for each shopper. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { parseSaleId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import type { NotedAnswer } from '../../../redis/gate/answers.ts'
import type { Table } from '../../lib/shop/table.ts'
import { deleteBatch, putBatch } from '../batch.ts'
import { UnexpectedItem } from '../dynamodb.ts'
import { answerKey, answersOf, readAnswerKey } from '../keys.ts'
import { type Item, queryAll } from '../query.ts'

const keptSeconds = 7 * 86_400

/** The newest answers that are read of a shopper. */
const mostRead = 100

type StoredAnswer = { saleId: SaleId; code: string; at: number }

/** Safe to repeat. @throws when the table is unavailable */
export async function putAnswers(table: Table, answers: readonly NotedAnswer[]): Promise<void> {
  const items = answers.map(({ shopperId, saleId, code, at }) => ({
    ...answerKey(shopperId, saleId, code, at),
    expiresAt: Math.ceil(at / 1000) + keptSeconds,
  }))
  // Two slots may have the same answer, and no batch takes a key twice.
  await putBatch(table, [...new Map(items.map((item) => [`${item.pk} ${item.sk}`, item])).values()])
}

/** The newest 100 that are kept at `now` (epoch ms), the newest first. Eventually consistent. */
export async function findAnswers(
  { client, name }: Table,
  shopperId: ShopperId,
  now: number,
): Promise<readonly StoredAnswer[]> {
  const query = new QueryCommand({
    TableName: name,
    ...ofShopper(shopperId),
    ScanIndexForward: false,
    Limit: mostRead,
  })
  const { Items = [] } = await client.send(query)
  return Items.map(readAnswer).filter(({ at }) => at + keptSeconds * 1000 > now)
}

/** Safe to repeat. @throws when the table is unavailable */
export async function deleteAnswers(table: Table, shopperId: ShopperId): Promise<void> {
  const items = await queryAll(table, { ...ofShopper(shopperId), ProjectionExpression: 'pk, sk' })
  await deleteBatch(
    table,
    items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })),
  )
}

const ofShopper = (shopperId: ShopperId) => ({
  KeyConditionExpression: 'pk = :answers',
  ExpressionAttributeValues: { ':answers': answersOf(shopperId) },
})

function readAnswer({ sk }: Item): StoredAnswer {
  const { saleId: sale, code, at } = readAnswerKey(String(sk))
  const saleId = parseSaleId(sale)
  if (saleId === undefined || !Number.isSafeInteger(at))
    throw new UnexpectedItem('an answer', 'its key must have a time and a sale')
  return { saleId, code, at }
}
