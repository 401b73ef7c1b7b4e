/**
 * The gate as `edge/handler.ts` runs it, but with a store that may take long. What a crowd costs does not depend on whether
 * the machine of the test is too busy to read an answer within 800 ms, upon which the gate refuses as `unavailable`; those
 * refusals have tests of their own.
 */
import { createGate } from '../../edge/gate.ts'
import { redisGateStore } from '../../edge/memory/gate-store.ts'

const timeoutMs = 20_000

export const handler = createGate({
  openStore: (config) => redisGateStore(config, { firstTimeoutMs: timeoutMs, timeoutMs }),
  clock: Date.now,
  report: (message, details) => console.error(message, details),
})
