/** Writes a measured duration; `roughTime` of `core/sale/live-pace.ts` writes estimates. */
import type { durationMessages } from './catalogues.ts'
import type { Arguments } from './text.ts'

type Key = keyof typeof durationMessages

/** Writes `ms` in at most two units; below ten seconds with tenths, because fast sales differ by tenths. */
export function durationText(t: (key: Key, args: Arguments) => string, ms: number): string {
  if (ms < 10_000) return t('duration.seconds', { n: Math.floor(ms / 100) / 10 })
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return t('duration.seconds', { n: seconds })
  const [minutes, s] = [Math.floor(seconds / 60), seconds % 60]
  if (minutes < 60)
    return s === 0 ? t('duration.wholeMinutes', { m: minutes }) : t('duration.minutes', { m: minutes, s })
  const [hours, m] = [Math.floor(minutes / 60), minutes % 60]
  if (hours < 24) return m === 0 ? t('duration.wholeHours', { h: hours }) : t('duration.hours', { h: hours, m })
  const [d, h] = [Math.floor(hours / 24), hours % 24]
  return h === 0 ? t('duration.wholeDays', { d }) : t('duration.days', { d, h })
}
