/** Wiring of the claim queue's consumer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../core/ids.ts'
import { outboxSize } from '../../redis/orders/outbox.ts'
import { acknowledgeClaims, type ClaimName } from '../../redis/packets/stored-claims.ts'
import { address, nonEmpty, readEnvironment, redisVariables, sqsVariables } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { rememberOffers } from '../orders/offers.memory.ts'
import { creditWallets } from '../packets/credit-wallets.ts'
import { refreshSparingly } from '../sales/publishing/shopfront.ts'
import { signOf } from '../table/sign-of-life.ts'
import { signPut } from '../table/signs.ts'
import { redisAdmissions } from './adapters/admissions.redis.ts'
import { sqsDeadLetters } from './adapters/dead-letters.sqs.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectStores } from './connect.ts'
import { pointerShopfront } from './pointer-shopfront.ts'

const env = readEnvironment(
  {
    ...redisVariables,
    ...sqsVariables,
    TABLE_NAME: nonEmpty,
    CLAIMS_DLQ_URL: address,
    SITE_BUCKET: nonEmpty,
  },
  process.env,
)
const telemetry = createTelemetry('credit-wallets')
const stores = connectStores(env, 1000, telemetry)
const shopfront = pointerShopfront(stores, s3Site(connectS3(), env.SITE_BUCKET))

const ports = {
  table: stores.table,
  offers: rememberOffers(stores.table),
  deadLetters: sqsDeadLetters(connectSqs(env), env.CLAIMS_DLQ_URL),
  shopfront: refreshSparingly(shopfront, (saleId) => outboxSize(stores.stock, saleId), Date.now),
  outbox: {
    remove: (saleId: SaleId, claims: readonly ClaimName[]) => acknowledgeClaims(stores.stock, saleId, claims),
  },
  admissions: redisAdmissions(stores.gate, Date.now),
  clock: Date.now,
  sleep: (milliseconds: number) => sleep(milliseconds),
  ...telemetry,
}

const sign = signOf({ ...ports, put: signPut(stores.table) }, 'claim-writer')

export const handler = queueConsumer(telemetry, async (messages, deadline) => {
  const failed = await creditWallets(ports, messages, deadline)
  await sign(failed.length)
  return failed
})
