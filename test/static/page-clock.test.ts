import { describe, expect, it } from 'vitest'
import type { Phase } from '../../core/phase.ts'
import { pageClock } from '../../static/client/page-clock.ts'

const hourMs = 3_600_000
const startsAt = 1_000_000_000

/** A page on a device that is `fastMs` fast; the shop gives the answers in turn, `lost` ones are undefined. */
function page({ fastMs, answers }: { fastMs: number; answers: ('lost' | 'answered')[] }) {
  let localMs = startsAt + fastMs
  let tries = 0
  const sample = async () => {
    tries += 1
    return answers.shift() === 'answered' ? -fastMs : undefined
  }
  const clock = pageClock({ localNow: () => localMs, sample, random: () => 0.5 })
  const turn = (phase: Phase | undefined, published: Phase) => clock.set({ phase, published, startsAt })
  return { clock, turn, tries: () => tries, wait: (ms: number) => (localMs += ms) }
}

describe('the clock of a page', () => {
  it('asks again after a lost answer, so a phone an hour fast does not call the sale ended for good', async () => {
    const { clock, turn, wait } = page({ fastMs: hourMs, answers: ['lost', 'answered'] })
    await turn(undefined, 'open')
    expect(clock.asked()).toBe(true)
    expect(clock.now()).toBe(startsAt + hourMs)
    wait(10_000)
    expect(await turn('ended', 'open')).toBe(true)
    expect(clock.now()).toBe(startsAt + 10_000)
  })

  it('asks again on a phone an hour slow, which would wait an hour too long', async () => {
    const { clock, turn, wait } = page({ fastMs: -hourMs, answers: ['lost', 'answered'] })
    await turn(undefined, 'scheduled')
    wait(10_000)
    await turn('scheduled', 'scheduled')
    expect(clock.now()).toBe(startsAt + 10_000)
  })

  it('knows the time after the first of four answers: a slow connection does not wait for the others', async () => {
    let finish: (offsetMs: number) => void = () => undefined
    const clock = pageClock({
      localNow: () => startsAt,
      sample: (_, onOffset) => {
        onOffset(-hourMs)
        return new Promise((resolve) => (finish = resolve))
      },
      random: () => 0.5,
    })
    expect(clock.asked()).toBe(false)
    const asking = clock.set({ phase: undefined, published: 'scheduled', startsAt })
    expect(clock.asked()).toBe(true)
    expect(clock.now()).toBe(startsAt - hourMs)
    finish(-hourMs + 3)
    await asking
    expect(clock.now()).toBe(startsAt - hourMs + 3)
  })

  it('asks once for a sale that the pointer calls open, and four times for one to wait for (C5)', async () => {
    const counts: number[] = []
    for (const published of ['open', 'scheduled'] as const) {
      const sample = async (count: number) => counts.push(count)
      const clock = pageClock({ localNow: () => startsAt, sample, random: () => 0.5 })
      await clock.set({ phase: undefined, published, startsAt })
    }
    expect(counts).toEqual([1, 4])
  })

  it('leaves 5 to 10 s between tries that are not answered: a dark gate is not hammered', async () => {
    const { turn, tries, wait } = page({ fastMs: 0, answers: [] })
    for (let ms = 0; ms < 60_000; ms += 100) {
      await turn('scheduled', 'scheduled')
      wait(100)
    }
    expect(tries()).toBe(8)
  })

  it('keeps what it knows when a later try is lost, and lets a sale that is over be over', async () => {
    const { clock, turn, tries } = page({ fastMs: hourMs, answers: ['answered', 'lost'] })
    await turn(undefined, 'open')
    clock.doubt()
    expect(await turn('ended', 'open')).toBe(false)
    expect(await turn('open', 'open')).toBe(true)
    expect(clock.now()).toBe(startsAt)
    expect(tries()).toBe(2)
  })

  it('does not ask about a sale that the pointer itself calls ended', async () => {
    const { turn, wait } = page({ fastMs: 0, answers: ['lost'] })
    await turn(undefined, 'ended')
    wait(60_000)
    expect(await turn('ended', 'ended')).toBe(false)
  })
})
