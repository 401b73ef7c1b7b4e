/**
 * The record of sent e-mails in DynamoDB. Only the writer that finds no item, or one whose lease is over,
 * may send.
 */
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { leaseMs, type MailId, type MailLog } from '../mail/mail-log.ts'
import type { Table } from './dynamodb.ts'
import { creditMailKey, type ItemKey, orderMailKey } from './table.ts'

/** A stream keeps a change for a day, and a new event source may begin with the oldest one. */
const keptSeconds = 7 * 86_400

/** `clock` gives epoch ms. */
export function dynamoMailLog({ client, name: TableName }: Table, clock: () => number): MailLog {
  const set = (id: MailId, expression: string, value: number) =>
    client.send(
      new UpdateCommand({
        TableName,
        Key: keyOf(id),
        UpdateExpression: `SET ${expression} = :value`,
        ExpressionAttributeValues: { ':value': value },
      }),
    )
  return {
    async begin(id) {
      const now = clock()
      const put = new PutCommand({
        TableName,
        Item: {
          ...keyOf(id),
          leasedUntil: now + leaseMs,
          expiresAt: Math.ceil(now / 1000) + keptSeconds,
        },
        ConditionExpression:
          'attribute_not_exists(pk) OR (attribute_not_exists(sentAt) AND leasedUntil <= :now)',
        ExpressionAttributeValues: { ':now': now },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      try {
        await client.send(put)
        return 'begun'
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error
        return error.Item?.sentAt === undefined ? 'leased' : 'done'
      }
    },
    async finish(id) {
      await set(id, 'sentAt', clock())
    },
    async release(id) {
      await set(id, 'leasedUntil', 0)
    },
  }
}

function keyOf(id: MailId): ItemKey {
  return 'orderId' in id ? orderMailKey(id.orderId, id.revision) : creditMailKey(id.packetId)
}
