/** Reads the pointer of a sale, and with it the shop's time. */
import type { Fetch } from '../../client/http.ts'
import type { SaleId } from '../../core/ids.ts'
import { type Countdown, type Pointer, pointerPath } from '../../core/sale/pointer.ts'
import { type ClockSample, localNow, sampleIn } from '../../web/clock.ts'
import { call } from '../../web/http.ts'
import { loadModule } from '../../web/load-module.ts'
import { fieldsOf, readCountdown, readPointer } from '../../web/wire.ts'

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
  return { ...sample, sentAt: loadedFrom + timing.requestStart, receivedAt: loadedFrom + timing.responseStart }
}

/** An import has no deadline of its own, and a page that waits for one that stalls would look no more. */
const deadlineMs = 5000

/**
 * The countdown module at `src`, which a pointer names and which is never rewritten, so one load for each version is
 * enough (C6); or undefined when it is not there yet, the connection broke or nothing came within 5 s: then ask again
 * later. `load` is the browser's own import.
 */
export async function loadCountdown(
  src: string,
  load?: (address: string) => Promise<unknown>,
): Promise<Countdown | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, deadlineMs, undefined))
  return readCountdown(fieldsOf(await Promise.race([loadModule(src, load), late]))?.countdown)
}
