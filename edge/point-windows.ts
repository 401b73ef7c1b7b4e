/**
 * Points counted in windows of a fixed length, each beginning with the first point after the one before is over. One small
 * record per key and no timer: a window that is over is begun anew by whoever comes next.
 */
import QuickLRU from 'quick-lru'
import type { ThrottleRule } from '../core/sale.ts'

export type PointWindows = {
  add(key: string, points: number, rule: ThrottleRule, now: number): void
  /** 0 while the key has fewer points than the limit, else the whole seconds until its window is over. */
  waitSeconds(key: string, rule: ThrottleRule, now: number): number
}

type Window = { startedAt: number; points: number }

/** Remembers at least `maxKeys`, at most twice as many. All times are epoch ms. */
export function createPointWindows(maxKeys: number): PointWindows {
  const windows = new QuickLRU<string, Window>({ maxSize: maxKeys })

  // A window from a time that has not come (the clock was set back) would never end.
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
