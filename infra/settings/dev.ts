/** The stage to try things on: all parts, sized for a new account, idle most of the time. */
import { saleKinds } from '../../core/sale.ts'
import { coldTable, type Forecast } from './arithmetic.ts'
import { documentedQuotas } from './quotas.ts'
import type { Capacity, StageSettings } from './stage.ts'

const forecast: Forecast = { shoppers: 1000, stock: 100, openingSeconds: 10 }

/**
 * Nothing is reserved: a new account may run ten environments at once, of which none can be set aside. The gate then shares them
 * with the functions, which a stage to try things on can bear. A third of a
 * processor (512 MB) is enough to try; what reads whole sales gets twice that.
 */
const small: Capacity = { memoryMb: 512 }
const medium: Capacity = { memoryMb: 1024 }

export const dev: StageSettings = {
  name: 'dev',
  region: 'eu-west-1',
  isProduction: false,
  forecast,
  sells: saleKinds,
  functions: {
    reserve: small,
    claim: small,
    orders: small,
    'order-changes': small,
    wallet: small,
    payments: small,
    control: medium,
    'write-orders': medium,
    'credit-wallets': medium,
    'cancel-unpaid': small,
    reconcile: medium,
    canary: { memoryMb: 256 },
  },
  keepProvisioned: false,
  // Two are the fewest that Lambda lets one ask for.
  consumers: { orders: 2, claims: 2, deadlines: 2 },
  // What a new table has anyway: it costs nothing.
  table: { warmWritesPerSecond: coldTable.writesPerSecond, warmReadsPerSecond: coldTable.readsPerSecond },
  // About half a second of work for a phone.
  edge: { memoryMb: 1024, challengeCost: 5000 },
  // Tokens made with `npm run session`, until somebody else signs shoppers in.
  signIn: { issuer: 'sluice-dev', audience: 'sluice' },
  // Idle it costs about half of that.
  monthlyBudgetDollars: 100,
  keep: { logDays: 14, accessLogDays: 14, backupDays: 7, formerVersionDays: 7 },
  secretsRevision: 1,
  // What accounts have once AWS has lifted the first limits.
  quotas: documentedQuotas,
}
