/** The store that the gate reads and writes, and its implementation over Redis. */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { admit, type Lease, type LeaseRequest, type UnusedAdmissions } from '../../redis/gate/admit.ts'
import { countDemand, countRefusedTokens, type DemandCounts } from '../../redis/gate/demand.ts'
import { type GateFacts, readGate } from '../../redis/gate/gate.ts'
import { isMember } from '../../redis/gate/members.ts'
import {
  type SharedListVersions as ListVersions,
  readBlocklist,
  readCustomers,
  readFilter,
  readListVersions,
  readSaleIds,
} from '../../redis/gate/shared-lists.ts'
import { recordChallengeUse } from '../../redis/gate/used-challenges.ts'
import { connectRest } from '../../redis/upstash-rest.ts'
import type { Config } from '../config.ts'

export type { GateFacts, Lease, LeaseRequest, ListVersions, UnusedAdmissions }

/** A sale that this instance knows, with the gate's facts of it. */
export type KnownSale = { saleId: SaleId; facts: GateFacts }

/**
 * Calls in one turn of the event loop share a request.
 * @throws when the store does not answer
 */
export type GateStore = {
  /** Undefined when the sale is not published. */
  read(saleId: SaleId): Promise<GateFacts | undefined>
  /** A few admissions to a sale. */
  admit(saleId: SaleId, ask: LeaseRequest): Promise<Lease>
  versions(): Promise<ListVersions>
  /** The fields of the block list. */
  blocklist(): Promise<readonly string[]>
  /** The filter of sale ids in its published form; undefined when it is missing. */
  filter(): Promise<Uint8Array | undefined>
  /** The issuers of the shop's customers in the edition of that version; undefined when it is gone. */
  customers(version: string): Promise<string | undefined>
  /** The ids of all published sales. */
  saleIds(): Promise<readonly SaleId[]>
  /** True when `use` is the first use of a solved challenge, or the same use again. */
  firstUse(saleId: SaleId, challengeId: string, use: string, ttlMs: number): Promise<boolean>
  /** True when the shopper is on the list of a sale by invitation, where one may be there for `variant` alone. */
  isMember(saleId: SaleId, shopperId: ShopperId, variant?: string): Promise<boolean>
  /** Adds outcomes that this instance has counted. */
  countDemand(saleId: SaleId, counts: DemandCounts): Promise<void>
  /** Adds refused tokens of an issuer that this instance has counted until `now`. */
  countRefusedTokens(issuerName: string, counts: DemandCounts, now: number): Promise<void>
}

/** The first answer needs three round trips: this timeout serves an instance 800 ms away. Later ones need one. */
const timeouts = { firstTimeoutMs: 2500, timeoutMs: 800 }

/** The reader's token may read gate keys; the writer's may change admissions, used challenges and demand. */
export function redisGateStore(
  { gateUrl: url, readerToken, writerToken }: Pick<Config, 'gateUrl' | 'readerToken' | 'writerToken'>,
  { firstTimeoutMs, timeoutMs } = timeouts,
): GateStore {
  const connect = connectRest({ url, firstTimeoutMs, timeoutMs })
  const reader = connect(readerToken)
  const writer = connect(writerToken)
  /** The first call sends the script's text, so a Redis that does not know it costs no extra round trip (N8). */
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
    customers: (version) => readCustomers(reader, version),
    saleIds: () => readSaleIds(reader),
    firstUse: (saleId, challengeId, use, ttlMs) => recordChallengeUse(writer, saleId, challengeId, { use, ttlMs }),
    isMember: (saleId, shopperId, variant) => isMember(reader, saleId, shopperId, variant),
    countDemand: (saleId, counts) => countDemand(writer, saleId, 'gate', counts),
    countRefusedTokens: (issuerName, counts, now) => countRefusedTokens(writer, issuerName, counts, now),
  }
}
