/** Wiring of `GET /api/changes` and `GET /api/credit`. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { nonEmpty, readEnvironment, stockVariables, walletVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { cacheOffers } from '../orders/offers.ts'
import { heldReadsApp } from '../packets/held-reads.ts'
import { connectTableAndStock } from './connect.ts'

const env = readEnvironment(
  { ...stockVariables, ...walletVariables, TABLE_NAME: nonEmpty, HOLDS: z.enum(['on', 'off']) },
  process.env,
)
const telemetry = createTelemetry('held-reads')
const { table, stock } = connectTableAndStock(env, 1000, telemetry)

const ports = {
  table,
  clock: Date.now,
  stock,
  offers: cacheOffers(table),
  balanceUrl: env.BALANCE_URL,
  holds: env.HOLDS === 'on',
  sleep: (milliseconds: number) => sleep(milliseconds),
}

export const handler = functionUrl(telemetry, heldReadsApp(ports))
