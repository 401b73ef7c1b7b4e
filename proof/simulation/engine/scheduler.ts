/**
 * Schedules steps, delayed results and alarms in virtual time; the seed decides the order. Actors are people and
 * schedules, which last for the whole run, and invocations, which can be killed at any step.
 */

import { AsyncLocalStorage } from 'node:async_hooks'
import type { FaultProfile } from './faults.ts'
import type { Random } from './random.ts'

/** `work` is the operation that `go` runs for its actor; absent when `go` only delivers a result. */
export type ScheduledStep = { actor: SimulatedActor; readyAt: number; work?: Work; go: () => Promise<void> }

export type Work = { name: string; run: () => Promise<unknown> }

/** Maximum duration of a step, ms. */
const stepMs = 4

export type Scheduler = ReturnType<typeof openScheduler>

/** `overtaken` is called with the name of each step that runs before an earlier one. */
export function openScheduler(
  clock: VirtualClock<SimulatedActor>,
  random: Random,
  profile: FaultProfile,
  overtaken: (name: string) => void,
) {
  const steps: ScheduledStep[] = []

  /** Advances the clock to the next step or alarm. */
  const advanceClock = () => {
    const times = [
      ...steps.map(({ readyAt, actor }) => Math.max(readyAt, actor.frozenUntil)),
      ...clock.all().map(({ at, owner }) => Math.max(at, owner.frozenUntil)),
    ]
    if (times.length === 0) throw new Error('deadlock: all actors wait and nothing is scheduled')
    clock.advance(Math.max(0, Math.min(...times) - clock.now()))
  }

  return {
    /** Ignores steps of killed actors. */
    add(step: ScheduledStep): void {
      if (step.actor.isAlive) steps.push(step)
    },
    waitingFor: (actor: SimulatedActor) => steps.filter((step) => step.actor === actor),
    /** Removes all steps and alarms of `actor`. */
    removeAllOf(actor: SimulatedActor): void {
      for (const step of steps.filter((one) => one.actor === actor)) steps.splice(steps.indexOf(step), 1)
      for (const alarm of clock.all().filter(({ owner }) => owner === actor)) clock.clear(alarm)
    },
    /** Runs the next step or alarm, or advances the clock to it; alarms are called through `ring`. */
    async next(ring: (owner: SimulatedActor, alarm: () => void) => void): Promise<void> {
      const now = clock.now()
      const alarms = clock.due().filter(({ owner }) => owner.frozenUntil <= now)
      const ready = steps.filter(({ readyAt, actor }) => readyAt <= now && actor.frozenUntil <= now)
      const choices = alarms.length + ready.length
      if (choices === 0) return advanceClock()
      const chosen = choices > 1 && random.chance(profile.overtaking) ? random.whole(0, choices - 1) : 0
      const alarm = alarms[chosen]
      if (alarm !== undefined) {
        clock.clear(alarm)
        return ring(alarm.owner, alarm.ring)
      }
      const step = ready[chosen - alarms.length]
      if (step === undefined) throw new RangeError('the chosen step does not exist')
      if (step !== ready[0] && step.work !== undefined) overtaken(step.work.name)
      steps.splice(steps.indexOf(step), 1)
      clock.advance(random.whole(0, stepMs))
      await step.go()
    },
  }
}

/** Virtual time, which only the simulation advances. All times are epoch ms. */
export type Alarm<Owner> = { at: number; owner: Owner; ring: () => void }

export type VirtualClock<Owner> = ReturnType<typeof virtualClock<Owner>>

export function virtualClock<Owner>(start: number) {
  let now = start
  // By time, and by the order of setting where times are equal.
  const alarms: Alarm<Owner>[] = []
  return {
    // A real clock shows whole milliseconds.
    now: () => Math.floor(now),
    advance: (milliseconds: number) => {
      now += milliseconds
    },
    set: (alarm: Alarm<Owner>) => {
      let at = alarms.length
      while (at > 0 && (alarms[at - 1]?.at ?? 0) > alarm.at) at -= 1
      alarms.splice(at, 0, alarm)
    },
    clear: (alarm: Alarm<Owner>) => {
      const at = alarms.indexOf(alarm)
      if (at !== -1) alarms.splice(at, 1)
    },
    /** Alarms that are due, the earliest first. */
    due: (): readonly Alarm<Owner>[] => {
      const end = alarms.findIndex(({ at }) => at > now)
      return end === -1 ? [...alarms] : alarms.slice(0, end)
    },
    all: (): readonly Alarm<Owner>[] => [...alarms],
  }
}

/** A frozen invocation takes no step before `frozenUntil`. `onKilled` tells the waiting caller that it was killed. */
export type SimulatedActor = {
  name: string
  canBeKilled: boolean
  isAlive: boolean
  frozenUntil: number
  onKilled: () => void
}

export function permanentActor(name: string): SimulatedActor {
  return { name, canBeKilled: false, isAlive: true, frozenUntil: 0, onKilled: () => undefined }
}

export function invocationActor(name: string, onKilled: () => void): SimulatedActor {
  return { name, canBeKilled: true, isAlive: true, frozenUntil: 0, onKilled }
}

/** The current actor across promises and timers, so that a port knows which actor called it. */
export const actorStorage = new AsyncLocalStorage<SimulatedActor>()
