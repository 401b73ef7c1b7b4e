/** An SQS that accepts the request and rejects each of its messages, as it does when it is overloaded. */
import type { Sqs } from '../../../functions/entries/adapters/sqs.ts'

export const refusingSqs: Sqs = async ({ input }) => {
  const entries: { Id?: string | undefined }[] = 'Entries' in input ? (input.Entries ?? []) : []
  return { Failed: entries.map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' })) }
}
