/** The gate as `edge/handler.ts` runs it, but with the virtual clock. */
import { createGate } from '../../edge/gate.ts'
import { redisGateStore } from '../../edge/memory/gate-store.ts'
import { virtualNow } from './virtual-clock.ts'

export const handler = createGate({ openStore: redisGateStore, clock: virtualNow, report: console.error })
