/** Wiring of the consumer of the table's stream. */
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda'
import type { SaleId } from '../../core/ids.ts'
import { nonEmpty, readEnvironment, shopVariables } from '../lib/env.ts'
import { createSealer, sealerKeys } from '../lib/sealer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { mailOptions } from '../people/mail-options.ts'
import { mailVariables } from '../people/mailer.ts'
import { sendMails } from '../people/send-mails.ts'
import { readChange } from '../table/change-stream.ts'
import { connectDynamoDb } from '../table/dynamodb.ts'
import { createHeartbeat } from '../table/heartbeat.ts'
import { heartbeatPut } from '../table/heartbeats.ts'
import { dynamoMailLog } from '../table/people/mail-log.ts'
import { findSale } from '../table/sale/sales.ts'
import { connectSes, sesMailer } from './adapters/mailer.ses.ts'

const env = readEnvironment(
  { TABLE_NAME: nonEmpty, PERSONAL_KEYS: sealerKeys, ...shopVariables, ...mailVariables },
  process.env,
)
const telemetry = createTelemetry('mail')
const clock = Date.now
const personalKeys = env.PERSONAL_KEYS
const table = { client: connectDynamoDb(), name: env.TABLE_NAME }

const ports = {
  saleOf: async (saleId: SaleId) => (await findSale(table, saleId))?.sale,
  table,
  mailLog: dynamoMailLog(table, clock),
  mailer: sesMailer(connectSes(), env.MAIL),
  sealer: createSealer(personalKeys, clock),
  personalKeys,
  settings: env.MAIL,
  shopUrl: env.SHOP_URL,
  clock,
  ...telemetry,
}

const sign = createHeartbeat({ ...ports, put: heartbeatPut(table) }, 'mail')

/** Time for one email whose every step is slow, ms. */
const marginMs = 5000

export const handler = (
  event: DynamoDBStreamEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse> =>
  telemetry.during(async () => {
    const deadline = clock() + context.getRemainingTimeInMillis() - marginMs
    const changes = event.Records.flatMap((record) => readChange(record, mailOptions) ?? [])
    const failed = await sendMails(ports, changes, deadline)
    await sign(failed.length)
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) }
  })
