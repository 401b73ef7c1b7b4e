/**
 * The two Redis stores of a function's environment; one database may serve as both. Every call is
 * timed.
 */
import { connectRedis, type RedisClient } from '../../redis/client.ts'
import type { Watch } from '../lib/telemetry.ts'

export type StockAddress = { UPSTASH_REDIS_REST_URL: string; UPSTASH_REDIS_REST_TOKEN: string }
export type GateAddress = { GATE_REDIS_REST_URL: string; GATE_REDIS_REST_TOKEN: string }

/** The exact store of holds and stock. A call that takes longer than `timeoutMs` is rejected. */
export function connectStock(env: StockAddress, timeoutMs: number, watch: Watch): RedisClient {
  const address = { url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN, timeoutMs }
  return connectRedis(address, (milliseconds) => watch.took('RedisLatency', milliseconds))
}

/** The gate's store. A call that takes longer than `timeoutMs` is rejected. */
export function connectGate(env: GateAddress, timeoutMs: number, watch: Watch): RedisClient {
  const address = { url: env.GATE_REDIS_REST_URL, token: env.GATE_REDIS_REST_TOKEN, timeoutMs }
  return connectRedis(address, (milliseconds) => watch.took('GateRedisLatency', milliseconds))
}
