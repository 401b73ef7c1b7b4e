import { beforeEach, describe, expect, it } from 'vitest'
import type { Countdown } from '../../../core/sale/pointer.ts'
import { earlyCooldown } from '../../../static/sale/early-line.ts'
import { saleIdOf } from '../../edge/support.ts'

const startsAt = 1_763_000_000_000
const seconds = 1000
let now = startsAt
let until = 0
let early: ReturnType<typeof earlyCooldown>

const cooldown = {
  leftMs: () => Math.max(0, until - now),
  take: (milliseconds: number) => {
    until = now + milliseconds
  },
}

function countdown(earlyMinutes?: number): Countdown {
  const published = { saleId: saleIdOf('mug'), version: 2, started: true, startsAt, endsAt: startsAt + 9e6 }
  return { ...published, ...(earlyMinutes !== undefined && { earlyMinutes }) }
}

/** The page looks at a sale with so many minutes of early access. */
function look(earlyMinutes?: number, change: { turnMs?: number; now?: number } = {}): void {
  early.update({ countdown: countdown(earlyMinutes), startsAt, now, turnMs: 0, ...change })
}

beforeEach(() => {
  now = startsAt + 5 * seconds
  until = now
  early = earlyCooldown(cooldown)
  look(10)
  early.clicked()
  cooldown.take(10 * seconds)
})

describe('the cooldown of a shopper who clicked during early access', () => {
  /** The shop has named the wait, and a minute of the sale is over. */
  function refusedAMinuteAgo(code = 'not-your-turn'): void {
    early.clicked(code)
    cooldown.take(595 * seconds)
    now = startsAt + 60 * seconds
  }

  it('ends with early access that is shortened or removed (R6)', () => {
    refusedAMinuteAgo()
    look(5, { turnMs: 2000 })
    expect(cooldown.leftMs()).toBe(4 * 60 * seconds + 2000)
    look()
    expect(cooldown.leftMs()).toBe(0)
  })

  it('is as long as the shop said while early access stays, also by a clock that is fast', () => {
    refusedAMinuteAgo()
    look(10, { now: now + 30 * seconds })
    early.update({ countdown: undefined, startsAt, now, turnMs: 0 })
    expect(cooldown.leftMs()).toBe(540 * seconds)
    // Longer early access keeps a shopper from no click: the shop says it again.
    look(20)
    expect(cooldown.leftMs()).toBe(540 * seconds)
  })

  it('is not cut short for another reason, nor while a click is on its way (C7)', () => {
    look()
    expect(cooldown.leftMs()).toBe(10 * seconds)
    look(10)
    refusedAMinuteAgo('too-many-requests')
    look()
    expect(cooldown.leftMs()).toBe(540 * seconds)
    refusedAMinuteAgo()
    early.clicked()
    look()
    expect(cooldown.leftMs()).toBe(595 * seconds)
  })
})
