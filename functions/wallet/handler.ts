/** Wiring of `/api/wallet`. */
import { connectDynamoDb } from '../adapters/dynamodb.ts'
import { createTelemetry } from '../adapters/telemetry.powertools.ts'
import { dynamoWallets } from '../adapters/wallets.dynamodb.ts'
import { readEnvironment, text } from '../env.ts'
import { functionUrl } from '../http/function-url.ts'
import { answerWallet } from './http.ts'

const env = readEnvironment({ TABLE_NAME: text }, process.env)
const telemetry = createTelemetry('wallet')
const ports = { wallets: dynamoWallets({ client: connectDynamoDb(), name: env.TABLE_NAME }) }

export const handler = functionUrl(telemetry, (request) => answerWallet(ports, request))
