/** The stage for trials: the whole system, sized for a new account and idle most of the time. */
import { saleKinds } from '../../core/sale/settings.ts'
import { coldTable, type Forecast } from './arithmetic.ts'
import { documentedQuotas } from './quotas.ts'
import type { Capacity, StageSettings } from './stage.ts'

const forecast: Forecast = { shoppers: 1000, stock: 100, openingSeconds: 10 }

/**
 * Nothing is reserved: a new account has a concurrency of ten, of which none can be reserved. The
 * gate shares it with the functions. 512 MB, a third of a processor, is enough for trials;
 * functions that read whole sales get twice that.
 */
const small: Capacity = { memoryMb: 512 }
const medium: Capacity = { memoryMb: 1024 }

export const dev: StageSettings = {
  name: 'dev',
  // The alarms are tried as well.
  size: 'full',
  region: 'eu-west-1',
  isProduction: false,
  forecast,
  sells: saleKinds,
  functions: {
    reserve: small,
    claim: small,
    orders: small,
    'order-changes': small,
    delivery: small,
    wallet: small,
    payments: small,
    control: medium,
    // The decoder takes half a gigabyte for the largest picture.
    pictures: { memoryMb: 1769 },
    'sign-in': small,
    'write-orders': medium,
    'credit-wallets': medium,
    'cancel-unpaid': small,
    reconcile: medium,
    canary: { memoryMb: 256 },
    mail: small,
    events: small,
  },
  keepProvisioned: false,
  // The minimum of Lambda.
  consumers: { orders: 2, claims: 2, deadlines: 2 },
  // What every new table has, at no cost.
  table: { warmWritesPerSecond: coldTable.writesPerSecond, warmReadsPerSecond: coldTable.readsPerSecond },
  // About half a second on a phone.
  edge: { memoryMb: 1024, challengeCost: 5000 },
  session: { issuer: 'sluice-dev', audience: 'sluice' },
  simulatesPayments: true,
  // Add `shopUrl`, the output ShopUrl of the stack `edge`, after the first deployment.
  signIn: { kind: 'cognito' },
  // Idle it costs less than half of that.
  monthlyBudgetDollars: 100,
  keep: { logDays: 14, accessLogDays: 14, backupDays: 7, formerVersionDays: 7, personalDays: 180 },
  secretsRevision: 1,
  // The quotas of an account after AWS has raised those of new accounts.
  quotas: documentedQuotas,
}
