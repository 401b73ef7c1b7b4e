/**
 * A DynamoDB event source mapping: reads the stream, filters records, invokes the function, and retries a failed record
 * and those after it. A batch whose invocation fails is halved; a record that is too old is skipped.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DynamoDBRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { openOrigin } from '../origin.ts'
import { failedMessages, invoke, type LoadedFunction } from './invoke.ts'

/** The filters of system/mail.ts: for each field a list of texts, or a prefix. */
type StreamSourceFilter = {
  eventName: readonly string[]
  dynamodb: { Keys: Readonly<Record<string, { S: readonly [{ prefix: string }] }>> }
}

export type StreamSourceOptions = {
  filters: readonly StreamSourceFilter[]
  batchSize: number
  maxAgeMs: number
  /** Pause between two reads of an empty stream, and before a failed batch is retried. */
  pauseMs: number
}

/** More than a batch, because filters drop many records. */
const readSize = 500

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
      place ??= await stream.oldestPlace()
      const { records, next } = await stream.read(place, readSize)
      wasReported = false
      await deliver(consumer, records.filter(matchesAny(options.filters)), signal)
      if (!signal.aborted) place = next
      if (records.length === 0) await pause(options.pauseMs, signal)
    } catch (failure) {
      if (!wasReported && !signal.aborted) report(failure)
      wasReported = true
      await pause(options.pauseMs, signal)
    }
  }
}

/** Delivers the records; resolves when all are handled or skipped, or when the mapping is stopped. */
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
    const handled = await countHandled(fn, batch, report)
    left = left.slice(handled)
    if (handled === batch.length) size = batchSize
    else if (Date.now() >= giveUpAt) left = left.slice(1)
    else {
      size = Math.max(1, Math.ceil((batch.length - handled) / 2))
      await pause(pauseMs, signal)
    }
  }
}

/** Invokes the function; returns the number of handled records from the start of the batch. */
async function countHandled(
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

/** Returns a predicate that is true when any filter matches a record. */
export const matchesAny = (filters: readonly StreamSourceFilter[]) => (record: DynamoDBRecord) =>
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

/** Sleeps until `signal` is aborted, at most `ms`. */
const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => undefined)

const described = z.object({ Table: z.object({ LatestStreamArn: z.optional(z.string()) }) })
const stream = z.object({ StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })) }) })
const iterator = z.object({ ShardIterator: z.string() })
const page = z.object({
  Records: z.array(z.custom<DynamoDBRecord>((value) => typeof value === 'object' && value !== null)),
  NextShardIterator: z.string(),
})

/** Records in order; `next` is the place of the following ones. */
type StreamPage = { records: DynamoDBRecord[]; next: string }

/**
 * Reads the stream of a table, as Lambda's pollers do in the cloud. The local DynamoDB requires a signature but does
 * not verify it.
 */
export type TableStream = {
  /** Returns the place of the oldest record. */
  oldestPlace(): Promise<string>
  /** Reads at most `limit` records from a place on. */
  read(place: string, limit: number): Promise<StreamPage>
  close(): Promise<void>
}

const signed = [
  ...['x-amz-date', '20260101T000000Z'],
  ...[
    'authorization',
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=local',
  ],
]

/** Opens the stream. All calls reject when DynamoDB is unavailable; `oldestPlace` also for a table without a stream. */
export function openTableStream(endpoint: string, TableName: string): TableStream {
  const origin = openOrigin(endpoint)

  async function call(target: string, input: object): Promise<unknown> {
    const { status, body } = await origin.send({
      method: 'POST',
      path: '/',
      headers: ['content-type', 'application/x-amz-json-1.0', 'x-amz-target', target, ...signed],
      body: JSON.stringify(input),
    })
    const text = body.toString()
    if (status !== 200) throw new Error(`${target}: the table answered ${status}: ${text}`)
    return JSON.parse(text)
  }

  return {
    async oldestPlace() {
      const { Table } = described.parse(await call('DynamoDB_20120810.DescribeTable', { TableName }))
      const StreamArn = Table.LatestStreamArn
      if (StreamArn === undefined) throw new Error(`The table ${TableName} has no stream.`)
      const { StreamDescription } = stream.parse(await call('DynamoDBStreams_20120810.DescribeStream', { StreamArn }))
      const [shard, ...others] = StreamDescription.Shards
      if (shard === undefined || others.length > 0) throw new Error('The local stream must have one shard.')
      const { ShardIterator } = iterator.parse(
        await call('DynamoDBStreams_20120810.GetShardIterator', {
          StreamArn,
          ShardId: shard.ShardId,
          ShardIteratorType: 'TRIM_HORIZON',
        }),
      )
      return ShardIterator
    },
    async read(place, limit) {
      const { Records, NextShardIterator } = page.parse(
        await call('DynamoDBStreams_20120810.GetRecords', { ShardIterator: place, Limit: limit }),
      )
      return { records: Records, next: NextShardIterator }
    },
    close: () => origin.close(),
  }
}
