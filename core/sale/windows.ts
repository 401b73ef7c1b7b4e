/** The windows of a sale (R7), and early access at the start of each. */

/** The fields of a sale that come from its current window. */
export const windowFields = ['startsAt', 'endsAt', 'stock'] as const

/** Returns the start, end and stock of the first of unparsed `windows`; no fields without one. */
export function fieldsOfFirstWindow(windows: unknown): Partial<Record<(typeof windowFields)[number], unknown>> {
  const first: unknown = Array.isArray(windows) ? windows[0] : undefined
  if (typeof first !== 'object' || first === null) return {}
  const given: Record<string, unknown> = { ...first }
  return { startsAt: given.startsAt, endsAt: given.endsAt, stock: given.stock }
}

/** Returns the window after the current one; undefined after the last. */
export function nextWindow<Window>({
  windows,
  windowIndex,
}: {
  windows: readonly Window[]
  windowIndex: number
}): Window | undefined {
  return windows[windowIndex + 1]
}

/** In the first `minutes` of each window only members of `minLevel` and above may buy. */
export type EarlyAccess = { minutes: number; minLevel: number }

/** Returns how long only members may buy before all others, ms from the start; 0 without early access. */
export function earlyAccessMs(earlyAccess: Pick<EarlyAccess, 'minutes'> | undefined): number {
  return (earlyAccess?.minutes ?? 0) * 60_000
}
