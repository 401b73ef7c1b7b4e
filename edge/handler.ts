/**
 * The Lambda@Edge function of the distribution's `/api/*` behaviours (origin-request, with body). Settings
 * come with each request, see config.ts. It takes one argument: Node 24 refuses handlers that take three.
 */
import { createDoor } from './door.ts'
import { redisGateStore } from './gate-store.ts'

export const handler = createDoor({
  openStore: redisGateStore,
  clock: Date.now,
  report: (message, details) => console.error(JSON.stringify({ level: 'ERROR', message, ...details })),
})
