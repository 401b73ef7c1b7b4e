/** The gate as `edge/handler.ts` runs it, but with the virtual clock, and a counted store that may take long. */
import { createGate } from '../../../edge/gate.ts'
import { redisGateStore } from '../../../edge/memory/gate-store.ts'
import { countedStore, countReport, virtualNow } from './shared-by-gates.ts'

/** The machine may be busy, which says nothing about the clicks. */
const timeoutMs = 20_000

export const handler = createGate({
  openStore: (config) => countedStore(redisGateStore(config, { firstTimeoutMs: timeoutMs, timeoutMs })),
  clock: virtualNow,
  report: countReport,
})
