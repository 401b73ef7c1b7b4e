/**
 * Runs many actors in one process, one step at a time. The order and the faults follow from a seed alone. A step is one
 * call of a port: it waits here until it is chosen, does all of its real work while everything else is paused, and then
 * its caller continues until its next step.
 */

import type { FaultProfile } from './faults.ts'
import type { Random } from './random.ts'
import {
  type Alarm,
  actorStorage,
  invocationActor,
  openScheduler,
  permanentActor,
  type SimulatedActor,
  virtualClock,
  type Work,
} from './scheduler.ts'
import { outcomeSummary, type StepOperation, type StepOutcome, takeStep, tryStep } from './take-step.ts'
import { openTrace } from './trace.ts'

/** `died`: no answer arrived, and it is unknown what was done. `failed`: it threw an error. */
export type Invoked<T> = { kind: 'answered'; value: T } | { kind: 'failed'; error: unknown } | { kind: 'died' }

export type Simulation = ReturnType<typeof openSimulation>

type Core = ReturnType<typeof openCore>

/** Waits in real time until every runnable actor has continued. */
const letActorsRun = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Far more than any sale takes; stops endless loops. */
const maxTurns = 100_000

export function openSimulation(random: Random, profile: FaultProfile, start: number) {
  const core = openCore(random, profile, start)
  const { clock, trace, scheduler, background, who, setAlarm, runExclusively } = core
  let working = 0

  const serve = (name: string, work: () => Promise<void>): void => {
    actorStorage.run(permanentActor(name), work).catch(core.fail)
  }

  return {
    random,
    profile,
    trace,
    now: clock.now,
    perform: core.perform,

    /** Runs real work of checks and incidents without faults, while everything else is paused. */
    runExclusively,

    sleep: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => void setAlarm(milliseconds, who(), resolve)),

    /** Calls `ring` after a delay, outside of any particular actor. */
    alarm: (milliseconds: number, ring: () => void): void => void setAlarm(milliseconds, background, ring),

    /**
     * Calls `task` at this interval, as the calling actor, until the returned function is called.
     */
    every: (milliseconds: number, task: () => void) => repeat(core, milliseconds, task),

    /**
     * Starts work that lasts for the whole run. An error in it ends the run, because no caller
     * would see it.
     */
    serve,

    /** Starts work that ends by itself. */
    spawn(name: string, work: () => Promise<void>): void {
      working += 1
      serve(name, async () => {
        await work()
        working -= 1
      })
    },

    /** Runs one invocation of a function; kills it after `limitMs`. */
    invoke: <T>(name: string, limitMs: number, work: () => Promise<T>) => invoke(core, name, limitMs, work),

    /** Returns the number of spawned actors that are not done, and of delayed steps. */
    unfinished: () => ({ people: working, steps: scheduler.waitingFor(background).length }),

    /**
     * Runs steps until `main` is done.
     * @throws the error of `main`, or an unhandled error of any other actor
     */
    run: <T>(main: () => Promise<T>) => runUntilDone(core, random, main),
  }
}

/** Opens the clock, the scheduler and the trace, with the operations of actors. */
function openCore(random: Random, profile: FaultProfile, start: number) {
  const clock = virtualClock<SimulatedActor>(start)
  const trace = openTrace(clock.now)
  const scheduler = openScheduler(clock, random, profile, (name) => trace.countFault(name, 'overtaken'))
  /** Runs work that no caller waits for. */
  const background = permanentActor('background')
  let failure: { error: unknown } | undefined

  const who = (): SimulatedActor => {
    const actor = actorStorage.getStore()
    if (actor === undefined) throw new Error('a port was called outside of any actor')
    return actor
  }

  const setAlarm = (milliseconds: number, owner: SimulatedActor, ring: () => void): Alarm<SimulatedActor> => {
    const alarm = { at: clock.now() + Math.max(0, milliseconds), owner, ring }
    if (owner.isAlive) clock.set(alarm)
    return alarm
  }

  /** Schedules work whose caller was killed or has stopped waiting. */
  const doLater = (work: Work, afterMs: number) => {
    const go = async () => trace.write('(late)', `${work.name} → ${outcomeSummary(await tryStep(work.run))}`)
    scheduler.add({ actor: background, readyAt: clock.now() + afterMs, work, go })
  }

  const kill = (actor: SimulatedActor) => {
    actor.isAlive = false
    scheduler.removeAllOf(actor)
    actor.onKilled()
  }

  const context = { scheduler, clock, trace, random, profile, doLater, kill }

  const perform = <T>(operation: StepOperation<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const settle = (outcome: StepOutcome<T>) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.value))
      const actor = who()
      const work = { name: `${operation.part} ${operation.name}`, run: operation.run }
      const go = () => takeStep(context, actor, operation, settle)
      scheduler.add({ actor, readyAt: clock.now(), work, go })
    })

  const runExclusively = <T>(run: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      scheduler.add({ actor: who(), readyAt: clock.now(), go: () => run().then(resolve, reject) })
    })

  return {
    clock,
    trace,
    scheduler,
    background,
    who,
    setAlarm,
    kill,
    perform,
    runExclusively,
    /** Ends the run with the first of these errors. */
    fail: (error: unknown): void => {
      failure ??= { error }
    },
    failure: () => failure,
  }
}

function repeat({ clock, who, setAlarm }: Core, milliseconds: number, task: () => void): () => void {
  const owner = who()
  let alarm: Alarm<SimulatedActor>
  const again = () => {
    alarm = setAlarm(milliseconds, owner, () => {
      again()
      task()
    })
  }
  again()
  return () => clock.clear(alarm)
}

function invoke<T>(
  { clock, trace, background, setAlarm, kill }: Core,
  name: string,
  limitMs: number,
  work: () => Promise<T>,
): Promise<Invoked<T>> {
  return new Promise((resolve) => {
    const end = (outcome: Invoked<T>) => {
      clock.clear(limit)
      actor.isAlive = false
      resolve(outcome)
    }
    const actor = invocationActor(name, () => end({ kind: 'died' }))
    const limit = setAlarm(limitMs, background, () => {
      trace.write(name, '[timed out]')
      kill(actor)
    })
    actorStorage.run(actor, work).then(
      (value) => end({ kind: 'answered', value }),
      (error: unknown) => end({ kind: 'failed', error }),
    )
  })
}

async function runUntilDone<T>(
  { clock, scheduler, setAlarm, runExclusively, failure }: Core,
  random: Random,
  main: () => Promise<T>,
): Promise<T> {
  const restoreTimers = replaceTimers((milliseconds, owner, ring) => {
    const alarm = setAlarm(milliseconds, owner, ring)
    return () => clock.clear(alarm)
  })
  const restoreRandom = replaceMathRandom(random.fraction)
  const restoreSubtle = replaceSubtle(runExclusively)
  try {
    let result: StepOutcome<T> | undefined
    actorStorage.run(permanentActor('main'), () =>
      tryStep(main).then((outcome) => {
        result = outcome
      }),
    )
    await letActorsRun()
    for (let turns = 0; result === undefined; turns += 1) {
      const failed = failure()
      if (failed !== undefined) throw failed.error
      if (turns === maxTurns) throw new Error(`not done after ${maxTurns} turns`)
      await scheduler.next((owner, ring) => actorStorage.run(owner, ring))
      await letActorsRun()
    }
    if ('error' in result) throw result.error
    return result.value
  } finally {
    restoreSubtle()
    restoreRandom()
    restoreTimers()
  }
}

/**
 * Replaces `Math.random` inside the simulation by `draw` until the returned function is called. Code outside keeps the
 * real one.
 */
function replaceMathRandom(draw: () => number): () => void {
  const { random } = Math
  Math.random = () => (actorStorage.getStore() === undefined ? random() : draw())
  return () => {
    Math.random = random
  }
}

/**
 * Timers and Web Crypto follow virtual time inside the simulation. Web Crypto completes on another thread, at a time
 * that no seed repeats. Code outside keeps the real ones.
 */
type SetAlarm = (milliseconds: number, owner: SimulatedActor, ring: () => void) => () => void

class VirtualTimer {
  readonly stop: () => void
  constructor(stop: () => void) {
    this.stop = stop
  }
}

/** Replaces the platform's timers by virtual ones until the returned function is called. */
function replaceTimers(set: SetAlarm): () => void {
  const { setTimeout, clearTimeout } = globalThis
  const replaced = (run: () => void, milliseconds = 0) => {
    const actor = actorStorage.getStore()
    return actor === undefined ? setTimeout(run, milliseconds) : new VirtualTimer(set(milliseconds, actor, run))
  }
  const clear = (timer: unknown) => {
    if (timer instanceof VirtualTimer) timer.stop()
    else clearTimeout(timer as NodeJS.Timeout)
  }
  Object.assign(globalThis, { setTimeout: replaced, clearTimeout: clear })
  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout })
  }
}

/** Each of these calls runs while everything else is paused. */
const names = ['digest', 'sign', 'verify', 'importKey', 'exportKey'] as const

/** Replaces the functions of Web Crypto until the returned function is called; `runExclusively` does the real work. */
function replaceSubtle(runExclusively: (run: () => Promise<unknown>) => Promise<unknown>): () => void {
  const { subtle } = globalThis.crypto
  for (const name of names) {
    const real = (subtle[name] as (...args: unknown[]) => Promise<unknown>).bind(subtle)
    const value = (...args: unknown[]) =>
      actorStorage.getStore() === undefined ? real(...args) : runExclusively(() => real(...args))
    Object.defineProperty(subtle, name, { value, configurable: true })
  }
  return () => {
    for (const name of names) Reflect.deleteProperty(subtle, name)
  }
}

/**
 * The execution environments of one function: an invocation gets an idle one or a new one. The memory of an environment
 * lasts until an invocation is killed in it.
 */
export type Environments<Ports> = { run: <T>(work: (ports: Ports) => Promise<T>) => Promise<Invoked<T>> }

/** Opens the environments; `build` creates a new one, and `limitMs` is the function's timeout. */
export function openEnvironments<Ports>(
  { invoke, trace }: Simulation,
  name: string,
  limitMs: number,
  build: () => Ports,
): Environments<Ports> {
  const idle: Ports[] = []
  let invocations = 0
  return {
    async run(work) {
      invocations += 1
      const id = `${name}-${invocations}`
      const environment = idle.pop() ?? build()
      const outcome = await invoke(id, limitMs, () => work(environment))
      if (outcome.kind !== 'died') idle.push(environment)
      if (outcome.kind === 'failed') trace.write(id, `threw ${String(outcome.error)}`)
      return outcome
    },
  }
}
