/** How people and bots behave during one sale. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sessionHeaders } from '../../../cli/control-client.ts'
import type { Answered, Fleet } from '../../bench/fleet/fleet.ts'
import type { Bot, Person } from './population.ts'

/** One sale as all clients see it. `startToken` is undefined until the start is published; times are epoch ms. */
export type SwarmSale = {
  fleet: Fleet
  origin: string
  saleId: string
  hasChallenge: boolean
  startsAt: number
  endsAt: number
  startToken: () => string | undefined
  random: () => number
  onAnswer: (who: Person | Bot, answer: Answered) => void
}

/** A person's page waits ten seconds after a request (C7); a bot sends a hundred times as many. */
const restMs = 10_000
const botEveryMs = restMs / 100

/** The button is enabled within half a second of the start; then comes the person's reaction time. */
const jitterMs = 500
const reactionMs = { least: 150, more: 650 }

/** Solving starts at a random moment of this period, which ends shortly before the start. */
const solveAheadMs = 15_000
const solvedByMs = 2000

const final = new Set(['sold-out', 'ended', 'limit-reached'])

/**
 * A person sends requests as the page allows: once, then after ten seconds or the requested wait,
 * until the sale is over.
 */
export async function personClient(stage: SwarmSale, who: Person): Promise<void> {
  const { startsAt, endsAt, random, hasChallenge } = stage
  let challenge = hasChallenge ? solveAhead(stage, who) : undefined
  await sleepUntil(startsAt)
  while (stage.startToken() === undefined && Date.now() < endsAt) await sleep(20)
  await sleep(random() * jitterMs + reactionMs.least + random() * reactionMs.more)
  while (Date.now() < endsAt) {
    const startToken = stage.startToken() ?? ''
    const answer = await buy(stage, who, { startToken, challenge: await challenge })
    stage.onAnswer(who, answer)
    if (isWin(answer) || final.has(answer.code)) return
    // A solution is used once the turn has come, so the page keeps it until then.
    if (hasChallenge && answer.code !== 'not-your-turn') {
      challenge = solvedChallenge(stage.fleet, stage.origin, stage.saleId, who)
    }
    const waitMs = secondsToWait(answer) * 1000
    await sleep(answer.code === 'not-your-turn' ? waitMs : Math.max(restMs, waitMs))
  }
}

async function solveAhead(stage: SwarmSale, who: Person): Promise<string | undefined> {
  const { startsAt, random, fleet, origin, saleId } = stage
  await sleepUntil(startsAt - solvedByMs - random() * solveAheadMs)
  return solvedChallenge(fleet, origin, saleId, who)
}

/** The state that the bots of one machine share. */
export type Machine = { solve: (who: Bot) => Promise<string | undefined>; replayed: string | undefined }

/** A bot sends requests without a pause from before the start to the end, for any answers. */
export async function botClient(stage: SwarmSale, who: Bot, machine: Machine): Promise<void> {
  const { startsAt, endsAt, random, hasChallenge } = stage
  await sleep(random() * botEveryMs)
  let solving: Promise<string | undefined> | undefined
  let solved: string | undefined
  let spent = false
  while (Date.now() < endsAt) {
    if (hasChallenge && who.solves && solved === undefined && solving === undefined && mayStillWin(who, spent)) {
      solving = machine.solve(who).then((payload) => {
        solved = payload
        solving = undefined
        machine.replayed ??= payload
        return payload
      })
    }
    const startToken = stage.startToken() ?? randomBytes(32).toString('base64url')
    const challenge = who.kind === 'replay' ? machine.replayed : solved
    const answer = await buy(stage, who, { startToken, challenge })
    stage.onAnswer(who, answer)
    if (isWin(answer)) return
    if (answer.code === 'challenge-failed' && who.kind !== 'replay') solved = undefined
    spent ||= Date.now() >= startsAt + restMs
    await sleep(botEveryMs * (0.5 + random()))
  }
}

/** A machine stops solving for bots that have had a solution. */
const mayStillWin = ({ kind }: Bot, spent: boolean) => !spent && kind !== 'forged'

type Purchase = { startToken: string; challenge: string | undefined }

function buy(stage: SwarmSale, who: Person | Bot, { startToken, challenge }: Purchase): Promise<Answered> {
  const saleId =
    'kind' in who && who.kind === 'random-sales' ? `guess-${stage.random().toString(36).slice(2)}` : stage.saleId
  return stage.fleet.send({
    method: 'POST',
    uri: `/api/sales/${saleId}/orders`,
    headers: {
      ...sessionHeaders(who),
      'content-type': 'application/json',
      'idempotency-key': `${who.shopperId}-${stage.random().toString(36).slice(2)}`,
      origin: stage.origin,
    },
    body: JSON.stringify({ quantity: 1, startToken, ...(challenge === undefined ? {} : { challenge }) }),
    address: who.address,
  })
}

export const isWin = ({ code }: Answered) => code === 'reserved' || code === 'repeat'

function secondsToWait({ body }: Answered): number {
  return Number(/"retryAfterSeconds":(\d+)/.exec(body)?.[1] ?? 0)
}

async function sleepUntil(time: number): Promise<void> {
  await sleep(Math.max(0, time - Date.now()))
}

type Client = { token: string; address: string }

/**
 * A challenge as clients fetch and solve it: a real proof of work, which the system under test makes cheap. The answer is
 * a solved challenge as the page would send it, or undefined when none was given.
 */
export async function solvedChallenge(
  fleet: Fleet,
  origin: string,
  saleId: string,
  { token, address }: Client,
): Promise<string | undefined> {
  const answer = await fleet.send({
    method: 'POST',
    uri: `/api/sales/${saleId}/challenge`,
    headers: { authorization: `Bearer ${token}`, origin },
    body: '',
    address,
  })
  if (answer.status !== 200) return undefined
  const challenge: Challenge = JSON.parse(answer.body)
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) return undefined
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

/** The time a machine needs for a challenge of the usual cost, ms, spread over its cores. */
const machineMsPerChallenge = 125

/** The solver of one machine: it solves its bots' challenges one after the other. */
export function machineQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(async () => {
      await sleep(machineMsPerChallenge)
      return work()
    })
    last = turn.catch(() => undefined)
    return turn
  }
}
