/** Wiring of `/api/wallet`. */

import { nonEmpty, readEnvironment } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { connectDynamoDb } from '../stores/dynamodb.ts'
import { dynamoWallets } from '../stores/wallets.dynamodb.ts'
import { payoutVariables } from './payout-terms.ts'
import { answerWallet } from './wallet-http.ts'

const env = readEnvironment({ TABLE_NAME: nonEmpty, ...payoutVariables }, process.env)
const telemetry = createTelemetry('wallet')
const ports = {
  wallets: dynamoWallets({ client: connectDynamoDb(), name: env.TABLE_NAME }),
  payoutTerms: env.PAYOUTS,
}

export const handler = functionUrl(telemetry, (request) => answerWallet(ports, request))
