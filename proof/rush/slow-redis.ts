/**
 * A database of the stock that is slow for some seconds of a rush, and the rate of admissions
 * meanwhile (R8).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { System } from '../bench/system.ts'
import type { SlowRedis } from './options.ts'
import { type AnswerSummary, summarise, type Try } from './shopper.ts'

/** Rates of admissions during a rush; `most` is the first, the setting. */
export type RateFacts = SlowRedis & {
  /** Answers while it was slow. */
  answers: readonly AnswerSummary[]
  /** Purchases that took longer than a function waits for one call of Redis. */
  late: number
  most: number
  least: number
  /** From the slow-down until the rate was lower, undefined when it never was. */
  fellAfterMs: number | undefined
  /** From the end of the slow-down until the rate was the setting again. */
  backAfterMs: number | undefined
}

/** How long a function waits for one call of Redis, ms. */
const callMs = 1000

/** How long after the start the database becomes slow, ms. */
const slowAfterMs = 3000
const sampleMs = 50

export function limitRedis(system: System, commandsPerSecond: number): Promise<void> {
  return system.setFault({ target: 'redis', mode: 'limited', commandsPerSecond })
}

/** Ends the limit, so that the result is read at full speed. */
function freeRedis(system: System): Promise<void> {
  return system.setFault({ target: 'redis', mode: 'none' })
}

export type RateWatch = { finish(tries: readonly Try[]): Promise<RateFacts> }

/** Slows the database down, and notes the rate until `finish`. */
export function playSlowRedis(system: System, saleId: string, plan: SlowRedis): RateWatch {
  const { usual, slow, seconds } = plan
  const from = performance.now()
  const slowedAt = from + slowAfterMs
  const endedAt = slowedAt + seconds * 1000
  let isOver = false
  let [most, least] = [0, Number.POSITIVE_INFINITY]
  let [fellAt, backAt]: (number | undefined)[] = []

  const note = async () => {
    while (!isOver) {
      const rate = await system.admissionRate(saleId)
      const now = performance.now()
      if (rate !== undefined && most === 0) most = rate
      if (rate !== undefined) least = Math.min(least, rate)
      if (rate !== undefined && rate < most) {
        if (now >= slowedAt) fellAt ??= now
      } else if (now >= endedAt) backAt ??= now
      await sleep(sampleMs)
    }
  }
  const slowDown = async () => {
    await sleep(slowAfterMs)
    await limitRedis(system, slow)
    await sleep(seconds * 1000)
    await limitRedis(system, usual)
  }
  const running = Promise.all([note(), slowDown().then(() => undefined)])
  return {
    async finish(tries) {
      isOver = true
      await running
      await freeRedis(system)
      const fellAfterMs = fellAt === undefined ? undefined : fellAt - slowedAt
      const backAfterMs = backAt === undefined ? undefined : backAt - endedAt
      const meanwhile = tries.filter(({ at }) => at >= slowedAt && at < endedAt)
      const late = meanwhile.filter(({ code, ms }) => code !== 'at-capacity' && ms > callMs).length
      const answers = summarise(meanwhile)
      return { usual, slow, seconds, answers, late, most, least, fellAfterMs, backAfterMs }
    },
  }
}
