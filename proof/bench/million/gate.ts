/** The gate as `edge/handler.ts` runs it, but with the virtual clock, and a store that may take long. */
import { createGate } from '../../../edge/gate.ts'
import { redisGateStore } from '../../../edge/memory/gate-store.ts'

/** The machine may be busy, which says nothing about the clicks. */
const timeoutMs = 20_000

/**
 * The clock of all gates of a measurement: it follows the clicks, so that the result does not depend
 * on the speed of the machine.
 */
let now = Number.NaN

/** Epoch ms. */
export const virtualNow = () => now

export function setVirtualClock(epochMs: number): void {
  now = epochMs
}

export const handler = createGate({
  openStore: (config) => redisGateStore(config, { firstTimeoutMs: timeoutMs, timeoutMs }),
  clock: virtualNow,
  report: console.error,
})
