/**
 * Sends a million losing clicks to a sale of a thousand units, through the pre-gate and many instances of the gate. It
 * measures how many reach a gate, their cost in Redis commands, function calls and processor time, and checks that
 * exactly the stock is sold. `--shoppers` changes the crowd, and `--every-case` runs more than the three default cases.
 *
 * Time is virtual: the clock of the pre-gate, its store and the gates follows the clicks, so the result does not depend
 * on the speed of the machine. Everything behind the gates uses real time.
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
import { type Agenda, addClickers, aheadMs, type Clicker } from './million/clickers.ts'
import { openFront, readPassKeys } from './million/front.ts'
import { addClickersAtTurn, type LatencyResult, latencyClients, latencyResult, spreads } from './million/latency.ts'
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

/** Real seconds for each virtual second while units are left: with a million clicks, and with few. */
const [slowDown, slowDownOfFew] = [2, 1]

export type MillionOptions = { shoppers: number; everyCase?: true }

type MillionContext = {
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
    // `reconcile` creates the keys of passes.
    await system.reconcile()
    const count = Math.max(shoppers, latencyClients)
    const sessions = await openSessions(gate, count)
    const control = await marketerOf(system)
    const played: CaseResult[] = []
    const context = { system, stack, control, gate, sessions, shoppers }
    for (const one of cases) if (everyCase || one.isDefault) played.push(await measureCase(one, context))
    const latency: LatencyResult[] = []
    for (const spreadSeconds of spreads) latency.push(await measureLatency(spreadSeconds, context))
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

/** Opens a sale with this spread and delay, and a fleet and a front for it. */
async function prepareCase(
  { spreadSeconds, delayMs }: Pick<Case, 'spreadSeconds' | 'delayMs'>,
  { system, stack, control, gate, sessions }: MillionContext,
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

async function measureCase(one: Case, context: MillionContext): Promise<CaseResult> {
  const { system, control, shoppers } = context
  const stage = await prepareCase(one, context)
  const { saleId, fleet, random } = stage
  const addFirstClicks = (agenda: Agenda<Clicker>) =>
    addClickers(agenda, random, { shoppers: one.hasRobots ? shoppers / 2 : shoppers, hasRobots: one.hasRobots })
  const readAll = async () => ({ ...(await system.counters()), processors: readProcessorTime() })
  const before = await readAll()
  takeCounts()
  const played = await playCase(one.name, { ...stage, addFirstClicks, slowDown })
  const counts = takeCounts()
  const after = await readAll()
  const verdict = await judgeAtRest(system, { control, saleId }, { stock, shoppers, answered: played.winners })
  return {
    ...played,
    ...counts,
    name: one.name,
    hasPreGateTarget: one.hasPreGateTarget,
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

/** Measures how much a fast connection helps when pages wait for their turn. */
async function measureLatency(spreadSeconds: number, context: MillionContext): Promise<LatencyResult> {
  const stage = await prepareCase({ spreadSeconds, delayMs: 5000 }, context)
  const addFirstClicks = (agenda: Agenda<Clicker>) => addClickersAtTurn(agenda, stage.startToken, spreadSeconds)
  const name = `latency, spread ${spreadSeconds} s`
  const { winners } = await playCase(name, { ...stage, addFirstClicks, slowDown: slowDownOfFew })
  return latencyResult(spreadSeconds, winners)
}

/** Overrides some settings of the gate: the last value of a name counts. */
function withSettings({ settings, forward }: EdgeSide, own: object): EdgeSide {
  return { forward, settings: { [configHeader]: `${settings[configHeader]}~${encodeConfig(own)}` } }
}

function gateConfigOf({ settings }: EdgeSide): Config {
  const parsed = parseConfig(['localhost', settings[configHeader]])
  if (!parsed.ok) throw new Error(`the gate's settings are not usable: ${parsed.problems.join(', ')}`)
  return parsed.config
}

type OpenedSale = { saleId: string; startsAt: number; startToken: string }

/** Opens a sale that starts now. Its clicks begin earlier by the virtual clock. */
async function openSale(url: string, control: ControlClient, spreadSeconds: number): Promise<OpenedSale> {
  const createdAt = Date.now()
  const saleId = `million-${createdAt.toString(36)}`
  await control.createSale({
    body: { ...rushSale(saleId, createdAt, { kind: 'goods', stock, quantity: 1 }), requirePass: 'on', spreadSeconds },
  })
  await control.warm({ saleId })
  await control.start({ saleId })
  const startToken = await readStartToken(url, saleId)
  // A sale that starts after its time opens at the actual start.
  const { startsAt } = await readPublicPointer(url, saleId)
  return { saleId, startsAt, startToken }
}

/** Returns a function that builds the request of a clicker. */
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
      // The page read its last pointer at the start, when all units were left.
      headers['x-sluice-seen'] = `1.${Math.min(startsAt, virtualNow())}`
    }
    return { method: 'POST', uri, headers, body, address }
  }
}

type Case = {
  name: string
  spreadSeconds: number
  /** Delay between a change in the store and its reads by the functions, ms. */
  delayMs: number
  /** Half of the clicks come from clients without a pass that click ten times a second. */
  hasRobots: boolean
  /** 98 % of its losing clicks must be answered before the gates. */
  hasPreGateTarget: boolean
  /** Runs without `--every-case`. */
  isDefault: boolean
}

const people = (spreadSeconds: number, delaySeconds: number): Case => ({
  name: `spread ${spreadSeconds} s, store ${delaySeconds} s late`,
  spreadSeconds,
  delayMs: delaySeconds * 1000,
  hasRobots: false,
  hasPreGateTarget: spreadSeconds === 300,
  isDefault: delaySeconds === 5 && (spreadSeconds === 300 || spreadSeconds === 0),
})

const withRobots = (one: Case): Case => ({
  ...one,
  name: `${one.name}, robots`,
  hasRobots: true,
  isDefault: one.hasPreGateTarget,
})

/** The maximum spread is 300 s. */
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

/** Sessions by the number of the shopper. `publicKey` belongs to the key that the tokens name. */
type ClickSessions = { of: readonly { token: string; pass: string }[]; publicKey: JWK }

const lifeSeconds = 3600

const signatureBytes = 64

/**
 * Opens all sessions before the first case: the virtual clock may be behind the machine's, and a session from the
 * future is invalid.
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
