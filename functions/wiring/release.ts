/** What whoever ends orders needs: the table they stand in, and everything that hears of units that came back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { redisStockReader } from '../adapters/availability.redis.ts'
import { redisGate } from '../adapters/effects.redis.ts'
import { redisHoldings } from '../adapters/holdings.redis.ts'
import { dynamoOrderLedger } from '../adapters/order-ledger.dynamodb.ts'
import { dynamoReleases } from '../adapters/releases.dynamodb.ts'
import type { ReleasePorts } from '../order-life/release.ts'
import type { Telemetry } from '../telemetry.ts'
import type { Stores } from './stores.ts'

export function releasePorts(
  { table, stock, gate }: Stores,
  shopfront: ReleasePorts['shopfront'],
  telemetry: Telemetry,
) {
  return {
    ledger: dynamoOrderLedger(table),
    releases: dynamoReleases(table),
    holdings: redisHoldings(stock),
    stockReader: redisStockReader(stock),
    gate: redisGate(gate),
    shopfront,
    clock: Date.now,
    sleep: (milliseconds: number) => sleep(milliseconds),
    ...telemetry,
  }
}
