/**
 * An SQS that accepts the request and rejects each of its messages, as it does when it is
 * overloaded.
 */
import type { Sqs } from '../../../functions/entries/adapters/sqs.ts'

export const refusingSqs: Sqs = async (_action, { Entries }) => {
  const entries: { Id: string }[] = Array.isArray(Entries) ? Entries : []
  return { Failed: entries.map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' })) }
}
