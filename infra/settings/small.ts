/**
 * The stage of a small shop: one database, pay as you go, no reserved capacity, and the essential alarms. It grows in
 * place, with its table, its accounts and its sales: change its size below, and deploy (docs/how-to/deploy.md, "A
 * small shop").
 */
import { saleKinds } from '../../core/sale/kinds.ts'
import type { Forecast } from './arithmetic.ts'
import { prodSelling } from './prod.ts'
import { type Size, type StageSettings, usualFirewall } from './stage.ts'
import { quick, unreserved } from './unreserved.ts'

const forecast: Forecast = { shoppers: 30_000, stock: 200, openingSeconds: 10 }

/** The settings that a size decides. All else, such as `domain`, `mail` and `redeem`, belongs to `kept`. */
type Sized = Pick<
  StageSettings,
  | ('size' | 'forecast' | 'sells' | 'functions' | 'keepProvisioned' | 'consumers')
  | ('table' | 'edge' | 'firewall' | 'monthlyBudgetDollars' | 'quotas')
>

/** The settings that stay as the stage grows. The name is part of every resource: choose it before the first deployment. */
const kept: Omit<StageSettings, keyof Sized> = {
  name: 'small',
  region: 'eu-west-1',
  isProduction: true,
  session: { issuer: 'sluice-small', audience: 'sluice' },
  // Replace it with an address of your domain that SES has verified; the deploy check rejects this one.
  signIn: { kind: 'cognito', email: { from: 'Sluice <sign-in@example.com>' } },
  // Replace it with an address that is read at night; the deploy check rejects this one.
  alarmEmail: 'alarms@example.com',
  keep: { logDays: 30, accessLogDays: 30, backupDays: 35, formerVersionDays: 30, personalDays: 180 },
  secretsRevision: 1,
}

/** The settings that differ from a stage of full size; functions, queues and permissions are the same. */
const smallSizes: Sized = {
  ...unreserved,
  size: 'small',
  forecast,
  sells: saleKinds,
  // A gigabyte is six tenths of a processor, which a cold start and the click of a shopper need.
  functions: { ...unreserved.functions, reserve: quick },
  edge: { memoryMb: 1024, challengeCost: 5000 },
  // $14 of the bill. Without it each request of a flood is billed by CloudFront, and each call starts the gate.
  firewall: usualFirewall,
  // An idle stage costs less than half of that.
  monthlyBudgetDollars: 60,
}

/** Returns the stage before or after it has grown. */
export const smallShop = (size: Size): StageSettings =>
  size === 'small' ? { ...smallSizes, ...kept } : { ...prodSelling(['goods', 'coupon']), ...kept }

export const small = smallShop('small')
