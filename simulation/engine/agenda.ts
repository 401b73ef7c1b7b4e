/** What waits for its turn: steps, results on their way back, and alarms. Whose turn it is, chance decides. */
import type { Actor } from './actor.ts'
import type { VirtualClock } from './clock.ts'
import type { Dice } from './dice.ts'
import type { Weather } from './weather.ts'

/** `work` is what `go` does for its actor, by itself; where only a result is handed over there is none. */
export type Entry = { actor: Actor; readyAt: number; work?: Work; go: () => Promise<void> }

export type Work = { name: string; run: () => Promise<unknown> }

/** Longest a step takes, ms. */
const stepMs = 4

export type Agenda = ReturnType<typeof openAgenda>

/** `overtaken` hears of steps that are taken before one that was there earlier. */
export function openAgenda(
  clock: VirtualClock<Actor>,
  dice: Dice,
  weather: Weather,
  overtaken: (name: string) => void,
) {
  const entries: Entry[] = []

  /** Time goes on to the next moment at which anything can happen. */
  const passTime = () => {
    const times = [
      ...entries.map(({ readyAt, actor }) => Math.max(readyAt, actor.frozenUntil)),
      ...clock.all().map(({ at, owner }) => Math.max(at, owner.frozenUntil)),
    ]
    if (times.length === 0) throw new Error('everybody waits for something that will never come')
    clock.advance(Math.max(0, Math.min(...times) - clock.now()))
  }

  return {
    /** The dead wait for nothing. */
    enter(entry: Entry): void {
      if (entry.actor.alive) entries.push(entry)
    },
    waitingFor: (actor: Actor) => entries.filter((entry) => entry.actor === actor),
    /** Takes everything away that waits for `actor`. */
    dismiss(actor: Actor): void {
      for (const entry of entries.filter((one) => one.actor === actor))
        entries.splice(entries.indexOf(entry), 1)
      for (const alarm of clock.all().filter(({ owner }) => owner === actor)) clock.clear(alarm)
    },
    /** Does the next thing, or lets time pass until there is one; alarms ring through `ring`. */
    async next(ring: (owner: Actor, alarm: () => void) => void): Promise<void> {
      const now = clock.now()
      const alarms = clock.due().filter(({ owner }) => owner.frozenUntil <= now)
      const ready = entries.filter(({ readyAt, actor }) => readyAt <= now && actor.frozenUntil <= now)
      const choices = alarms.length + ready.length
      if (choices === 0) return passTime()
      const chosen = choices > 1 && dice.chance(weather.overtaking) ? dice.whole(0, choices - 1) : 0
      const alarm = alarms[chosen]
      if (alarm !== undefined) {
        clock.clear(alarm)
        return ring(alarm.owner, alarm.ring)
      }
      const entry = ready[chosen - alarms.length]
      if (entry === undefined) throw new RangeError('a choice that is none')
      if (entry !== ready[0] && entry.work !== undefined) overtaken(entry.work.name)
      entries.splice(entries.indexOf(entry), 1)
      clock.advance(dice.whole(0, stepMs))
      await entry.go()
    },
  }
}
