/**
 * The failed messages of a batch, by the rules of Lambda's ReportBatchItemFailures: an empty report
 * means success; an id that is empty or unknown makes the report invalid, and then all failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
import * as z from 'zod/mini'

const report = z.object({
  batchItemFailures: z.nullish(z.array(z.nullish(z.object({ itemIdentifier: z.nullish(z.string()) })))),
})

/** The ids from `messageIds` that must be delivered again, given the handler's result. */
export function failedMessages(result: unknown, messageIds: readonly string[]): Set<string> {
  if (result === undefined || result === null) return new Set()
  const parsed = report.safeParse(result)
  if (!parsed.success) return new Set(messageIds)
  const ids = (parsed.data.batchItemFailures ?? []).map((failure) => failure?.itemIdentifier ?? '')
  const batch = new Set(messageIds)
  return ids.every((id) => batch.has(id)) ? new Set(ids) : batch
}
