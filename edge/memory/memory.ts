/** What an instance of the gate remembers between requests that come with one configuration. */
import { createDemandCounter, type DemandCounter } from '../../redis/gate/demand.ts'
import type { Config } from '../config.ts'
import { type Addresses, createAddresses } from './addresses.ts'
import { type AdmissionPool, createAdmissions } from './admissions.ts'
import type { Challenges } from './challenges.ts'
import { type Cooldowns, createCooldowns } from './cooldowns.ts'
import { createFlags, type Flags } from './flags.ts'
import type { GateStore } from './gate-store.ts'
import { createLists, type Lists } from './lists.ts'
import { createMembers, type Members } from './members.ts'
import { createPointWindows, type PointWindows } from './point-windows.ts'
import { createChallenges } from './proof-of-work.ts'
import { openSiteverify } from './siteverify.ts'
import { createThrottle, type Throttle } from './throttle.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createTurnstile } from './turnstile.ts'

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
  tokens: Tokens
  throttle: Throttle
  addresses: Addresses
  cooldowns: Cooldowns
  rates: PointWindows
  failedLookups: PointWindows
  rereads: PointWindows
  challenges: Challenges
  demand: DemandCounter
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
  const tokens = createTokens(config, clock)
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
      siteverify: openSiteverify(turnstile),
      clock,
      onFailure: (reason) => report('Turnstile gave no verdict', { reason }),
    },
  )
}
