/** The windows of a sale in which units are sold (R7), and the early access at the start of each. */

/** The fields a sale takes from its present window. */
export const windowFields = ['startsAt', 'endsAt', 'stock'] as const

/** When a sale with `windows` starts and ends, and its units: those of the first window; undefined without one. */
export function fieldsOfFirstWindow(windows: unknown): Partial<Record<(typeof windowFields)[number], unknown>> {
  const first: unknown = Array.isArray(windows) ? windows[0] : undefined
  if (typeof first !== 'object' || first === null) return {}
  const given: Record<string, unknown> = { ...first }
  return { startsAt: given.startsAt, endsAt: given.endsAt, stock: given.stock }
}

/** Returns the window after the one that the sale is in, undefined after the last. */
export function nextWindow<Window>({
  windows,
  windowIndex,
}: {
  windows: readonly Window[]
  windowIndex: number
}): Window | undefined {
  return windows[windowIndex + 1]
}

/** The first `minutes` of each window are for members of `minLevel` and above; the turns of others come later. */
export type EarlyAccess = { minutes: number; minLevel: number }

/** Returns how long only members may buy before all others, ms from the start; 0 without early access. */
export function earlyAccessMs(earlyAccess: Pick<EarlyAccess, 'minutes'> | undefined): number {
  return (earlyAccess?.minutes ?? 0) * 60_000
}
