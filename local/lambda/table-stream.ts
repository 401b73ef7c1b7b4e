/**
 * The calls of an event source to the stream of a table. In the cloud Lambda's own pollers make them. The
 * local DynamoDB checks that a request is signed, and not the signature.
 */
import type { DynamoDBRecord } from 'aws-lambda'
import * as z from 'zod/mini'
import { openOrigin } from '../origin.ts'

const described = z.object({ Table: z.object({ LatestStreamArn: z.optional(z.string()) }) })
const stream = z.object({
  StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })) }),
})
const iterator = z.object({ ShardIterator: z.string() })
const page = z.object({
  Records: z.array(z.custom<DynamoDBRecord>((value) => typeof value === 'object' && value !== null)),
  NextShardIterator: z.string(),
})

/** Records in their order, and where those behind them begin. */
type StreamPage = { records: DynamoDBRecord[]; next: string }

export type TableStream = {
  /** Where the oldest record begins. */
  beginning(): Promise<string>
  /** At most `limit` records from a place on. */
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

/** All calls reject when DynamoDB is unavailable; `beginning` also for a table without a stream. */
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
    async beginning() {
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
