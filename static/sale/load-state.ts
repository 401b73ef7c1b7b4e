/** Reads the pointer of a sale, and with it the shop's time. */
import type { Fetch } from '../../client/http.ts'
import type { SaleId } from '../../core/ids.ts'
import { type Countdown, type Pointer, pointerPath } from '../../core/sale/pointer.ts'
import { type ClockSample, localNow, sampleIn } from '../../web/clock.ts'
import { call } from '../../web/http.ts'
import { loadModule } from '../../web/load-module.ts'
import { fieldsOf, readCountdown, readPointer } from '../../web/wire.ts'

/** `clock` is undefined when the answer had no time. */
type FetchedPointer = { pointer: Pointer; clock: ClockSample | undefined }

/** Fetches the pointer; undefined after a failure or 5 s. */
export async function fetchPointer(fetch: Fetch, saleId: SaleId): Promise<FetchedPointer | undefined> {
  const path = `/${pointerPath(saleId)}`
  const sentAt = localNow()
  const reply = await call(fetch, path, { deadlineMs: 5000 })
  if (reply.kind !== 'ok') return undefined
  const clock = sampleIn(reply.headers, sentAt)
  const pointer = readPointer(reply.body)
  return pointer && { pointer, clock }
}

/** The times of a request and its answer, ms since the page started to load. */
export type RequestTiming = { requestStart: number; responseStart: number }

/**
 * Corrects the sample of a preloaded pointer, whose request the browser sent before the script asked for it. Uses the timing
 * of the browser, or else `loadedFrom`, the time when the page started to load, epoch ms.
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

/** Imports have no deadline of their own, and a stalled one would stop the polling, ms. */
const deadlineMs = 5000

/**
 * Imports the countdown at `src`, which is never rewritten, so each version is loaded once (C6). Undefined after a failure
 * or 5 s; the caller may retry later.
 */
export async function loadCountdown(
  src: string,
  load?: (address: string) => Promise<unknown>,
): Promise<Countdown | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, deadlineMs, undefined))
  return readCountdown(fieldsOf(await Promise.race([loadModule(src, load), late]))?.countdown)
}
