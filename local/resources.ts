/** The names of what the system keeps, as a deployment's settings would give them. */

export const resources = {
  table: 'sluice',
  orders: 'orders',
  deadLetters: 'orders-dlq',
  bucket: 'sluice-site',
} as const

/** Every function that a request, a queue or a schedule invokes. Its timeout is Lambda's own setting. */
export const functionTimeoutMs = 10_000
export const httpFunctions = ['reserve', 'orders', 'control'] as const
export type HttpFunction = (typeof httpFunctions)[number]
