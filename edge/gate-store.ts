/** What the gate asks of its store, and the store over Redis. */
import type { SaleId } from '../core/ids.ts'
import { type Ask, admit, type Lease, type Unspent } from '../redis/admit.ts'
import { type GateFacts, readGate } from '../redis/gate.ts'
import { connectRest } from '../redis/rest.ts'
import {
  type Editions,
  readBlocklist,
  readFilter,
  readListVersions,
  readSaleIds,
} from '../redis/shared-lists.ts'
import { firstUse } from '../redis/used-challenges.ts'
import type { Config } from './config.ts'

export type { Ask, Editions, GateFacts, Lease, Unspent }

/** Every call throws when the store cannot be asked. Calls in one turn of the event loop share a request. */
export type GateStore = {
  /** Undefined when no such sale is published. */
  read(saleId: SaleId): Promise<GateFacts | undefined>
  /** A few admissions to a sale. */
  admit(saleId: SaleId, ask: Ask): Promise<Lease>
  versions(): Promise<Editions>
  /** Who is shut out, one field of the block list each. */
  blocklist(): Promise<readonly string[]>
  /** The filter of sale ids in its published form; undefined when there is none. */
  filter(): Promise<Uint8Array | undefined>
  /** The ids of all published sales. */
  saleIds(): Promise<readonly SaleId[]>
  /** Whether `use` is the first use of a solved challenge, or the same once more. */
  firstUse(saleId: SaleId, challengeId: string, use: string, ttlMs: number): Promise<boolean>
}

/**
 * Longest wait for an answer. The first one needs three round trips, two of them to open the connection, so this serves an
 * instance 800 ms away. Later ones need one.
 */
const firstTimeoutMs = 2500
const timeoutMs = 800

/**
 * The gate's store in Redis. The reader's token may read gate keys; the writer's may change those of admissions and solved
 * challenges.
 */
export function redisGateStore({
  gateUrl: url,
  readerToken,
  writerToken,
}: Pick<Config, 'gateUrl' | 'readerToken' | 'writerToken'>): GateStore {
  const reader = connectRest({ url, token: readerToken, firstTimeoutMs, timeoutMs })
  const writer = connectRest({ url, token: writerToken, firstTimeoutMs, timeoutMs })
  /** Whether Redis has run the script for this instance: a Redis that has never seen it costs no round trip more (N8). */
  let knowsScript = false
  return {
    read: (saleId) => readGate(reader, saleId),
    async admit(saleId, ask) {
      const lease = await admit(writer, saleId, ask, knowsScript ? 'hash' : 'text')
      knowsScript = true
      return lease
    },
    versions: () => readListVersions(reader),
    blocklist: () => readBlocklist(reader),
    filter: () => readFilter(reader),
    saleIds: () => readSaleIds(reader),
    firstUse: (saleId, challengeId, use, ttlMs) => firstUse(writer, saleId, challengeId, use, ttlMs),
  }
}
