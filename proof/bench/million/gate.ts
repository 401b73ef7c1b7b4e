/** The gate as `edge/handler.ts` runs it, but with the virtual clock and a counting store with a long timeout. */
import { createGate } from '../../../edge/gate.ts'
import { redisGateStore } from '../../../edge/memory/gate-store.ts'
import { countedStore, countReport, virtualNow } from './shared-by-gates.ts'

/** Long, so that a busy machine does not change the result. */
const timeoutMs = 20_000

export const handler = createGate({
  openStore: (config) => countedStore(redisGateStore(config, { firstTimeoutMs: timeoutMs, timeoutMs })),
  clock: virtualNow,
  report: countReport,
})
