/**
 * The gate as `edge/handler.ts` runs it, but with a store that may take long. On a busy test machine an answer may take
 * longer than 800 ms, and the gate would refuse with `unavailable`, which would change the measured cost; those
 * refusals have their own tests.
 */
import { createGate } from '../../edge/gate.ts'
import { redisGateStore } from '../../edge/memory/gate-store.ts'

const timeoutMs = 20_000

export const handler = createGate({
  openStore: (config) => redisGateStore(config, { firstTimeoutMs: timeoutMs, timeoutMs }),
  clock: Date.now,
  report: (message, details) => console.error(message, details),
})
