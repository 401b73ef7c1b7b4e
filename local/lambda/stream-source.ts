/**
 * A DynamoDB event source mapping: reads the stream, filters, invokes, and tries a failed record and those
 * behind it again. A batch whose invocation fails is halved; a record that is too old is given up.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
import type { DynamoDBRecord } from 'aws-lambda'
import { invoke, type LoadedFunction } from './invoke.ts'
import { failedMessages } from './partial-batch.ts'
import type { TableStream } from './table-stream.ts'

/** As system/mail.ts has them: for each field a list of texts, or the beginning of one. */
type StreamSourceFilter = {
  eventName: readonly string[]
  dynamodb: { Keys: Readonly<Record<string, { S: readonly [{ prefix: string }] }>> }
}

export type StreamSourceOptions = {
  filters: readonly StreamSourceFilter[]
  batchSize: number
  maxAgeMs: number
  /** Between two reads of an empty stream, and before a failed batch comes again. */
  pauseMs: number
}

/** Many records are of other items, so a read takes more than a batch. */
const readSize = 500

/** The function that is called, how, and who hears of its failures. */
type Consumer = { fn: LoadedFunction; options: StreamSourceOptions; report: (failure: unknown) => void }

/** Starts the mapping with the oldest record. `stop` waits for the running invocation. */
export function startStreamSource(
  fn: LoadedFunction,
  stream: TableStream,
  options: StreamSourceOptions,
  report: (failure: unknown) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const work = run({ fn, options, report }, stream, signal)
  return {
    async stop() {
      stopping.abort()
      await work
      await stream.close()
    },
  }
}

async function run(consumer: Consumer, stream: TableStream, signal: AbortSignal): Promise<void> {
  const { options, report } = consumer
  let place: string | undefined
  let wasReported = false
  while (!signal.aborted) {
    try {
      place ??= await stream.beginning()
      const { records, next } = await stream.read(place, readSize)
      wasReported = false
      await deliver(consumer, records.filter(passesAny(options.filters)), signal)
      if (!signal.aborted) place = next
      if (records.length === 0) await pause(options.pauseMs, signal)
    } catch (failure) {
      if (!wasReported && !signal.aborted) report(failure)
      wasReported = true
      await pause(options.pauseMs, signal)
    }
  }
}

/** Resolves when all of the records are handled or given up, or at the end of the mapping. */
async function deliver(
  { fn, options: { batchSize, maxAgeMs, pauseMs }, report }: Consumer,
  records: readonly DynamoDBRecord[],
  signal: AbortSignal,
): Promise<void> {
  let left = [...records]
  let size = batchSize
  const giveUpAt = Date.now() + maxAgeMs
  while (left.length > 0 && !signal.aborted) {
    const batch = left.slice(0, size)
    const handled = await handledOf(fn, batch, report)
    left = left.slice(handled)
    if (handled === batch.length) size = batchSize
    else if (Date.now() >= giveUpAt) left = left.slice(1)
    else {
      size = Math.max(1, Math.ceil((batch.length - handled) / 2))
      await pause(pauseMs, signal)
    }
  }
}

/** How many records of the batch, from its beginning, are handled. */
async function handledOf(
  fn: LoadedFunction,
  batch: readonly DynamoDBRecord[],
  report: (failure: unknown) => void,
): Promise<number> {
  try {
    const numbers = batch.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '')
    const failed = failedMessages(await invoke(fn, { Records: batch }), numbers)
    const first = numbers.findIndex((number) => failed.has(number))
    return first === -1 ? batch.length : first
  } catch (failure) {
    report(failure)
    return 0
  }
}

/** Whether a record is one that the filters let through. */
export const passesAny = (filters: readonly StreamSourceFilter[]) => (record: DynamoDBRecord) =>
  filters.some(({ eventName, dynamodb }) => {
    const isNamed = eventName.includes(record.eventName ?? '')
    const keys = Object.entries(dynamodb.Keys)
    return (
      isNamed &&
      keys.every(
        ([
          name,
          {
            S: [{ prefix }],
          },
        ]) => record.dynamodb?.Keys?.[name]?.S?.startsWith(prefix),
      )
    )
  })

/** Ends at once when the mapping is stopped. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end)
  })
}
