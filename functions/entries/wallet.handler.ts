/** Wiring of `/api/wallet`. */
import { nonEmpty, readEnvironment, walletVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { walletApp } from '../packets/wallet.ts'
import { connectDynamoDb } from '../table/dynamodb.ts'

const env = readEnvironment({ TABLE_NAME: nonEmpty, ...walletVariables }, process.env)
const telemetry = createTelemetry('wallet')
const ports = { table: { client: connectDynamoDb(), name: env.TABLE_NAME }, balanceUrl: env.BALANCE_URL }

export const handler = functionUrl(telemetry, walletApp(ports))
