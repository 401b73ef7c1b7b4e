/** Wiring of the order queue's consumer. */
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/orders/order.ts'
import { acknowledgeOrders, outboxSize } from '../../redis/orders/outbox.ts'
import { address, readEnvironment } from '../lib/env.ts'
import { queueConsumer } from '../lib/queue-consumer.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { capPartWriter } from '../orders/cap-part-writer.ts'
import { generateCoupons } from '../orders/new-order.ts'
import { cacheOffers } from '../orders/offers.ts'
import { writeOrders } from '../orders/write-orders.ts'
import { refreshSparingly } from '../sales/publishing/shopfront.ts'
import { enterCoupons } from '../table/orders/coupon-orders.ts'
import { dynamoOrderBook } from '../table/orders/order-book.ts'
import { numberOrders } from '../table/orders/order-numbers.ts'
import { signOf } from '../table/sign-of-life.ts'
import { signPut } from '../table/signs.ts'
import { redisAdmissions } from './adapters/gate.redis.ts'
import { sqsDeadLetters, sqsDeadlines } from './adapters/send.sqs.ts'
import { sqsConsumerPorts } from './adapters/visibility.sqs.ts'
import { connectSelling, sellingVariables } from './connect-selling.ts'

const env = readEnvironment(
  {
    ...sellingVariables,
    ORDERS_QUEUE_URL: address,
    ORDERS_DLQ_URL: address,
    DEADLINES_QUEUE_URL: address,
  },
  process.env,
)
const telemetry = createTelemetry('write-orders')
const selling = connectSelling(env, telemetry)
const { table, stock, gate, clock, sqs } = selling

const ports = {
  ...selling,
  writer: numberOrders(
    table,
    enterCoupons(table, capPartWriter({ writer: dynamoOrderBook(table), table, random: Math.random })),
  ),
  offers: cacheOffers(table),
  makeCoupons: generateCoupons,
  deadLetters: sqsDeadLetters(sqs, env.ORDERS_DLQ_URL),
  outbox: { remove: (saleId: SaleId, orders: readonly FinalOrder[]) => acknowledgeOrders(stock, saleId, orders) },
  admissions: redisAdmissions(gate, clock),
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  shopfront: refreshSparingly(selling.shopfront, (saleId) => outboxSize(stock, saleId), clock),
}

const sign = signOf({ ...ports, put: signPut(table) }, 'writer')

const consume = queueConsumer(telemetry, sqsConsumerPorts(sqs, env.ORDERS_QUEUE_URL), (messages, deadline) =>
  writeOrders(ports, messages, deadline),
)

export const handler: typeof consume = async (event, context) => {
  const result = await consume(event, context)
  await sign(result.batchItemFailures.length)
  return result
}
