/** Wiring of the order queue's consumer. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/orders/order.ts'
import { acknowledgeOrders, outboxSize } from '../../redis/orders/outbox.ts'
import { address, nonEmpty, readEnvironment, redisVariables, sqsVariables } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { bookInParts } from '../orders/book-in-parts.ts'
import { newCoupons } from '../orders/coupon-codes.ts'
import { numberOrders } from '../orders/number-orders.ts'
import { rememberOffers } from '../orders/offers.memory.ts'
import { writeOrders } from '../orders/write-orders.ts'
import { refreshSparingly } from '../sales/publishing/shopfront.ts'
import { enterCoupons } from '../table/orders/coupon-orders.ts'
import { dynamoOrderBook } from '../table/orders/order-book.ts'
import { signOf } from '../table/sign-of-life.ts'
import { signPut } from '../table/signs.ts'
import { redisAdmissions } from './adapters/admissions.redis.ts'
import { sqsDeadLetters } from './adapters/dead-letters.sqs.ts'
import { sqsDeadlines } from './adapters/deadlines.sqs.ts'
import { connectS3, s3Site } from './adapters/site.s3.ts'
import { connectSqs } from './adapters/sqs.ts'
import { connectStores } from './connect.ts'
import { pointerShopfront } from './pointer-shopfront.ts'

const env = readEnvironment(
  {
    ...redisVariables,
    ...sqsVariables,
    TABLE_NAME: nonEmpty,
    ORDERS_DLQ_URL: address,
    DEADLINES_QUEUE_URL: address,
    SITE_BUCKET: nonEmpty,
  },
  process.env,
)
const telemetry = createTelemetry('write-orders')
const sqs = connectSqs(env)
const stores = connectStores(env, 1000, telemetry)
const shopfront = pointerShopfront(stores, s3Site(connectS3(), env.SITE_BUCKET))

const ports = {
  book: numberOrders(
    stores.table,
    enterCoupons(
      stores.table,
      bookInParts({
        book: dynamoOrderBook(stores.table),
        table: stores.table,
        random: Math.random,
      }),
    ),
  ),
  offers: rememberOffers(stores.table),
  drawCoupons: newCoupons,
  deadLetters: sqsDeadLetters(sqs, env.ORDERS_DLQ_URL),
  outbox: {
    remove: (saleId: SaleId, orders: readonly FinalOrder[]) =>
      acknowledgeOrders(stores.stock, saleId, orders),
  },
  admissions: redisAdmissions(stores.gate, Date.now),
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  shopfront: refreshSparingly(shopfront, (saleId) => outboxSize(stores.stock, saleId), Date.now),
  clock: Date.now,
  sleep: (milliseconds: number) => sleep(milliseconds),
  ...telemetry,
}

const sign = signOf({ ...ports, put: signPut(stores.table) }, 'writer')

export const handler = queueConsumer(telemetry, async (messages, deadline) => {
  const failed = await writeOrders(ports, messages, deadline)
  await sign(failed.length)
  return failed
})
