/**
 * The gate's public door: one CloudFront origin-request event in, a refusal or the request to forward out.
 * It finds the route, then the memory that goes with the request's configuration, then runs the funnel.
 */
import { LRUCache } from 'lru-cache'
import { type EdgeAnswer, throughApp } from './adapter.ts'
import { createApp } from './app.ts'
import { checkPath } from './checks/path.ts'
import type { EdgeEvent, EdgeResponse } from './cloudfront.ts'
import { parseConfig, rawConfig } from './config.ts'
import { createFlags } from './flags.ts'
import { funnels } from './funnel.ts'
import type { GateStore } from './gate-store.ts'
import { unavailable } from './problem-response.ts'
import { createThrottle } from './throttle.ts'
import { timeResponse } from './time.ts'
import { createTokens } from './tokens.ts'
import type { Memory, MemoryCheck, Visit } from './visit.ts'

export type DoorParts = {
  openStore(access: { url: string; token: string }): GateStore
  /** Epoch ms. */
  clock(): number
  /** One fact for the log. It never holds a token, a key or a command. */
  report(message: string, details: Record<string, unknown>): void
}

/** Distributions, or settings of one before and after a change, that an instance serves at the same time. */
const maxConfigs = 8

const apps = {
  buy: throughApp(createApp(funnels.buy.app)),
  orders: throughApp(createApp(funnels.orders.app)),
  'order-change': throughApp(createApp(funnels['order-change'].app)),
  webhook: throughApp(createApp(funnels.webhook.app)),
  control: throughApp(createApp(funnels.control.app)),
}

/**
 * The function CloudFront calls. Always a promise, for Lambda's Node takes a plain value for no answer; it never
 * rejects: a fault of ours is logged and answered as `unavailable`.
 */
export function createDoor(parts: DoorParts): (event: EdgeEvent) => Promise<EdgeAnswer> {
  const memories = new LRUCache<string, { memory: Memory | undefined }>({ max: maxConfigs })

  function memoryFor(raw: (string | undefined)[]): Memory | undefined {
    const key = JSON.stringify(raw)
    const seen = memories.get(key)
    if (seen !== undefined) return seen.memory
    const memory = openMemory(raw, parts)
    memories.set(key, { memory })
    return memory
  }

  function answer(event: EdgeEvent): EdgeAnswer | Promise<EdgeAnswer> {
    const cf = event.Records[0]?.cf
    if (cf === undefined) throw new TypeError('not a CloudFront event')
    const { request, config } = cf
    const { route, refusal } = checkPath(request)
    if (refusal !== undefined) return refusal
    const now = parts.clock()
    if (route.kind === 'time') return timeResponse(now)
    const memory = memoryFor(rawConfig(request))
    if (memory === undefined) return unavailable()
    const visit: Visit = { request, requestId: config.requestId, route, memory, now, facts: undefined }
    const refused = firstRefusal(funnels[route.kind].memory, visit)
    if (refused instanceof Promise) {
      return refused.then((response) => response ?? apps[route.kind](visit))
    }
    return refused ?? apps[route.kind](visit)
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
function firstRefusal(
  checks: readonly MemoryCheck[],
  visit: Visit,
): EdgeResponse | undefined | Promise<EdgeResponse | undefined> {
  for (const [index, check] of checks.entries()) {
    const refusal = check(visit)
    if (refusal instanceof Promise) {
      return refusal.then((answer) => answer ?? firstRefusal(checks.slice(index + 1), visit))
    }
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Nothing at all is served from a configuration that is not whole; its problems are reported once. */
function openMemory(
  raw: (string | undefined)[],
  { openStore, clock, report }: DoorParts,
): Memory | undefined {
  const parsed = parseConfig(raw)
  if (!parsed.ok) {
    report('the configuration of the gate is not usable', { problems: parsed.problems })
    return undefined
  }
  const { config } = parsed
  const store = openStore({ url: config.gateUrl, token: config.gateToken })
  return {
    config,
    flags: createFlags(store, clock, (error) =>
      report('the gate store did not answer', { error: error instanceof Error ? error.message : 'unknown' }),
    ),
    tokens: createTokens(config, clock),
    throttle: createThrottle(clock),
  }
}
