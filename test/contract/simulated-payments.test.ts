/** Payments of the simulated provider, kept in the table and in memory. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { simulatedPaymentsKey } from '../../functions/table/keys.ts'
import {
  dynamoSimulatedPayments,
  type PaymentRecord,
  type PaymentStore,
} from '../../functions/table/orders/simulated-payments.ts'
import { paymentsInMemory } from '../../local/payment/provider.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'
import { startTable } from './cloud.ts'

const now = Date.UTC(2026, 10, 22, 9)
let table: Awaited<ReturnType<typeof startTable>>
beforeAll(async () => {
  table = await startTable()
})
afterAll(() => table.stop())

const stores: [string, () => PaymentStore][] = [
  ['the table', () => dynamoSimulatedPayments(table.table, () => now)],
  ['memory', paymentsInMemory],
]

let orders = 0
const nextOrder = () => {
  orders += 1
  return orderIdOf(saleIdOf('paid-sale'), orders, 1)
}

describe.each(stores)('simulated payments in %s', (_name, storeOf) => {
  it('are read as they were written, and missing before', async () => {
    const store = storeOf()
    const orderId = nextOrder()
    const facts = { paymentId: `${orderId}.1`, orderId, amount: 5, currency: 'EUR', product: '1 × Mug' }
    const record: PaymentRecord = {
      revision: 1,
      payments: [
        {
          ...{ ...facts, until: now, returnUrl: '/orders/', state: 'on-its-way', arrivesAt: now, paid: 6 },
          refunds: [{ refundId: 're_1', amount: 2 }],
        },
      ],
      messages: [{ id: 'msg_1', body: '{}', isDelivered: false, refundId: 're_1' }],
    }
    expect(await store.read(orderId)).toBeUndefined()
    expect(await store.write(orderId, record)).toBe(true)
    expect(await store.read(orderId)).toEqual(record)
  })

  it('let one of two writers win who read the same (I5)', async () => {
    const store = storeOf()
    const orderId = nextOrder()
    const write = (revision: number) => store.write(orderId, { revision, payments: [], messages: [] })
    expect((await Promise.all([write(1), write(1)])).toSorted()).toEqual([false, true])
    expect((await Promise.all([write(2), write(2)])).toSorted()).toEqual([false, true])
    expect(await write(1)).toBe(false)
  })
})

it('simulated payments in the table are deleted by DynamoDB 30 days after their last change', async () => {
  const orderId = nextOrder()
  await dynamoSimulatedPayments(table.table, () => now).write(orderId, { revision: 1, payments: [], messages: [] })
  const get = new GetCommand({ TableName: table.table.name, Key: simulatedPaymentsKey(orderId) })
  const { Item } = await table.table.client.send(get)
  expect(Item?.expiresAt).toBe(now / 1000 + 30 * 86_400)
})
