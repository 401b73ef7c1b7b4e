/**
 * The Lambda@Edge function of the distribution's `/api/*` behaviours (origin-request, with body). Its settings come
 * with each request, see config.ts. It takes one argument: Node 24 refuses handlers that take three.
 */
import { createGate } from './gate.ts'
import { redisGateStore } from './memory/gate-store.ts'

export const handler = createGate({
  openStore: redisGateStore,
  clock: Date.now,
  report: (message, details) => console.error(JSON.stringify({ level: 'ERROR', message, ...details })),
})
