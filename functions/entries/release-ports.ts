/** The adapters that end orders: the table, and everything to notify of released units. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Telemetry } from '../lib/telemetry.ts'
import type { ReleasePorts } from '../orders/release.ts'
import { dynamoOrderLedger } from '../table/orders/order-ledger.ts'
import { dynamoReleases } from '../table/orders/releases.ts'
import { dynamoBanks } from '../table/stock/banks.ts'
import type { Stores } from './connect.ts'

export function releasePorts(
  { table, stock, gate }: Stores,
  shopfront: ReleasePorts['shopfront'],
  telemetry: Telemetry,
) {
  return {
    ledger: dynamoOrderLedger(table),
    releases: dynamoReleases(table),
    banks: dynamoBanks(table),
    stock,
    gate,
    shopfront,
    clock: Date.now,
    sleep: (milliseconds: number) => sleep(milliseconds),
    ...telemetry,
  }
}
