/** What the gate asks of its store, and the store over Redis. The gate only ever reads one hash per sale. */
import type { SaleId } from '../core/ids.ts'
import { connectRedis } from '../redis/client.ts'
import { type GateFacts, readGate } from '../redis/gate.ts'

export type { GateFacts }

/** `read` answers undefined when no such sale is published, and throws when the store cannot be asked. */
export type GateStore = { read(saleId: SaleId): Promise<GateFacts | undefined> }

/**
 * Longest wait for one read. Shorter than the second that facts may be old, so that a read which returns
 * at all returns facts that can still be used.
 */
const readTimeoutMs = 800

/** The gate's store in Redis, read with a token that may only see gate keys. */
export function redisGateStore({ url, token }: { url: string; token: string }): GateStore {
  const redis = connectRedis({ url, token, timeoutMs: readTimeoutMs })
  return { read: (saleId) => readGate(redis, saleId) }
}
