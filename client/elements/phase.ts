/** An element's view of a sale by the shop's clock, and its next read, as rare as those of the shop's own pages. */
import type { Seen } from '../connection.ts'
import type { Pointer } from '../types.ts'

export type ShownPhase = Pointer['phase']

/** Pages open spread over this long, ms, so that the first clicks do not all arrive in one instant. */
const jitterMs = 500

const minuteMs = 57_000
/** The longest wait of a page that opens by its clock, ms. */
const armedMs = 285_000

/** `share`, from 0 up to 1, is the page's own place in the crowd. */
export function phaseAt({ pointer, countdown }: Seen, now: number, share: number): ShownPhase {
  const { phase, startsAt, endsAt, nextStartsAt } = pointer
  const isOver = now >= endsAt && phase !== 'draft'
  if (isOver) return nextStartsAt === null || phase === 'ended' ? 'ended' : 'scheduled'
  const isStarted = countdown.startToken !== undefined && now >= startsAt + share * jitterMs
  return phase === 'scheduled' && isStarted ? 'open' : phase
}

/** When the window opens that the page waits for, epoch ms. */
export const opensAt = ({ startsAt, endsAt, nextStartsAt }: Pointer, now: number): number =>
  now >= endsAt && nextStartsAt !== null ? nextStartsAt : startsAt

type PollFacts = {
  phase: ShownPhase
  isArmed: boolean
  now: number
  startsAt: number
  isHidden: boolean
  failures: number
}

/**
 * Milliseconds until the next read, at most five minutes: the further the moment at which something may change, the
 * longer. An armed page opens by its clock, and reads 20 to 40 s before that and 2 to 9 s after it. `random` is from 0
 * up to 1.
 */
export function nextReadMs(facts: PollFacts, random: number): number {
  const { phase, isArmed, now, startsAt, isHidden, failures } = facts
  const away = Math.abs(now - startsAt)
  const isWaiting = phase === 'scheduled' || phase === 'draft'
  const opensByClock = isWaiting && isArmed && now < startsAt
  let ms = opensByClock ? armedMs : minuteMs
  if (!isHidden && failures > 0) ms = Math.min(minuteMs, 5000 * 2 ** (failures - 1))
  else if (!isHidden && !opensByClock && phase !== 'ended') {
    const runningMs = now < startsAt + 15_000 ? 24_000 : 8000
    ms = isWaiting ? between(1500, away / 2, now < startsAt ? minuteMs : 15_000) : runningMs
  }
  const spread = ms * (0.95 + 0.1 * random)
  if (!opensByClock || isHidden) return spread
  return Math.min(spread, away > minuteMs ? away - 20_000 * (1 + random) : away + 2000 + 7000 * random)
}

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value))

/** `2 d 09:05:07` with the word `d` for days; without days and hours where there are none. */
export function clockText(milliseconds: number, d: string): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds / 3600) % 24)]
  const rest = `${two((seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${days > 0 ? `${days} ${d} ` : ''}${days + hours > 0 ? `${two(hours)}:` : ''}${rest}`
}
