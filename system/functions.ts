/** The functions of the system, by the names of their folders, and how long each may take. */

/** Those that a request through the distribution runs, each behind a URL of its own. */
export const httpFunctions = [
  'reserve',
  'claim',
  'orders',
  'order-changes',
  'wallet',
  'payments',
  'control',
] as const
export type HttpFunction = (typeof httpFunctions)[number]

/** Those that nobody waits for: the consumers of the queues, the scheduled repair, and the canary that looks from outside. */
export const workerFunctions = [
  'write-orders',
  'credit-wallets',
  'cancel-unpaid',
  'reconcile',
  'canary',
] as const
export type WorkerFunction = (typeof workerFunctions)[number]

export type FunctionName = HttpFunction | WorkerFunction
export const allFunctions: readonly FunctionName[] = [...httpFunctions, ...workerFunctions]

/** One value for each function that answers HTTP. */
export function perHttpFunction<T>(make: (name: HttpFunction) => T): Record<HttpFunction, T> {
  return {
    reserve: make('reserve'),
    claim: make('claim'),
    orders: make('orders'),
    'order-changes': make('order-changes'),
    wallet: make('wallet'),
    payments: make('payments'),
    control: make('control'),
  }
}

/** One value for each function. */
export function perFunction<T>(make: (name: FunctionName) => T): Record<FunctionName, T> {
  return {
    ...perHttpFunction(make),
    'write-orders': make('write-orders'),
    'credit-wallets': make('credit-wallets'),
    'cancel-unpaid': make('cancel-unpaid'),
    reconcile: make('reconcile'),
    canary: make('canary'),
  }
}

/** A shopper or a queue waits no longer than this for a function. */
const timeoutSeconds = 10

/** Rebuilding a sale takes longer than an answer to a shopper may. */
const controlTimeoutSeconds = 30

/** The minute to the next run, and what looking through all sales may still take at its end. */
const reconcileTimeoutSeconds = 75

/** Lambda's own setting. */
export function functionTimeoutSeconds(name: FunctionName): number {
  if (name === 'reconcile') return reconcileTimeoutSeconds
  return name === 'control' ? controlTimeoutSeconds : timeoutSeconds
}

/** Each run looks after the sales until just before the next one, so that there is always one about. */
export const reconcileRate = { everyMinutes: 1, input: { tickMs: 58_000 } } as const
