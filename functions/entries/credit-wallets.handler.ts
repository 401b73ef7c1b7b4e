/** Wiring of the claim queue's consumer. */
import type { SaleId } from '../../core/ids.ts'
import { outboxSize } from '../../redis/orders/outbox.ts'
import { acknowledgeClaims, type ClaimName } from '../../redis/packets/stored-claims.ts'
import { address, readEnvironment } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { rememberOffers } from '../orders/offers.memory.ts'
import { creditWallets } from '../packets/credit-wallets.ts'
import { refreshSparingly } from '../sales/publishing/shopfront.ts'
import { signOf } from '../table/sign-of-life.ts'
import { signPut } from '../table/signs.ts'
import { redisAdmissions } from './adapters/gate.redis.ts'
import { sqsDeadLetters } from './adapters/send.sqs.ts'
import { connectSelling, sellingVariables } from './connect-selling.ts'

const env = readEnvironment({ ...sellingVariables, CLAIMS_DLQ_URL: address }, process.env)
const telemetry = createTelemetry('credit-wallets')
const selling = connectSelling(env, telemetry)
const { table, stock, gate, clock, sqs } = selling

const ports = {
  ...selling,
  offers: rememberOffers(table),
  deadLetters: sqsDeadLetters(sqs, env.CLAIMS_DLQ_URL),
  shopfront: refreshSparingly(selling.shopfront, (saleId) => outboxSize(stock, saleId), clock),
  outbox: { remove: (saleId: SaleId, claims: readonly ClaimName[]) => acknowledgeClaims(stock, saleId, claims) },
  admissions: redisAdmissions(gate, clock),
}

const sign = signOf({ ...ports, put: signPut(table) }, 'claim-writer')

export const handler = queueConsumer(telemetry, async (messages, deadline) => {
  const failed = await creditWallets(ports, messages, deadline)
  await sign(failed.length)
  return failed
})
