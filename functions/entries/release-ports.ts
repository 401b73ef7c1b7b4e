/** The adapters that end orders: the table, and everything to notify of released units. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Shopfront } from '../lib/shop/publisher.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { Stores } from './connect.ts'

export function releasePorts({ table, stock, gate }: Stores, shopfront: Shopfront, telemetry: Telemetry) {
  return {
    table,
    stock,
    gate,
    shopfront,
    clock: Date.now,
    sleep: (milliseconds: number) => sleep(milliseconds),
    ...telemetry,
  }
}
