/** The last minutes of live numbers, as the columns a chart wants. */

/** `at` is epoch ms; `remaining` is -1 for an unlimited stock and null while unknown. */
export type Sample = { at: number; remaining: number | null; sold: number }

/** Ten minutes at one look a second. */
export const keptSamples = 600

/**
 * `samples` with `next` at the end, oldest dropped beyond what is kept; a clock that stands still
 * adds nothing.
 */
export function withSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (last !== undefined && next.at <= last.at) return samples
  return [...samples, next].slice(-keptSamples)
}

/**
 * Seconds since the epoch, remaining units, units in written orders. An unlimited or unknown stock
 * has no line.
 */
export function columns(samples: readonly Sample[]): [number[], (number | null)[], number[]] {
  return [
    samples.map(({ at }) => at / 1000),
    samples.map(({ remaining }) => (remaining === -1 ? null : remaining)),
    samples.map(({ sold }) => sold),
  ]
}
