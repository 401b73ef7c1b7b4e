/**
 * `npm run rush -- --swarm`: the same sale with each layer off and on, for people and bots. Measures the share of the
 * stock that people get, how many of them are rejected by mistake, and what the bots cost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlClient, fetchPass } from '../../../cli/control-client.ts'
import type { StartStep } from '../../../cli/progress.ts'
import { startStack } from '../../../local/stack.ts'
import { type Fleet, openFleet } from '../../bench/fleet/fleet.ts'
import { marketerOf, measuredStack } from '../../bench/own-system.ts'
import { seededRandom } from '../../bench/statistics.ts'
import { type Counters, openSystem, type System } from '../../bench/system.ts'
import { readStartToken, rushSale } from '../open-sale.ts'
import { botClient, type Machine, machineQueue, personClient, type SwarmSale, solvedChallenge } from './clients.ts'
import { gatherPopulation, type Population } from './population.ts'
import {
  type AnswerTally,
  allWins,
  openTally,
  reportSwarm,
  type Setup,
  type SetupResult,
  type SwarmResult,
  setupSettings,
  setups,
} from './report.ts'

export type SwarmOptions = { people: number; stock: number; seed: number; startStep: StartStep }

const instances = 30

/** How long before the start bots begin, and how long after it the sale is watched. */
const aheadMs = 50_000
const openMs = 15_000

/** Iterations of the proof of work: the minimum, because thousands of clients share one processor here. */
const challengeCost = 1

/** Runs every setup on a system of its own. */
export async function runSwarm(options: SwarmOptions): Promise<SwarmResult> {
  const stack = await startStack({ ...measuredStack, challengeCost })
  try {
    const system = await openSystem(stack.url)
    const control = await marketerOf(system)
    const signIn = { token: stack.token, pass: (token: string) => fetchPass(stack.url, token) }
    const played: SetupResult[] = []
    for (const [index, setup] of setups.entries()) {
      const population = await gatherPopulation(signIn, options.people, `s${index}`, options.startStep)
      const random = seededRandom(options.seed + index)
      const fleet = await openFleet(stack.edge, instances, random)
      played.push(await playScene({ system, control, fleet, random }, setup, population, options))
    }
    system.close()
    return reportSwarm(played, options)
  } finally {
    await stack.stop()
  }
}

type Ground = { system: System; control: ControlClient; fleet: Fleet; random: () => number }

async function playScene(
  { system, control, fleet, random }: Ground,
  setup: Setup,
  population: Population,
  { stock, startStep }: SwarmOptions,
): Promise<SetupResult> {
  const startsAt = Date.now() + aheadMs
  const saleId = `swarm-${startsAt.toString(36)}`
  const units = { stock, quantity: 1, limitPerShopper: 1 }
  await control.createSale({ body: { ...rushSale(saleId, startsAt, units), ...setupSettings(setup) } })
  await control.warm({ saleId })
  let startToken: string | undefined
  const tally = openTally()
  const stage: SwarmSale = {
    fleet,
    random,
    saleId,
    startsAt,
    endsAt: startsAt + openMs,
    origin: system.url,
    hasChallenge: setup.challenge,
    startToken: () => startToken,
    onAnswer: tally.note,
  }
  async function flip(): Promise<void> {
    await sleep(startsAt - Date.now())
    await control.start({ saleId })
    startToken = await readStartToken(system.url, saleId)
  }

  const stopTelling = tellProgress(setup, startsAt, tally, startStep)
  const before = await system.counters()
  const from = performance.now()
  await Promise.all([flip(), runCrowd(stage, population)])
  const seconds = (performance.now() - from) / 1000
  const after = await system.counters()
  stopTelling()
  const { booked } = await system.stockSnapshot(saleId)
  return { ...tally, setup, stock, booked, load: loadOf(before, after, tally, seconds) }
}

async function runCrowd(stage: SwarmSale, { people, bots }: Population): Promise<void> {
  const machines = new Map<number, Machine>()
  function machineOf(number: number): Machine {
    const known = machines.get(number)
    if (known !== undefined) return known
    const queue = machineQueue()
    const machine: Machine = {
      solve: (who) => queue(() => solvedChallenge(stage.fleet, stage.origin, stage.saleId, who)),
      replayed: undefined,
    }
    machines.set(number, machine)
    return machine
  }
  await Promise.all([
    ...people.map((who) => personClient(stage, who)),
    ...bots.map((who) => botClient(stage, who, machineOf(who.machine))),
  ])
}

function tellProgress({ name }: Setup, startsAt: number, tally: AnswerTally, startStep: StartStep): () => void {
  const step = startStep(name, Math.ceil((aheadMs + openMs) / 1000))
  const timer = setInterval(() => {
    const seconds = Math.floor((Date.now() - startsAt + aheadMs) / 1000)
    step.to(seconds, `requests of bots ${tally.requests.bots}, units of people ${tally.wins.people}`)
  }, 500)
  return () => {
    clearInterval(timer)
    step.end()
  }
}

function loadOf(before: Counters, after: Counters, tally: AnswerTally, seconds: number): SetupResult['load'] {
  const { people, bots, losing } = tally.requests
  const calls = (after.invocations.reserve ?? 0) - (before.invocations.reserve ?? 0)
  const perLosing = (count: number) => (losing === 0 ? 0 : count / losing)
  return {
    redisPerLosingRequest: perLosing(after.redisCommands - before.redisCommands),
    functionsPerLosingRequest: perLosing(Math.max(0, calls - allWins(tally))),
    answersPerSecond: (people + bots) / seconds,
  }
}
