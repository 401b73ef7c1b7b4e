/** Reads the pointer of a sale, and with it the shop's time. */
import type { SaleId } from '../../../core/ids.ts'
import { type Pointer, pointerPath } from '../../../core/sale/pointer.ts'
import { type ClockSample, localNow, sampleIn } from '../lib/clock.ts'
import { call, type Fetch } from '../lib/http.ts'
import { readPointer } from '../lib/wire.ts'

/** `clock` is absent when the answer had no time. */
type Look = { pointer: Pointer; clock: ClockSample | undefined }

/** Undefined when no pointer came within 5 s. */
export async function lookAtPointer(fetch: Fetch, saleId: SaleId): Promise<Look | undefined> {
  const path = `/${pointerPath(saleId)}`
  const sentAt = localNow()
  const reply = await call(fetch, path, { deadlineMs: 5000 })
  if (reply.kind !== 'ok') return undefined
  const clock = sampleIn(reply.headers, sentAt)
  const pointer = readPointer(reply.body)
  return pointer && { pointer, clock }
}

/** When the browser sent a request and received its answer, ms since the page began to load. */
export type RequestTiming = { requestStart: number; responseStart: number }

/**
 * The sample of a pointer that was preloaded: the browser sent that request before the script
 * asked, and maybe had the answer before. It was sent when the browser says or, as far as that is
 * not known, at `loadedFrom`, epoch ms, as the page began to load.
 */
export function preloadedSample(
  sample: ClockSample,
  loadedFrom: number,
  timing: RequestTiming | undefined,
): ClockSample {
  if (timing === undefined || timing.requestStart === 0 || timing.responseStart < timing.requestStart)
    return { ...sample, sentAt: Math.min(sample.sentAt, loadedFrom) }
  return {
    ...sample,
    sentAt: loadedFrom + timing.requestStart,
    receivedAt: loadedFrom + timing.responseStart,
  }
}
