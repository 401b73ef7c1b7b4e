/**
 * Runs many actors in one process, one step at a time, in an order and with faults that follow from a seed alone. A
 * step is one call of a port: it waits here until it is chosen, does all of its real work while everything else
 * stands still, and then its caller goes on until it waits for its next step.
 */
import { type Actor, acting, invocation, person } from './actor.ts'
import { openAgenda, type Work } from './agenda.ts'
import { seededChance } from './chance.ts'
import { type Alarm, virtualClock } from './clock.ts'
import { openDiary } from './diary.ts'
import type { Dice } from './dice.ts'
import { attempt, briefly, type Operation, type Outcome } from './operation.ts'
import { takeStep } from './take-step.ts'
import { virtualTimers } from './timers.ts'
import type { Weather } from './weather.ts'

/** `died`: no answer ever came, and whether anything was done is unknown. `failed`: it threw. */
export type Invoked<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'failed'; error: unknown }
  | { kind: 'died' }

export type Simulation = ReturnType<typeof openSimulation>

/** Real time between two steps: everything that can go on has gone on when it is over. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Far more than any sale takes: whoever runs in circles shall be seen doing so. */
const maxTurns = 100_000

export function openSimulation(dice: Dice, weather: Weather, start: number) {
  const clock = virtualClock<Actor>(start)
  const diary = openDiary(clock.now)
  const agenda = openAgenda(clock, dice, weather, (name) => diary.strikes(name, 'overtaken'))
  /** For whom things are done that nobody waits for. */
  const nobody = person('nobody')
  let working = 0
  let fallen: { error: unknown } | undefined

  const who = (): Actor => {
    const actor = acting.getStore()
    if (actor === undefined) throw new Error('a port was called by nobody the simulation knows')
    return actor
  }

  const setAlarm = (milliseconds: number, owner: Actor, ring: () => void): Alarm<Actor> => {
    const alarm = { at: clock.now() + Math.max(0, milliseconds), owner, ring }
    if (owner.alive) clock.set(alarm)
    return alarm
  }

  /** Done for nobody, when its caller is dead or has given it up. */
  const doLater = (work: Work, afterMs: number) => {
    const go = async () => diary.write('(late)', `${work.name} → ${briefly(await attempt(work.run))}`)
    agenda.enter({ actor: nobody, readyAt: clock.now() + afterMs, work, go })
  }

  const kill = (actor: Actor) => {
    actor.alive = false
    agenda.dismiss(actor)
    actor.died()
  }

  const stepPorts = { agenda, clock, diary, dice, weather, doLater, kill }

  const perform = <T>(operation: Operation<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome<T>) =>
        'error' in outcome ? reject(outcome.error) : resolve(outcome.value)
      const actor = who()
      const work = { name: `${operation.part} ${operation.name}`, run: operation.run }
      const go = () => takeStep(stepPorts, actor, operation, settle)
      agenda.enter({ actor, readyAt: clock.now(), work, go })
    })

  const serve = (name: string, work: () => Promise<void>): void => {
    acting.run(person(name), work).catch((error: unknown) => {
      fallen ??= { error }
    })
  }

  return {
    dice,
    weather,
    diary,
    now: clock.now,
    perform,

    /** Real work of those who check or break things: nothing befalls it, and everything else stands still. */
    aside: <T>(run: () => Promise<T>): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        agenda.enter({ actor: who(), readyAt: clock.now(), go: () => run().then(resolve, reject) })
      }),

    sleep: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void setAlarm(milliseconds, who(), resolve)),

    /** Calls `ring` after a while, for nobody in particular. */
    alarm: (milliseconds: number, ring: () => void): void => void setAlarm(milliseconds, nobody, ring),

    /** Runs `task` every so often for whoever calls, until the returned function is called. */
    every(milliseconds: number, task: () => void): () => void {
      const owner = who()
      let alarm: Alarm<Actor>
      const again = () => {
        alarm = setAlarm(milliseconds, owner, () => {
          again()
          task()
        })
      }
      again()
      return () => clock.clear(alarm)
    },

    /** Goes its own way for as long as the run lasts; what it throws ends the run, as nobody else would hear of it. */
    serve,

    /** The same for work that comes to an end. */
    spawn(name: string, work: () => Promise<void>): void {
      working += 1
      serve(name, async () => {
        await work()
        working -= 1
      })
    },

    /** One invocation of a function that is ended after `limitMs`, in the middle of whatever it does. */
    invoke: <T>(name: string, limitMs: number, work: () => Promise<T>): Promise<Invoked<T>> =>
      new Promise((resolve) => {
        const end = (outcome: Invoked<T>) => {
          clock.clear(limit)
          actor.alive = false
          resolve(outcome)
        }
        const actor = invocation(name, () => end({ kind: 'died' }))
        const limit = setAlarm(limitMs, nobody, () => {
          diary.write(name, '[out of time]')
          kill(actor)
        })
        acting.run(actor, work).then(
          (value) => end({ kind: 'answered', value }),
          (error: unknown) => end({ kind: 'failed', error }),
        )
      }),

    /** How many were spawned and are not done, and how many steps are late. */
    unfinished: () => ({ people: working, steps: agenda.waitingFor(nobody).length }),

    /** Takes steps until `main` is done. Throws what it throws, or what anybody threw to no listener. */
    async run<T>(main: () => Promise<T>): Promise<T> {
      const giveTimersBack = virtualTimers((milliseconds, owner, ring) => {
        const alarm = setAlarm(milliseconds, owner, ring)
        return () => clock.clear(alarm)
      })
      const giveChanceBack = seededChance(dice.fraction)
      try {
        let result: Outcome<T> | undefined
        acting.run(person('main'), () =>
          attempt(main).then((outcome) => {
            result = outcome
          }),
        )
        await turn()
        for (let turns = 0; result === undefined; turns += 1) {
          if (fallen !== undefined) throw fallen.error
          if (turns === maxTurns) throw new Error(`not done after ${maxTurns} turns`)
          await agenda.next((owner, ring) => acting.run(owner, ring))
          await turn()
        }
        if ('error' in result) throw result.error
        return result.value
      } finally {
        giveChanceBack()
        giveTimersBack()
      }
    },
  }
}
