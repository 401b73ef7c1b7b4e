/**
 * Runs actors in every order in which their calls of ports can happen. A call waits until the schedule lets it go, then takes
 * effect and is answered at once: what an actor does between two calls is its own, so no other order of events makes a
 * difference.
 *
 * The number of schedules explodes, so two things bound it. A schedule preempts an actor that could continue at
 * most `preemptions` times; an actor that waits or has finished does not count. And a schedule that reaches a state
 * that was seen ends there. A state is the content of the stores and the replies to each actor so far, because an actor does
 * the same after the same replies.
 */

type Call = { actor: number; name: string; isReady: () => boolean; go: () => void }

type Actor = { answers: string; hasEnded: boolean }

export type Schedule = {
  /** `call` as the actor makes it: it happens when the schedule lets it, and not before `isReady`. */
  gated: <Args extends unknown[], Result>(
    actor: number,
    name: string,
    call: (...args: Args) => Promise<Result>,
    isReady?: (...args: Args) => boolean,
  ) => (...args: Args) => Promise<Result>
  /** Runs `work` as a whole; its replies make no difference afterwards. */
  forgetting: (actor: number, name: string, work: () => Promise<void>) => Promise<void>
  /** The actor stops here, like a killed process: nothing more that it would do happens. */
  crash: (actor: number) => Promise<never>
  /** Lets the actor begin. */
  begin: (actor: number, work: () => Promise<unknown>) => void
}

/**
 * One world for a schedule. `stores` is the content of its stores as text, as far as an actor can read it. `settled`
 * resolves once its stores have answered every request; without it they answer at once.
 */
export type Played = {
  stores: () => Promise<string>
  atEnd: (path: readonly string[]) => Promise<void>
  settled?: () => Promise<void>
}

export type Explored = { states: number; schedules: number; ends: number }

/** Maximum calls in one schedule; more are an endless loop. */
const maxCalls = 500

/** Turns of the microtask queue from one call of an actor to its next, at most. */
const maxTurns = 2000

/**
 * Runs all schedules within the bound. `open` creates the same world each time. `atEnd` is called once for every state of the
 * stores in which all actors have finished. Throws when an actor waits for something that no call causes.
 */
export async function explore(preemptions: number, open: (schedule: Schedule) => Promise<Played>): Promise<Explored> {
  const seen = new Map<string, number>()
  const ends = new Set<string>()
  const prefixes: number[][] = [[]]
  let schedules = 0
  for (let prefix = prefixes.pop(); prefix !== undefined; prefix = prefixes.pop()) {
    schedules += 1
    const waiting: Call[] = []
    const actors: Actor[] = []
    const played = await open(scheduleOf(waiting, actors))
    const choices: number[] = []
    const path: string[] = []
    // Any actor may begin.
    let last = -1
    let left = preemptions
    for (;;) {
      await untilAllWait(waiting, actors, played.settled)
      const options = optionsOf(waiting, last, left)
      if (choices.length >= prefix.length) {
        const stores = await played.stores()
        if (waiting.length === 0) {
          if (!ends.has(stores)) await played.atEnd(path)
          ends.add(stores)
          break
        }
        const state = [last, stores, ...actors.map(({ answers }) => answers)].join('\n')
        if ((seen.get(state) ?? -1) >= left) break
        seen.set(state, left)
        for (let other = 1; other < options.length; other += 1) prefixes.push([...choices, other])
      }
      const choice = prefix[choices.length] ?? 0
      const next = options[choice]
      if (next === undefined || choices.length === maxCalls) throw new Error(`no end to ${path.join(', ')}`)
      if (next.actor !== last && options[0]?.actor === last) left -= 1
      last = next.actor
      choices.push(choice)
      path.push(`${next.actor} ${next.name}`)
      waiting.splice(waiting.indexOf(next), 1)
      next.go()
    }
  }
  return { states: seen.size, schedules, ends: ends.size }
}

/** The calls that may happen next: one for each actor, first that of the current actor. */
function optionsOf(waiting: readonly Call[], last: number, left: number): Call[] {
  const ready = waiting.filter(({ isReady }) => isReady())
  const own = ready.find(({ actor }) => actor === last)
  if (own !== undefined && left === 0) return [own]
  const others = new Map(ready.toReversed().map((call) => [call.actor, call]))
  others.delete(last)
  return own === undefined ? [...others.values()] : [own, ...others.values()]
}

function scheduleOf(waiting: Call[], actors: Actor[]): Schedule {
  const actorAt = (at: number) => {
    const actor = actors[at]
    if (actor === undefined) throw new Error(`actor ${at} has not begun`)
    return actor
  }
  return {
    gated:
      (actor, name, call, isReady) =>
      async (...args) => {
        await new Promise<void>((go) => {
          waiting.push({ actor, name, go, isReady: () => isReady?.(...args) ?? true })
        })
        const result = await call(...args)
        actorAt(actor).answers += `;${name} ${JSON.stringify(result)}`
        return result
      },
    async forgetting(actor, name, work) {
      const { answers } = actorAt(actor)
      await work()
      actorAt(actor).answers = `${answers};${name}`
    },
    crash(at) {
      const actor = actorAt(at)
      actor.answers += ';crashed'
      actor.hasEnded = true
      return new Promise(() => undefined)
    },
    begin(at, work) {
      const actor = { answers: '', hasEnded: false }
      actors[at] = actor
      const end = (outcome: unknown) => {
        actor.answers += `;ended ${JSON.stringify(outcome)}`
        actor.hasEnded = true
      }
      work().then(end, (error) => end(String(error)))
    },
  }
}

async function untilAllWait(
  waiting: readonly Call[],
  actors: readonly Actor[],
  settled: (() => Promise<void>) | undefined,
): Promise<void> {
  for (let turns = 0; turns < maxTurns; turns += 1) {
    const isBusy = ({ hasEnded }: Actor, at: number) => !hasEnded && !waiting.some(({ actor }) => actor === at)
    if (!actors.some(isBusy)) return
    if (turns === maxTurns / 2) await settled?.()
    await undefined
  }
  throw new Error('an actor waits for something that is not scheduled')
}
