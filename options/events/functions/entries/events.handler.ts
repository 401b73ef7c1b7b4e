/** Wires the function that collects the events of the table's stream, and sends due events. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SendMessageCommand } from '@aws-sdk/client-sqs'
import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda'
import { connectSqs } from '../../../../functions/entries/adapters/sqs.ts'
import { address, nonEmpty, readEnvironment, sqsVariables } from '../../../../functions/lib/env.ts'
import { postTimeoutMs } from '../../../../functions/lib/http/public-http.ts'
import { createSealer, sealerKeys } from '../../../../functions/lib/sealer.ts'
import { createTelemetry } from '../../../../functions/lib/telemetry.powertools.ts'
import { connectDynamoDb } from '../../../../functions/table/dynamodb.ts'
import { createHeartbeat } from '../../../../functions/table/heartbeat.ts'
import { heartbeatPut } from '../../../../functions/table/heartbeats.ts'
import { collectEvents, readEventChange } from '../collect-events.ts'
import { sendEvents } from '../send-events.ts'
import { endpointPost, endpointVariables } from './event-bus.eventbridge.ts'

const env = readEnvironment(
  {
    TABLE_NAME: nonEmpty,
    EVENTS_QUEUE_URL: address,
    PERSONAL_KEYS: sealerKeys,
    ...endpointVariables,
    ...sqsVariables,
  },
  process.env,
)
const telemetry = createTelemetry('events')
const clock = Date.now
const sqs = connectSqs(env)

const ports = {
  table: { client: connectDynamoDb(), name: env.TABLE_NAME },
  async wakeSender(endpointId: string, DelaySeconds: number, isRepeat?: boolean) {
    const MessageBody = JSON.stringify({ endpointId, isRepeat })
    await sqs(new SendMessageCommand({ QueueUrl: env.EVENTS_QUEUE_URL, MessageBody, DelaySeconds }))
  },
  sealer: createSealer(env.PERSONAL_KEYS, clock),
  postPublic: endpointPost(env),
  random: Math.random,
  clock,
  sleep: (milliseconds: number) => sleep(milliseconds),
  ...telemetry,
}

const sign = createHeartbeat({ ...ports, put: heartbeatPut(ports.table) }, 'events')

/** Time to write the result of the last post, ms. */
const marginMs = 5000

const isMessage = (record: DynamoDBRecord | SQSRecord): record is SQSRecord => 'messageId' in record

export const handler = (
  { Records }: DynamoDBStreamEvent | SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse | SQSBatchResponse> =>
  telemetry.during(async () => {
    const records: (DynamoDBRecord | SQSRecord)[] = Records
    const messages = records.filter(isMessage)
    const changes = records.flatMap((record) => (isMessage(record) ? [] : (readEventChange(record) ?? [])))
    const deadline = clock() + context.getRemainingTimeInMillis() - postTimeoutMs - marginMs
    const failed =
      messages.length > 0 ? await sendEvents(ports, messages, deadline) : await collectEvents(ports, changes)
    await sign(failed.length)
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  })
