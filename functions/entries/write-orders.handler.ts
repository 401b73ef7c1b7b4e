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
import { throttleRefresh } from '../sales/publishing/shopfront.ts'
import { createHeartbeat } from '../table/heartbeat.ts'
import { heartbeatPut } from '../table/heartbeats.ts'
import { withCouponEntries } from '../table/orders/coupon-orders.ts'
import { withOrderNumbers } from '../table/orders/order-numbers.ts'
import { dynamoOrderWriter } from '../table/orders/order-writer.ts'
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
  writer: withOrderNumbers(
    table,
    withCouponEntries(table, capPartWriter({ writer: dynamoOrderWriter(table), table, random: Math.random })),
  ),
  offers: cacheOffers(table),
  makeCoupons: generateCoupons,
  deadLetters: sqsDeadLetters(sqs, env.ORDERS_DLQ_URL),
  outbox: { remove: (saleId: SaleId, orders: readonly FinalOrder[]) => acknowledgeOrders(stock, saleId, orders) },
  admissions: redisAdmissions(gate, clock),
  deadlines: sqsDeadlines(sqs, env.DEADLINES_QUEUE_URL),
  shopfront: throttleRefresh(selling.shopfront, (saleId) => outboxSize(stock, saleId), clock),
}

const sign = createHeartbeat({ ...ports, put: heartbeatPut(table) }, 'writer')

const consume = queueConsumer(telemetry, sqsConsumerPorts(sqs, env.ORDERS_QUEUE_URL), (messages, deadline) =>
  writeOrders(ports, messages, deadline),
)

export const handler: typeof consume = async (event, context) => {
  const result = await consume(event, context)
  await sign(result.batchItemFailures.length)
  return result
}
