/** Does one step, with whatever befalls it. */
import type { Actor } from './actor.ts'
import type { Agenda, Work } from './agenda.ts'
import type { VirtualClock } from './clock.ts'
import type { Diary } from './diary.ts'
import type { Dice } from './dice.ts'
import { attempt, briefly, canMeet, type Operation, type Outcome } from './operation.ts'
import { drawFault, type Fault, type Weather } from './weather.ts'

export type StepPorts = {
  agenda: Agenda
  clock: VirtualClock<Actor>
  diary: Diary
  dice: Dice
  weather: Weather
  /** Does something for nobody, after a while. */
  doLater: (work: Work, afterMs: number) => void
  kill: (actor: Actor) => void
}

/** Longest time after which something is done that was given up, ms. */
const latestMs = 20_000

/** How often an invocation stands still where that is delicate. */
const delicateRate = 0.25

/** How often something goes wrong that is seldom done. */
const rareRate = 0.35

/** `settle` hands the outcome to the caller; a caller that was killed never hears of it. */
export async function takeStep<T>(
  ports: StepPorts,
  actor: Actor,
  operation: Operation<T>,
  settle: (outcome: Outcome<T>) => void,
): Promise<void> {
  const { agenda, clock, diary, dice, doLater } = ports
  const { part, about, run, busy } = operation
  const name = `${part} ${operation.name}`
  const label = about === undefined || about === '' ? name : `${name} ${about}`
  const write = (outcome: Outcome<unknown>, fault?: string) =>
    diary.write(actor.name, `${label} → ${briefly(outcome)}${fault === undefined ? '' : `  [${fault}]`}`)
  const answer = (outcome: Outcome<T>, fault?: string) => {
    write(outcome, fault)
    settle(outcome)
  }
  const refuse = (why: string) => attempt(() => operation.unanswered(why))

  diary.counts(name)
  const fault = befalling(ports, actor, operation)
  if (fault !== undefined) diary.strikes(name, fault)
  switch (fault) {
    case 'unavailable':
      return answer(await refuse(`${part} is unavailable`), fault)
    case 'busy':
      return answer(await attempt(busy ?? run), fault)
    case 'refused':
      return answer(await refuse('the connection was refused'), fault)
    case 'reply lost':
      write(await attempt(run), fault)
      return settle(await refuse('the reply was lost'))
    case 'twice': {
      const replies = [await attempt(run), await attempt(run)]
      return answer(dice.pick(replies), fault)
    }
    case 'late':
      answer(await refuse('no answer in time'), fault)
      return doLater({ name: label, run }, dice.spread(50, latestMs))
    case 'delayed': {
      const readyAt = clock.now() + dice.spread(10, 3000)
      diary.write(actor.name, `${label}  [${fault}]`)
      return agenda.enter({ actor, readyAt, work: { name, run }, go: async () => answer(await attempt(run)) })
    }
    case 'frozen': {
      const outcome = await attempt(run)
      const forMs = freezingMs(dice, operation.delicate ?? false)
      actor.frozenUntil = clock.now() + forMs
      write(outcome, `${fault} ${forMs} ms`)
      return agenda.enter({ actor, readyAt: actor.frozenUntil, go: async () => settle(outcome) })
    }
    case 'killed before':
      diary.write(actor.name, `${label}  [${fault}]`)
      return die(ports, actor)
    case 'killed after':
      write(await attempt(run), fault)
      return die(ports, actor)
    default:
      return answer(await attempt(run))
  }
}

/** What the whole part suffers from comes before what chance has for the step. */
function befalling(
  { weather, dice }: StepPorts,
  actor: Actor,
  operation: Operation<unknown>,
): Fault | undefined {
  if (weather.unavailable.has(operation.part)) return 'unavailable'
  if (weather.transactions !== undefined && operation.busy !== undefined) return weather.transactions
  const isDelicate = operation.delicate === true && actor.mortal && weather.rate > 0
  if (isDelicate && dice.chance(delicateRate)) return 'frozen'
  const isRare = operation.rare === true && weather.rate > 0
  const rate = isRare ? Math.max(rareRate, weather.rate) : weather.rate
  return drawFault({ ...weather, rate }, dice, (kind) => canMeet(kind, actor, operation))
}

/** How long an invocation stands still: often long enough for a lock to run out meanwhile. */
function freezingMs(dice: Dice, isDelicate: boolean): number {
  return isDelicate || dice.chance(0.3) ? dice.whole(9000, 25_000) : dice.spread(100, 9000)
}

/** Of what an invocation asks for at the same time, some is on its way when it dies. */
function die({ agenda, dice, doLater, kill }: StepPorts, actor: Actor): void {
  for (const { work } of agenda.waitingFor(actor)) {
    if (work !== undefined && dice.chance(0.5)) doLater(work, dice.spread(1, 2000))
  }
  kill(actor)
}
