/** Reads the pointer of a sale, and with it the shop's time. */
import type { SaleId } from '../../core/ids.ts'
import { type Pointer, pointerPath } from '../../core/pointer.ts'
import type { ClockSample } from './clock.ts'
import { call, type Fetch } from './http.ts'
import { readPointer } from './wire.ts'

/** `clock` is absent when the answer had no time. */
type Look = { pointer: Pointer; clock: ClockSample | undefined }

/** Undefined when no pointer came within 5 s. */
export async function lookAtPointer(fetch: Fetch, saleId: SaleId): Promise<Look | undefined> {
  const path = `/${pointerPath(saleId)}`
  const reply = await call(fetch, path, { deadlineMs: 5000 })
  if (reply.kind !== 'ok') return undefined
  const pointer = readPointer(reply.body)
  return pointer && { pointer, clock: reply.clock }
}

/**
 * The first sample of a page that preloads its pointer at `path`: the browser sent that request
 * before the script asked, and maybe received it before. It was sent when the browser says, or, as
 * far as that is not known, as the page began to load.
 */
export function preloadedSample(sample: ClockSample, path: string): ClockSample {
  const [entry] = performance.getEntriesByName(new URL(path, location.href).href)
  const at = (ms: number) => performance.timeOrigin + ms
  const isTimed = entry instanceof PerformanceResourceTiming && entry.requestStart > 0
  if (!isTimed) return { ...sample, sentAt: Math.min(sample.sentAt, at(0)) }
  const { requestStart, responseStart } = entry
  return { ...sample, sentAt: at(requestStart), receivedAt: Math.max(at(requestStart), at(responseStart)) }
}
