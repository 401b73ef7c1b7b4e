import { describe, expect, it } from 'vitest'
import { liveLines } from '../../../cli/sale/print.ts'
import type { Live } from '../../../core/api/control-answers.ts'
import { noPace, updatePace } from '../../../core/sale/live-pace.ts'
import { aLive, sale } from '../../core/api/live-answer.ts'

const startsAt = 1_000_000

/** A look so many seconds after the start of a sale that sells two units a second and refuses thirty. */
function look(second: number, change: Partial<Live> = {}): Live {
  const booked = second * 2
  return {
    ...aLive,
    sale: { ...sale, startsAt, endsAt: startsAt + 3_600_000 },
    now: startsAt + second * 1000,
    stock: { total: 100, booked, heldBack: 0, available: 100 - booked },
    admissions: { remaining: 0, out: 4, rate: 1 },
    demand: { asked: 0, decided: 0, won: 0, refused: [{ reason: 'at-capacity', count: 30 * second }] },
    ...change,
  }
}

function lastLine(looks: readonly Live[]): string {
  const [last = aLive] = looks.slice(-1)
  return liveLines(last, looks.reduce(updatePace, noPace))
}

const seconds = Array.from({ length: 21 }, (_, second) => second)

describe('the live numbers of a sale that is watched', () => {
  it('end with how many wait and when it will be sold out', () => {
    expect(lastLine(seconds.map((second) => look(second)))).toMatch(/ · about 300 waiting · sold out in about 30 s$/)
  })

  it('say that it ends earlier, and how long it took', () => {
    const ending = { ...sale, startsAt, endsAt: startsAt + 25_000 }
    expect(lastLine(seconds.map((second) => look(second, { sale: ending })))).toMatch(
      / · not sold out before the end at this rate$/,
    )
    const all = { total: 100, booked: 100, heldBack: 0, available: 0 }
    const over = look(21, { phase: 'sold-out', stock: all, soldOut: [7800] })
    expect(lastLine([...seconds.map((second) => look(second)), over])).toMatch(/ · sold out after 7.8 s$/)
  })

  it('leave out what one look cannot know', () => {
    expect(lastLine([look(5)])).toMatch(/dead letters 0$/)
  })
})
