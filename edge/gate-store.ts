/** What the gate asks of its store, and the store over Redis. */
import type { SaleId } from '../core/ids.ts'
import { type Ask, admit, type Lease, type Unspent } from '../redis/admit.ts'
import { type GateFacts, readGate } from '../redis/gate.ts'
import { type Editions, readBlocklist, readEditions, readFilter } from '../redis/notices.ts'
import { connectRest } from '../redis/rest.ts'
import { firstUse } from '../redis/solved.ts'

export type { Ask, Editions, GateFacts, Lease, Unspent }

/** Every call throws when the store cannot be asked. */
export type GateStore = {
  /** Undefined when no such sale is published. */
  read(saleId: SaleId): Promise<GateFacts | undefined>
  /** A few admissions to a sale. */
  admit(saleId: SaleId, ask: Ask): Promise<Lease>
  editions(): Promise<Editions>
  /** Who is shut out, one field of the block list each. */
  blocklist(): Promise<readonly string[]>
  /** The filter of sale ids in its published form; undefined when there is none. */
  filter(): Promise<Uint8Array | undefined>
  /** Whether `use` is the first use of a solved challenge, or the same once more. */
  firstUse(saleId: SaleId, challengeId: string, use: string, ttlMs: number): Promise<boolean>
}

/**
 * Longest wait for one answer. Shorter than the second that facts may be old, so that a read which returns
 * at all returns facts that can still be used.
 */
const timeoutMs = 800

/**
 * The gate's store in Redis. Its token may read gate keys, and write those of admissions, accused addresses and solved
 * challenges.
 */
export function redisGateStore({ url, token }: { url: string; token: string }): GateStore {
  const redis = connectRest({ url, token, timeoutMs })
  return {
    read: (saleId) => readGate(redis, saleId),
    admit: (saleId, ask) => admit(redis, saleId, ask),
    editions: () => readEditions(redis),
    blocklist: () => readBlocklist(redis),
    filter: () => readFilter(redis),
    firstUse: (saleId, challengeId, use, ttlMs) => firstUse(redis, saleId, challengeId, use, ttlMs),
  }
}
