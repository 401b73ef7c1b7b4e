/**
 * A sale with 100,000 orders in the local table, read through the control API in this process: pages of the list of
 * orders, and one shopper. The orders go straight into the table.
 */
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import type { Table } from '../../../functions/lib/shop/table.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { personalControlApp } from '../../../functions/people/personal-data-routes.ts'
import { putBatch } from '../../../functions/table/batch.ts'
import { orderKey } from '../../../functions/table/keys.ts'
import { orderItem } from '../../../functions/table/orders/order-item.ts'
import { saleItem } from '../../../functions/table/sale/sale-item.ts'
import { startDynamoDb } from '../../../local/table/dynamodb.ts'
import { tableDefinition } from '../../../system/table.ts'
import { answerTo, requestOf } from '../../simulation/parts/requests.ts'
import { personalData } from '../../simulation/parts/sealer.ts'
import { atMost, type MeasuredLine } from '../harness.ts'
import { median, spelled } from '../statistics.ts'
import { saleOf } from './many-sales.ts'

/** The orders of the sale. */
export const manyOrders = 100_000

const name = 'many-orders'
const rounds = 9

/** A page must not take longer, and a shopper must not. */
const pageMs = 300
const shopperMs = 1000

/** Orders that are written at once. */
const atOnce = 400

export async function measureManyOrders(): Promise<MeasuredLine[]> {
  const sale = saleOf(0, Date.now(), 1)
  const dynamoDb = await startDynamoDb()
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: dynamoDb.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  )
  try {
    await client.send(new CreateTableCommand({ TableName: name, ...tableDefinition }))
    const table: Table = { client, name }
    await table.client.send(
      new PutCommand({ TableName: name, Item: saleItem({ sale, revision: 1, finishedStockChanges: [] }) }),
    )
    await putManyOrders(table, (number) => orderOf(sale, number))
    return await timesOf(table, sale)
  } finally {
    client.destroy()
    await dynamoDb.stop()
  }
}

/** Writes the order of each number, as it is. */
export async function putManyOrders(table: Table, orderOf: (number: number) => Order): Promise<void> {
  const numbers = Array.from({ length: manyOrders }, (_, number) => number)
  for (const some of slicesOf(numbers, atOnce)) {
    await Promise.all(
      slicesOf(some, 25).map((part) =>
        putBatch(
          table,
          part.map((number) => {
            const order = orderOf(number)
            return { ...orderItem(order), ...orderKey(order.orderId) }
          }),
        ),
      ),
    )
  }
}

/** Every thousandth order is paid and disputed. */
function orderOf(sale: Sale, number: number): Order {
  const shopperId = shopperOf(number)
  const orderId = deriveOrderId(sale.saleId, shopperId, 'bench')
  const reservedAt = sale.startsAt + number
  const reserved = { orderId, saleId: sale.saleId, shopperId, quantity: 1, reservedAt }
  const order = newOrder(reserved, sale, reservedAt + 500, () => [])
  if (number % 1000 !== 0) return order
  const dispute = { paymentId: `${orderId}.1`, state: 'open', at: reservedAt + 9000 } as const
  return { ...order, status: 'paid', dispute }
}

function shopperOf(number: number): ShopperId {
  const shopperId = parseShopperId(`shopper-${number}`)
  if (shopperId === undefined) throw new Error('a numbered shopper must have a good id')
  return shopperId
}

async function timesOf(table: Table, { saleId }: Sale): Promise<MeasuredLine[]> {
  const app = personalControlApp({
    ...personalData(Date.now),
    ...{ table, sendsEvents: false, hasEventBus: false, newId: () => 'bench', postPublic: async () => 204 },
  })
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'x-shopper-roles': 'marketer' }
    const answer = await answerTo(app, requestOf('mia', method, `/api/control/orders${path}`, body, headers))
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`)
    return JSON.parse(answer.body)
  }
  const { next } = await ask('GET', `?sale=${saleId}`)
  const page = (more: string) => () => ask('GET', `?sale=${saleId}${more}`)
  const jobs = [
    ['a page of 50 orders', pageMs, page('')],
    ['  the next one', pageMs, page(`&after=${encodeURIComponent(next)}`)],
    ['  of a status, one in 1,000', undefined, page('&status=paid')],
    ['  of a dispute, one in 1,000', undefined, page('&dispute=open')],
    ['a shopper', shopperMs, () => ask('POST', '/find', { find: 'shopper-500', shopper: true })],
  ] as const
  const lines: MeasuredLine[] = []
  for (const [what, limit, work] of jobs) {
    await work()
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now()
      await work()
      times.push(performance.now() - startedAt)
    }
    const ms = median(times)
    const said = `${what}, beside ${spelled(manyOrders)}, ms`
    lines.push(limit === undefined ? { what: said, value: ms.toFixed(0) } : atMost(said, ms, limit, { digits: 0 }))
  }
  return lines
}
