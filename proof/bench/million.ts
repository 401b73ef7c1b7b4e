/**
 * A million losing clicks on a sale of a thousand units, through the pre-gate and many instances of the
 * gate: how many start a gate at all, their cost in Redis commands, function calls and processor time,
 * and whether exactly the stock is sold. `--shoppers` changes the crowd, and `--every-case` plays more than the three
 * usual cases.
 *
 * Time is virtual: the clock of the pre-gate, of its store and of the gates follows the clicks, so the
 * result does not depend on the speed of the machine. Everything behind the gates has the real time.
 */

import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { JWK } from 'jose'
import type { ControlClient } from '../../cli/control-client.ts'
import { newKey } from '../../cli/identity.ts'
import { parseShopperId } from '../../core/ids.ts'
import { type Config, configHeader, encodeConfig, parseConfig } from '../../edge/config.ts'
import { issuePass, proofSecretOf } from '../../edge/memory/passes.ts'
import { digestOf } from '../../edge/memory/tokens.ts'
import { toPublicJwk } from '../../functions/lib/session-token.ts'
import type { EdgeSide, Stack } from '../../local/stack.ts'
import { readPublicPointer, readStartToken, rushSale } from '../rush/open-sale.ts'
import { type FleetRequest, openFleet } from './fleet/fleet.ts'
import type { Measurement } from './harness.ts'
import { type Agenda, aheadMs, type Clicker, gatherClickers } from './million/clickers.ts'
import { openFront, readPassKeys } from './million/front.ts'
import { gatherAtTheirTurn, type LatencyResult, latencyClients, latencyResult, spreads } from './million/latency.ts'
import { playCase, shopperName } from './million/play.ts'
import { type CaseResult, millionReport } from './million/report.ts'
import { storeFailures, takeCounts, virtualNow } from './million/shared-by-gates.ts'
import { judgeAtRest, marketerOf, withOwnSystem } from './own-system.ts'
import { losingTime, readProcessorTime } from './processor-time.ts'
import { seededRandom } from './statistics.ts'
import type { System } from './system.ts'

const stock = 1000
const seed = 20_261_120

/** Instances of the gate. */
const gates = 64

/** How many seconds of the machine a virtual second takes while there are units: with a million clicks, and with few. */
const [slowDown, slowDownOfFew] = [2, 1]

export type MillionOptions = { shoppers: number; everyCase?: true }

type Ground = {
  system: System
  stack: Stack
  control: ControlClient
  gate: Config
  sessions: ClickSessions
  shoppers: number
}

export function measureMillion({ shoppers, everyCase }: MillionOptions): Promise<Measurement> {
  const startedAt = performance.now()
  return withOwnSystem(async (system, stack) => {
    const gate = gateConfigOf(stack.edge)
    // It makes the keys of passes.
    await system.reconcile()
    const count = Math.max(shoppers, latencyClients)
    const sessions = await openSessions(gate, count)
    const control = await marketerOf(system)
    const played: CaseResult[] = []
    const ground = { system, stack, control, gate, sessions, shoppers }
    for (const one of cases) if (everyCase || one.isUsual) played.push(await measureCase(one, ground))
    const latency: LatencyResult[] = []
    for (const spreadSeconds of spreads) latency.push(await measureLatency(spreadSeconds, ground))
    return millionReport({
      played,
      latency,
      shoppers,
      stock,
      gates,
      seconds: (performance.now() - startedAt) / 1000,
      hasEveryCase: everyCase === true,
      storeFailures,
    })
  })
}

/** A fleet and a front for a new sale of this spread and delay. */
async function setStage(
  { spreadSeconds, delayMs }: Pick<Case, 'spreadSeconds' | 'delayMs'>,
  { system, stack, control, gate, sessions }: Ground,
) {
  const random = seededRandom(seed)
  const file = fileURLToPath(new URL('./million/gate.ts', import.meta.url))
  const { publicKey } = sessions
  const fleet = await openFleet(withSettings(stack.edge, { publicKeys: [publicKey] }), gates, random, file)
  const sale = await openSale(system.url, control, spreadSeconds)
  const { saleId, startsAt, startToken } = sale
  const beginsAt = startsAt - aheadMs
  const front = await openFront(gate, { saleId, beginsAt, delayMs })
  return { front, fleet, saleId, startToken, beginsAt, requestOf: requestsOf(sale, sessions), random }
}

async function measureCase(one: Case, ground: Ground): Promise<CaseResult> {
  const { system, control, shoppers } = ground
  const stage = await setStage(one, ground)
  const { saleId, fleet, random } = stage
  const gather = (agenda: Agenda<Clicker>) =>
    gatherClickers(agenda, random, { shoppers: one.robots ? shoppers / 2 : shoppers, hasRobots: one.robots })
  const readAll = async () => ({ ...(await system.counters()), processors: readProcessorTime() })
  const before = await readAll()
  takeCounts()
  const played = await playCase(one.name, { ...stage, gather, slowDown })
  const counts = takeCounts()
  const after = await readAll()
  const verdict = await judgeAtRest(system, { control, saleId }, { stock, shoppers, answered: played.winners })
  return {
    ...played,
    ...counts,
    name: one.name,
    mustLose: one.mustLose,
    verdict,
    functionCalls: (after.invocations.reserve ?? 0) - (before.invocations.reserve ?? 0),
    allCommands: after.redisCommands - before.redisCommands,
    time: losingTime(
      { preGate: played.preGate, gate: fleet.time() },
      { before: before.processors, after: after.processors },
      played.losing,
    ),
  }
}

/** What a fast connection wins, with pages that wait for the turn. */
async function measureLatency(spreadSeconds: number, ground: Ground): Promise<LatencyResult> {
  const stage = await setStage({ spreadSeconds, delayMs: 5000 }, ground)
  const gather = (agenda: Agenda<Clicker>) => gatherAtTheirTurn(agenda, stage.startToken, spreadSeconds)
  const name = `latency, spread ${spreadSeconds} s`
  const { winners } = await playCase(name, { ...stage, gather, slowDown: slowDownOfFew })
  return latencyResult(spreadSeconds, winners)
}

/** The settings with some of the measurement's own: the last value of a name counts. */
function withSettings({ settings, forward }: EdgeSide, own: object): EdgeSide {
  return { forward, settings: { [configHeader]: `${settings[configHeader]}~${encodeConfig(own)}` } }
}

function gateConfigOf({ settings }: EdgeSide): Config {
  const parsed = parseConfig(['localhost', settings[configHeader]])
  if (!parsed.ok) throw new Error(`the gate's settings are not usable: ${parsed.problems.join(', ')}`)
  return parsed.config
}

type OpenedSale = { saleId: string; startsAt: number; startToken: string }

/** A sale that starts now. Its clicks begin earlier by the virtual clock. */
async function openSale(url: string, control: ControlClient, spreadSeconds: number): Promise<OpenedSale> {
  const createdAt = Date.now()
  const saleId = `million-${createdAt.toString(36)}`
  const units = { stock, quantity: 1, limitPerShopper: 1 }
  await control.createSale({ body: { ...rushSale(saleId, createdAt, units), requirePass: 'on', spreadSeconds } })
  await control.warm({ saleId })
  await control.start({ saleId })
  const startToken = await readStartToken(url, saleId)
  // A sale that is started late opens when it was started.
  const { startsAt } = await readPublicPointer(url, saleId)
  return { saleId, startsAt, startToken }
}

/** What a page of each shopper sends. */
function requestsOf({ saleId, startsAt, startToken }: OpenedSale, sessions: ClickSessions) {
  const body = JSON.stringify({ quantity: 1, startToken })
  const uri = `/api/sales/${saleId}/orders`
  return ({ kind, number }: Clicker): FleetRequest => {
    const net = kind === 'robot' ? 11 : 10
    const address = `${net}.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      'idempotency-key': `${kind}-${number}`,
      authorization: 'Bearer made.up.token',
    }
    if (kind === 'shopper') {
      const session = sessions.of[number]
      if (session === undefined) throw new RangeError(`shopper ${number} is not signed in`)
      headers.authorization = `Bearer ${session.token}`
      headers['x-sluice-pass'] = session.pass
      // The page's last pointer was from the start, when all units were left.
      headers['x-sluice-seen'] = `1.${Math.min(startsAt, virtualNow())}`
    }
    return { method: 'POST', uri, headers, body, address }
  }
}

/** The cases of a million losing clicks: what the sale asks for, and how late the store is. */
type Case = {
  name: string
  spreadSeconds: number
  /** How much later than its API the functions read the store, ms. */
  delayMs: number
  /** Clients without a pass that click ten times a second: they send half of the clicks. */
  robots: boolean
  /** Whether 98 % of its losing clicks must end before the gates. */
  mustLose: boolean
  /** Played unless all are asked for. */
  isUsual: boolean
}

const people = (spreadSeconds: number, delaySeconds: number): Case => ({
  name: `spread ${spreadSeconds} s, store ${delaySeconds} s late`,
  spreadSeconds,
  delayMs: delaySeconds * 1000,
  robots: false,
  mustLose: spreadSeconds === 300,
  isUsual: delaySeconds === 5 && (spreadSeconds === 300 || spreadSeconds === 0),
})

const withRobots = (one: Case): Case => ({
  ...one,
  name: `${one.name}, robots`,
  robots: true,
  isUsual: one.mustLose,
})

/** No more than 300 s, which is the longest spread. */
const cases: readonly Case[] = [
  people(300, 5),
  people(60, 0.5),
  people(60, 5),
  people(60, 10),
  people(10, 5),
  people(0, 5),
  withRobots(people(300, 5)),
  withRobots(people(0, 5)),
]

/** By the number of the shopper. `publicKey` is that of the key which their tokens name. */
type ClickSessions = { of: readonly { token: string; pass: string }[]; publicKey: JWK }

const lifeSeconds = 3600

const signatureBytes = 64

/**
 * All are opened before the first case: the virtual clock may be behind the machine's, and a session from the future is not
 * valid.
 */
async function openSessions(gate: Config, count: number): Promise<ClickSessions> {
  const passKeys = await readPassKeys(gate)
  const secret = proofSecretOf(gate)
  const publicKey = await toPublicJwk(await newKey(undefined))
  const { kid: keyId = '' } = publicKey
  const iat = Math.floor(Date.now() / 1000)
  const head = encoded({ alg: 'ES256', kid: keyId })
  const openSession = (number: number) => {
    const sub = shopperName({ number })
    const { issuer: iss, audience: aud } = gate
    const signature = randomBytes(signatureBytes).toString('base64url')
    const token = `${head}.${encoded({ sub, iss, aud, iat, exp: iat + lifeSeconds })}.${signature}`
    const shopperId = parseShopperId(sub)
    const session = { secret, digest: digestOf(token), keyId }
    const pass = shopperId && issuePass(shopperId, passKeys, Date.now(), session)
    if (pass === undefined) throw new Error('the gate has no key for a pass')
    return { token, pass }
  }
  return { of: Array.from({ length: count }, (_, number) => openSession(number)), publicKey }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
