/**
 * An SQS that accepts the request and rejects each of its messages, as it does when it is
 * overloaded.
 */
import type { SQSClient } from '@aws-sdk/client-sqs'
import { connectSqs } from '../../../functions/stores/sqs.ts'

export function refusingSqs(): SQSClient {
  const sqs = connectSqs()
  sqs.middlewareStack.add(() => async ({ input }) => {
    const entries = 'Entries' in input ? (input.Entries ?? []) : []
    const Failed = entries.map(({ Id }) => ({ Id, SenderFault: false, Code: 'InternalError' }))
    return { response: {}, output: { $metadata: {}, Successful: [], Failed } }
  })
  return sqs
}
