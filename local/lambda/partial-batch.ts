/**
 * Which messages of a batch failed, by the rules of Lambda's ReportBatchItemFailures: nothing reported is
 * all done; an id that is empty or not of this batch means the report can't be trusted, so all failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
import * as z from 'zod/mini'

const report = z.object({
  batchItemFailures: z.nullish(z.array(z.nullish(z.object({ itemIdentifier: z.nullish(z.string()) })))),
})

/** The ids, out of `messageIds`, that must be delivered again, given what the handler returned. */
export function failedMessages(result: unknown, messageIds: readonly string[]): Set<string> {
  if (result === undefined || result === null) return new Set()
  const parsed = report.safeParse(result)
  if (!parsed.success) return new Set(messageIds)
  const ids = (parsed.data.batchItemFailures ?? []).map((failure) => failure?.itemIdentifier ?? '')
  const batch = new Set(messageIds)
  return ids.every((id) => batch.has(id)) ? new Set(ids) : batch
}
