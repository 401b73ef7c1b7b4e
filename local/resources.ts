/** The names of what the system keeps, and each function's own limits, as a deployment's settings would give them. */

export const resources = {
  table: 'sluice',
  bucket: 'sluice-site',
} as const

/** Every queue has its dead letters behind it. `deadlines` holds the delayed messages of unpaid orders. */
export type QueueName = 'orders' | 'claims' | 'deadlines'

export const httpFunctions = ['reserve', 'claim', 'orders', 'wallet', 'payments', 'control'] as const
export type HttpFunction = (typeof httpFunctions)[number]

/** One value for each function that answers HTTP. */
export function perHttpFunction<T>(make: (name: HttpFunction) => T): Record<HttpFunction, T> {
  return {
    reserve: make('reserve'),
    claim: make('claim'),
    orders: make('orders'),
    wallet: make('wallet'),
    payments: make('payments'),
    control: make('control'),
  }
}

/** The same for values that take a while. */
export async function everyHttpFunction<T>(
  make: (name: HttpFunction) => Promise<T>,
): Promise<Record<HttpFunction, T>> {
  const making = perHttpFunction(make)
  const [reserve, claim, orders, wallet, payments, control] = await Promise.all([
    making.reserve,
    making.claim,
    making.orders,
    making.wallet,
    making.payments,
    making.control,
  ])
  return { reserve, claim, orders, wallet, payments, control }
}

export type WorkerFunction = 'write-orders' | 'credit-wallets' | 'cancel-unpaid' | 'reconcile'

/** A shopper or a queue waits no longer than this for a function. */
const timeoutMs = 10_000

/** Rebuilding a sale takes longer than an answer to a shopper may. */
const controlTimeoutMs = 30_000

/** The minute to the next run, and what looking through all sales may still take at its end. */
const reconcileTimeoutMs = 75_000

/** The timeout of a function: Lambda's own setting. */
export function functionTimeoutMs(name: HttpFunction | WorkerFunction): number {
  if (name === 'reconcile') return reconcileTimeoutMs
  return name === 'control' ? controlTimeoutMs : timeoutMs
}

/**
 * How long the event source of orders, and that of claims, waits for a batch to fill: at least a second for batches over ten
 * messages.
 */
export const batchWindowMs = 1000

/**
 * How long a received message stays hidden: six times the function's timeout, and the window
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html).
 */
export const visibilitySeconds = (6 * timeoutMs + batchWindowMs) / 1000
