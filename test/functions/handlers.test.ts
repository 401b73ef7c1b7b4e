import { afterEach, describe, expect, it, vi } from 'vitest'

const redis = ['STOCK_SECRET_ID', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
const gate = ['GATE_REDIS_REST_URL', 'GATE_REDIS_REST_TOKEN']

const sqs = ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

const payment = ['PAYMENT_PROVIDER', 'PAYMENT_URL', 'PAYMENT_API_KEY']
/** To publish what is left of a sale. */
const selling = ['TABLE_NAME', 'SITE_BUCKET', 'WAKE_QUEUE_URL']
const queues = ['ORDERS_QUEUE_URL', 'ORDERS_DLQ_URL', 'DEADLINES_QUEUE_URL', 'DEADLINES_DLQ_URL']

const handlers = {
  reserve: {
    load: () => import('../../functions/entries/reserve.handler.ts'),
    needs: [...redis, ...gate, 'ORDERS_QUEUE_URL'],
  },
  wallet: { load: () => import('../../functions/entries/wallet.handler.ts'), needs: ['TABLE_NAME'] },
  orders: { load: () => import('../../functions/entries/orders.handler.ts'), needs: [...redis, 'TABLE_NAME'] },
  'order-changes': {
    load: () => import('../../functions/entries/order-changes.handler.ts'),
    needs: [...redis, ...gate, ...selling, ...payment, 'SHOP_URL', 'PAYMENT_PAGES_PER_SECOND'],
  },
  delivery: {
    load: () => import('../../functions/entries/delivery.handler.ts'),
    needs: ['TABLE_NAME', 'SITE_BUCKET', 'PERSONAL_KEYS', 'PERSONAL_DAYS'],
  },
  payments: {
    load: () => import('../../functions/entries/payments.handler.ts'),
    needs: [...redis, ...gate, ...selling, ...payment, 'WEBHOOK_SECRET'],
  },
  'payment-simulator': {
    load: () => import('../../functions/entries/payment-simulator.handler.ts'),
    needs: ['TABLE_NAME', 'PAYMENT_API_KEY', 'WEBHOOK_SECRET', 'SHOP_URL'],
  },
  'sign-in': {
    load: () => import('../../functions/entries/sign-in.handler.ts'),
    needs: [
      ...['SIGN_IN', 'SIGN_IN_CLIENT_SECRET', 'SIGN_IN_SESSION_KEYS', 'SIGN_IN_COOKIE_KEYS'],
      ...['PERSONAL_KEYS', 'PERSONAL_DAYS'],
      ...sqs,
      'TABLE_NAME',
    ],
  },
  draws: {
    load: () => import('../../functions/entries/draws.handler.ts'),
    needs: [...redis, ...gate, 'TABLE_NAME', 'SITE_BUCKET'],
  },
  mail: {
    load: () => import('../../functions/entries/mail.handler.ts'),
    needs: ['TABLE_NAME', 'PERSONAL_KEYS', 'SHOP_URL', 'MAIL'],
  },
  control: {
    load: () => import('../../functions/entries/control.handler.ts'),
    needs: [...redis, ...gate, 'TABLE_NAME', ...queues, 'SITE_BUCKET', 'EDGE_STORE_ARN', ...payment, 'WAKE_QUEUE_URL'],
  },
  'write-orders': {
    load: () => import('../../functions/entries/write-orders.handler.ts'),
    needs: [...redis, ...gate, ...selling, 'ORDERS_QUEUE_URL', 'ORDERS_DLQ_URL', 'DEADLINES_QUEUE_URL'],
  },
  'cancel-unpaid': {
    load: () => import('../../functions/entries/cancel-unpaid.handler.ts'),
    needs: [...redis, ...gate, ...selling, 'DEADLINES_QUEUE_URL', 'DEADLINES_DLQ_URL'],
  },
  reconcile: {
    load: () => import('../../functions/entries/reconcile.handler.ts'),
    needs: [...redis, ...gate, 'TABLE_NAME', ...queues, 'SITE_BUCKET', 'EDGE_STORE_ARN', ...payment],
  },
}

afterEach(() => vi.unstubAllEnvs())

describe('a handler', () => {
  it.each(Object.entries(handlers))(
    'of %s does not start without its settings, and names them all',
    async (_name, { load, needs }) => {
      for (const name of needs) vi.stubEnv(name, undefined)
      const problems = await load().then(
        () => [],
        (error: unknown) => (error instanceof Error && 'problems' in error ? error.problems : error),
      )
      expect(problems).toEqual(needs.map((name) => `${name} is missing`))
    },
  )
})
