/** The gate as `edge/handler.ts` runs it, but with the virtual clock, and a store that may take long. */
import { createGate } from '../../edge/gate.ts'
import { gateStoreOver } from '../../edge/memory/gate-store.ts'
import { connectRest } from '../../redis/rest.ts'
import { virtualNow } from './virtual-clock.ts'

/** The machine may be busy, which says nothing about the clicks. */
const timeoutMs = 20_000

export const handler = createGate({
  openStore: ({ gateUrl: url, readerToken, writerToken }) => {
    const connect = (token: string) => connectRest({ url, token, firstTimeoutMs: timeoutMs, timeoutMs })
    return gateStoreOver(connect(readerToken), connect(writerToken))
  },
  clock: virtualNow,
  report: console.error,
})
