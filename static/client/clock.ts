/**
 * The shop's clock, seen from a browser whose own may be wrong. The sample with the smallest round
 * trip says most: its answer can be off by at most half that trip.
 */

/**
 * One `GET /api/time`: `sentAt` and `receivedAt` on the local clock, `serverNow` from the answer;
 * all ms.
 */
type ClockSample = { sentAt: number; receivedAt: number; serverNow: number }

/** What to add to the local clock to get the shop's, in ms; undefined without a usable sample. */
export function clockOffsetMs(samples: readonly ClockSample[]): number | undefined {
  let best: ClockSample | undefined
  for (const sample of samples) {
    if (tripMs(sample) < 0 || !Number.isFinite(sample.serverNow)) continue
    if (best === undefined || tripMs(sample) < tripMs(best)) best = sample
  }
  if (best === undefined) return undefined
  return best.serverNow + tripMs(best) / 2 - best.receivedAt
}

/** Milliseconds since the epoch that do not jump when the device's clock is set. */
export function localNow(): number {
  return performance.timeOrigin + performance.now()
}

/**
 * Asks the shop's time `count` times in a row. A failed try gives no sample; the rest still count.
 * `onSample` gets all samples so far after each one: a slow connection need not wait for the last.
 */
export async function sampleClock(
  ask: () => Promise<number | undefined>,
  now: () => number,
  count: number,
  onSample: (samples: readonly ClockSample[]) => void,
): Promise<void> {
  const samples: ClockSample[] = []
  for (let i = 0; i < count; i += 1) {
    const sentAt = now()
    const serverNow = await ask()
    if (serverNow === undefined) continue
    samples.push({ sentAt, receivedAt: now(), serverNow })
    onSample(samples)
  }
}

function tripMs({ sentAt, receivedAt }: ClockSample): number {
  return receivedAt - sentAt
}
