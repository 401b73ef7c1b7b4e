/** The stage for trials: the whole system, sized for a new account that is idle most of the time. */
import { saleKinds } from '../../core/sale/kinds.ts'
import type { Forecast } from './arithmetic.ts'
import type { StageSettings } from './stage.ts'
import { unreserved } from './unreserved.ts'

const forecast: Forecast = { shoppers: 1000, stock: 100, openingSeconds: 10 }

export const dev: StageSettings = {
  ...unreserved,
  name: 'dev',
  // Trials include the alarms.
  size: 'full',
  region: 'eu-west-1',
  isProduction: false,
  forecast,
  sells: saleKinds,
  // About half a second on a phone.
  edge: { memoryMb: 1024, challengeCost: 5000 },
  session: { issuer: 'sluice-dev', audience: 'sluice' },
  simulatesPayments: true,
  signIn: { kind: 'cognito' },
  // An idle stage costs less than half of that.
  monthlyBudgetDollars: 100,
  keep: { logDays: 14, accessLogDays: 14, backupDays: 7, formerVersionDays: 7, personalDays: 180 },
  secretsRevision: 1,
}
