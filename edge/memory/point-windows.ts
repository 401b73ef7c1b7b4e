/**
 * Counts points in windows of a fixed length. A window begins with the first point after the former window has ended.
 * One small record per key and no timer: the next point replaces a window that has ended.
 */
import QuickLRU from 'quick-lru'
import type { ThrottleRule } from '../../core/sale/sale.ts'

export type PointWindows = {
  add(key: string, points: number, rule: ThrottleRule, now: number): void
  /** 0 while the key has fewer points than the limit, else the whole seconds until its window ends. */
  waitSeconds(key: string, rule: ThrottleRule, now: number): number
}

type Window = { startedAt: number; points: number }

/** Keeps at least `maxKeys` keys, at most twice as many. All times are epoch ms. */
export function createPointWindows(maxKeys: number): PointWindows {
  const windows = new QuickLRU<string, Window>({ maxSize: maxKeys })

  // After the clock was set back, a window in the future would never end.
  const isRunning = ({ startedAt }: Window, { windowSeconds }: ThrottleRule, now: number) =>
    now >= startedAt && now - startedAt < windowSeconds * 1000

  return {
    add(key, points, rule, now) {
      const window = windows.get(key)
      if (window === undefined) {
        windows.set(key, { startedAt: now, points })
      } else if (isRunning(window, rule, now)) {
        window.points += points
      } else {
        window.startedAt = now
        window.points = points
      }
    },
    waitSeconds(key, rule, now) {
      const window = windows.get(key)
      if (window === undefined || window.points < rule.limit || !isRunning(window, rule, now)) return 0
      return Math.ceil((window.startedAt + rule.windowSeconds * 1000 - now) / 1000)
    },
  }
}
