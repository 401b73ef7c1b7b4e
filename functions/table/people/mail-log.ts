/**
 * The record of sent emails, which keeps a repeated change from sending one twice. Only the writer that finds no item, or an
 * expired lease, may send. The mail service has no idempotency key and cannot be asked for an email, so after a crash during
 * sending the kind of email decides whether a second copy or none is better.
 */
import { randomUUID } from 'node:crypto'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { OrderId, SaleId, ShopperId } from '../../../core/ids.ts'
import type { Table } from '../../lib/shop/shop.ts'
import { readEach } from '../batch.ts'
import { creditMailKey, type ItemKey, orderMailKey, saleMailKey } from '../keys.ts'

/**
 * Identifies an email about a revision of an order, a credited packet, or a sale. Emails about a sale differ by `at` (epoch
 * ms), whose meaning the option that sends them defines.
 */
export type MailId =
  | { orderId: OrderId; revision: number }
  | { packetId: string }
  | { saleId: SaleId; shopperId: ShopperId; at: number }

type MailOutcome = 'sent' | 'rejected' | 'unknown'

export type MailLog = {
  /**
   * Leases the email for `leaseMs`. `done`: it was sent, or given up. `leased`: another invocation sends it now, or has
   * crashed. `unknown`: an invocation crashed during sending, and `mayRepeat` is false.
   */
  begin: (id: MailId, mayRepeat: boolean) => Promise<'begun' | 'done' | 'leased' | 'unknown'>
  /** Marks the email as done: it was sent, never will be, or may have been and is not repeated. */
  finish: (id: MailId, outcome: MailOutcome) => Promise<void>
  /** Ends the lease of an email that was certainly not sent, so that the next try need not wait. */
  release: (id: MailId) => Promise<void>
}

const marks = { sent: 'sentAt', rejected: 'rejectedAt = :value, sentAt', unknown: 'unknownAt = :value, sentAt' }

/** Longer than any invocation, ms. */
export const leaseMs = 30_000

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
    async begin(id, mayRepeat) {
      const now = clock()
      // The SDK retries a write whose response was lost, and then finds its own lease.
      const attempt = randomUUID()
      // A released lease is 0.
      const latestLease = mayRepeat ? now : 0
      const put = new PutCommand({
        TableName,
        Item: { ...keyOf(id), leasedUntil: now + leaseMs, attempt, expiresAt: Math.ceil(now / 1000) + keptSeconds },
        ConditionExpression: 'attribute_not_exists(pk) OR (attribute_not_exists(sentAt) AND leasedUntil <= :latest)',
        ExpressionAttributeValues: { ':latest': latestLease },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      })
      try {
        await client.send(put)
        return 'begun'
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error
        const { sentAt, leasedUntil, attempt: holder } = error.Item ?? {}
        if (sentAt !== undefined) return 'done'
        if (holder?.S === attempt) return 'begun'
        return Number(leasedUntil?.N) <= now ? 'unknown' : 'leased'
      }
    },
    async finish(id, outcome) {
      await set(id, marks[outcome], clock())
    },
    async release(id) {
      await set(id, 'leasedUntil', 0)
    },
  }
}

/** The state of an email; `at` is epoch ms. */
type LoggedMail<Id extends MailId> = { id: Id; state: MailOutcome | 'sending'; at: number }

/** Returns the emails of distinct `ids` that were begun in the last seven days. Strongly consistent. */
export async function findMails<Id extends MailId>(
  table: Table,
  ids: readonly Id[],
): Promise<readonly LoggedMail<Id>[]> {
  const found = await readEach(table, ids, keyOf)
  return found.map(({ of: id, item: { sentAt, rejectedAt, unknownAt, leasedUntil, expiresAt } }) => {
    if (sentAt !== undefined) {
      const ended = rejectedAt === undefined ? ('sent' as const) : ('rejected' as const)
      return { id, state: unknownAt === undefined ? ended : 'unknown', at: Number(sentAt) } as const
    }
    // A released lease is 0, and the expiry follows from the first try.
    const at = Number(leasedUntil) - leaseMs
    return { id, state: 'sending', at: at > 0 ? at : (Number(expiresAt) - keptSeconds) * 1000 } as const
  })
}

function keyOf(id: MailId): ItemKey {
  if ('revision' in id) return orderMailKey(id.orderId, id.revision)
  if ('packetId' in id) return creditMailKey(id.packetId)
  return saleMailKey(id.saleId, id.shopperId, id.at)
}
