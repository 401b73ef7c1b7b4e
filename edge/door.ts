/**
 * The gate's public door: one CloudFront origin-request event in, a refusal or the request to forward out.
 * It finds the route, then the memory that goes with the request's configuration, then runs the funnel.
 */
import type { EdgeAnswer } from './adapter.ts'
import { createAddresses } from './addresses.ts'
import { createAdmissions } from './admissions.ts'
import { createChallenges } from './challenge.ts'
import { checkPath } from './checks/path.ts'
import type { EdgeEvent } from './cloudfront.ts'
import { type Config, parseConfig, type RawConfig, rawConfig } from './config.ts'
import { createCooldowns } from './cooldowns.ts'
import { createFlags } from './flags.ts'
import { funnels } from './funnel.ts'
import type { GateStore } from './gate-store.ts'
import { createNotices } from './notices.ts'
import { createPointWindows } from './point-windows.ts'
import { unavailable } from './problem-response.ts'
import { createThrottle } from './throttle.ts'
import { createTokens } from './tokens.ts'
import type { Memory, MemoryCheck, Visit } from './visit.ts'

export type DoorParts = {
  openStore(access: Pick<Config, 'gateUrl' | 'readerToken' | 'writerToken'>): GateStore
  /** Epoch ms. */
  clock(): number
  /** One fact for the log. It never holds a token, a key or a command. */
  report(message: string, details: Record<string, unknown>): void
}

/** Distributions, or settings of one before and after a change, that an instance serves at the same time. */
const maxConfigs = 8
/** Sales whose passing requests are counted at the same time. */
const maxSales = 1000
/** Addresses whose requests outside of sales are counted at the same time. */
const maxRates = 20_000

/**
 * The function CloudFront calls. Always a promise, for Lambda's Node takes a plain value for no answer; it never
 * rejects: a fault of ours is logged and answered as `unavailable`.
 */
export function createDoor(parts: DoorParts): (event: EdgeEvent) => Promise<EdgeAnswer> {
  /** The latest last. */
  const memories: { raw: RawConfig; memory: Memory | undefined }[] = []

  function memoryFor(raw: RawConfig): Memory | undefined {
    const seen = memories.find((known) => known.raw.every((value, index) => value === raw[index]))
    if (seen !== undefined) return seen.memory
    const memory = openMemory(raw, parts)
    memories.push({ raw, memory })
    if (memories.length > maxConfigs) memories.shift()
    return memory
  }

  function answer(event: EdgeEvent): EdgeAnswer | Promise<EdgeAnswer> {
    const cf = event.Records[0]?.cf
    if (cf === undefined) throw new TypeError('not a CloudFront event')
    const { request, config } = cf
    const { route, refusal } = checkPath(request)
    if (refusal !== undefined) return refusal
    const memory = memoryFor(rawConfig(cf))
    if (memory === undefined) return unavailable()
    const now = parts.clock()
    const visit: Visit = { request, requestId: config.requestId, route, memory, now, facts: undefined }
    const { memory: checks, app } = funnels[route.kind]
    const refused = firstRefusal(checks, visit)
    return refused instanceof Promise
      ? refused.then((response) => response ?? app(visit))
      : (refused ?? app(visit))
  }

  return async (event) => {
    try {
      return await answer(event)
    } catch (error) {
      parts.report('the gate failed', { error: error instanceof Error ? error.stack : String(error) })
      return unavailable()
    }
  }
}

/** Runs the checks until one refuses. Stays synchronous unless a check had to ask the store. */
function firstRefusal(checks: readonly MemoryCheck[], visit: Visit, from = 0): ReturnType<MemoryCheck> {
  for (let at = from; at < checks.length; at += 1) {
    const refusal = checks[at]?.(visit)
    if (refusal instanceof Promise) {
      return refusal.then((answer) => answer ?? firstRefusal(checks, visit, at + 1))
    }
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Nothing at all is served from a configuration that is not whole; its problems are reported once. */
function openMemory(raw: RawConfig, { openStore, clock, report }: DoorParts): Memory | undefined {
  const parsed = parseConfig(raw)
  if (!parsed.ok) {
    report('the configuration of the gate is not usable', { problems: parsed.problems })
    return undefined
  }
  const { config } = parsed
  const store = openStore(config)
  const onFailure = (error: unknown) =>
    report('the gate store did not answer', { error: error instanceof Error ? error.message : 'unknown' })
  return {
    config,
    store,
    flags: createFlags(store, clock, onFailure),
    notices: createNotices(store, clock, onFailure),
    admissions: createAdmissions(store, clock, onFailure),
    tokens: createTokens(config, clock),
    throttle: createThrottle(clock),
    addresses: createAddresses(),
    perSale: createPointWindows(maxSales),
    cooldowns: createCooldowns(),
    rates: createPointWindows(maxRates),
    vainLookups: createPointWindows(1),
    rereads: createPointWindows(maxSales),
    challenges: createChallenges({ keys: config.challengeKeys, cost: config.challengeCost }, clock),
  }
}
