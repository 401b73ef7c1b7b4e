/** The names of what the system keeps, as a deployment's settings would give them. */

export const resources = {
  table: 'sluice',
  orders: 'orders',
  deadLetters: 'orders-dlq',
  bucket: 'sluice-site',
} as const

/** Every function that a request, a queue or a schedule invokes. Its timeout is Lambda's own setting. */
export const functionTimeoutMs = 10_000

/** How long the queue's event source waits for a batch to fill: at least a second for batches over ten messages. */
export const orderWindowMs = 1000

/**
 * How long a received message stays hidden: six times the function's timeout, and the window
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html).
 */
export const visibilitySeconds = (6 * functionTimeoutMs + orderWindowMs) / 1000

export const httpFunctions = ['reserve', 'orders', 'control'] as const
export type HttpFunction = (typeof httpFunctions)[number]
