/** The state that an instance of the gate keeps between requests with the same configuration. */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import { createDemandCounter, type DemandCounter } from '../../redis/gate/demand.ts'
import type { EdgeHeaders } from '../cloudfront.ts'
import type { Config } from '../config.ts'
import { tokenKeyIn } from '../find-session-token.ts'
import { type Addresses, createAddresses } from './addresses.ts'
import { type AdmissionPool, createAdmissions } from './admissions.ts'
import type { Challenges } from './challenges.ts'
import { createFlags, type Flags } from './flags.ts'
import type { GateStore } from './gate-store.ts'
import { createLists, type Lists } from './lists.ts'
import { createMembers, type Members } from './members.ts'
import { createPointWindows, type PointWindows } from './point-windows.ts'
import { createChallenges } from './proof-of-work.ts'
import { openSiteverify } from './siteverify.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import { createSessionTokens, type SessionTokens } from './tokens.ts'
import { createTurnstile } from './turnstile.ts'

/** `headers` are those of the client's request; `now` is epoch ms. Does nothing for a client without a token. */
type Cooldowns = {
  start(saleId: SaleId, headers: EdgeHeaders, seconds: number, now: number): void
  isRunning(saleId: SaleId, headers: EdgeHeaders, now: number): boolean
}

/** At least this many are kept, at most twice as many; each takes about 150 bytes. */
const maxCooldowns = 25_000

function createCooldowns(): Cooldowns {
  const cooldowns = new QuickLRU<string, { startedAt: number; ms: number }>({ maxSize: maxCooldowns })
  let lastEndsAt = 0
  return {
    start(saleId, headers, seconds, now) {
      const key = keyOf(saleId, headers)
      if (key === undefined) return
      const ms = seconds * 1000
      cooldowns.set(key, { startedAt: now, ms })
      lastEndsAt = Math.max(lastEndsAt, now + ms)
    },
    isRunning(saleId, headers, now) {
      // While no cooldown runs, which is nearly always, no token is read.
      if (now >= lastEndsAt) return false
      const key = keyOf(saleId, headers)
      const cooldown = key === undefined ? undefined : cooldowns.get(key)
      if (cooldown === undefined) return false
      const elapsed = now - cooldown.startedAt
      // A clock that was set back must not lengthen a wait.
      return elapsed >= 0 && elapsed < cooldown.ms
    },
  }
}

function keyOf(saleId: SaleId, headers: EdgeHeaders): string | undefined {
  const token = tokenKeyIn(headers)
  return token === undefined ? undefined : `${saleId} ${token}`
}

/**
 * `rates` counts requests outside of sales by address; `failedLookups` counts reads of sales that do
 * not exist; `rereads` counts extra reads of a sale's facts, by sale id.
 */
export type Memory = {
  config: Config
  store: GateStore
  flags: Flags
  lists: Lists
  members: Members
  admissions: AdmissionPool
  tokens: SessionTokens
  throttle: Throttle
  addresses: Addresses
  cooldowns: Cooldowns
  rates: PointWindows
  failedLookups: PointWindows
  rereads: PointWindows
  challenges: Challenges
  demand: DemandCounter
  /** By the name of an issuer of customers. */
  refusedTokens: DemandCounter<string>
}

export type MemoryParts = {
  openStore(access: Pick<Config, 'gateUrl' | 'readerToken' | 'writerToken'>): GateStore
  /** Epoch ms. */
  clock(): number
  /** Writes one line to the log. It never holds a token, a key or a command. */
  report(message: string, details: Record<string, unknown>): void
}

/** Sales whose extra reads are counted at the same time. */
const maxSales = 1000
/** Addresses whose requests outside of sales are counted at the same time. */
const maxRates = 20_000

export function createMemory(config: Config, { openStore, clock, report }: MemoryParts): Memory {
  const store = openStore(config)
  const onFailure = (error: unknown) =>
    report('the gate store did not answer', { error: error instanceof Error ? error.message : 'unknown' })
  const lists = createLists(store, { origins: config.origins, clock, onFailure })
  const tokens = createSessionTokens(config, clock)
  return {
    config,
    store,
    flags: createFlags(store, clock, onFailure),
    lists,
    members: createMembers(store, clock, onFailure),
    admissions: createAdmissions({ store, clock, onFailure }),
    tokens,
    throttle: createThrottle(clock),
    addresses: createAddresses(),
    cooldowns: createCooldowns(),
    rates: createPointWindows(maxRates),
    failedLookups: createPointWindows(1),
    rereads: createPointWindows(maxSales),
    challenges: {
      pow: createChallenges({ keys: config.challengeKeys, cost: config.challengeCost }, clock),
      turnstile: turnstileOf(config, { clock, report }),
    },
    demand: createDemandCounter({ count: store.countDemand, onFailure, clock }),
    refusedTokens: createDemandCounter<string>({
      count(issuer, counts) {
        report('tokens of customers refused', { level: 'WARN', issuer, ...Object.fromEntries(counts) })
        return store.countRefusedTokens(issuer, counts, clock())
      },
      ...{ onFailure, clock },
    }),
  }
}

function turnstileOf(
  { turnstile, challengeKeys: keys, origins }: Config,
  { clock, report }: Pick<MemoryParts, 'clock' | 'report'>,
): Challenges['turnstile'] {
  if (turnstile === undefined) return undefined
  return createTurnstile(
    { siteKey: turnstile.siteKey, keys, origins },
    {
      siteverify: openSiteverify({ ...turnstile, shopUrl: [...origins][0] }),
      clock,
      onFailure: (reason) => report('Turnstile gave no verdict', { reason }),
    },
  )
}
