/**
 * The stage of a small shop: one database, pay as you go, no reserved capacity, and the essential alarms. It grows in
 * place, with its table, its accounts and its sales: change its size below, and deploy (docs/how-to/deploy.md, "A
 * small shop").
 */
import { saleKinds } from '../../core/sale/settings.ts'
import { coldTable, type Forecast } from './arithmetic.ts'
import { prodSelling } from './prod.ts'
import { documentedQuotas } from './quotas.ts'
import type { Capacity, Size, StageSettings } from './stage.ts'

const forecast: Forecast = { shoppers: 30_000, stock: 200, openingSeconds: 10 }

/** What a size decides. All else, such as `domain`, `mail` and `redeem`, belongs to `kept`. */
type Sized = Pick<
  StageSettings,
  | ('size' | 'forecast' | 'sells' | 'functions' | 'keepProvisioned' | 'consumers')
  | ('table' | 'edge' | 'firewall' | 'monthlyBudgetDollars' | 'quotas')
>

/** What the stage keeps while it grows. The name is part of every resource: choose it before the first deployment. */
const kept: Omit<StageSettings, keyof Sized> = {
  name: 'small',
  region: 'eu-west-1',
  isProduction: true,
  session: { issuer: 'sluice-small', audience: 'sluice' },
  // Replace it by an address of your domain that SES has verified; the deploy check rejects this one.
  signIn: { kind: 'cognito', email: { from: 'Sluice <sign-in@example.com>' } },
  // Replace it by an address that is read at night; the deploy check rejects this one.
  alarmEmail: 'alarms@example.com',
  keep: { logDays: 30, accessLogDays: 30, backupDays: 35, formerVersionDays: 30, personalDays: 180 },
  secretsRevision: 1,
}

/**
 * Nothing is reserved or provisioned. A gigabyte is six tenths of a processor, which a cold start and a shopper's
 * request need; the other functions get a third.
 */
const quick: Capacity = { memoryMb: 1024 }
const modest: Capacity = { memoryMb: 512 }

/** What differs from a stage of full size, with the same functions, queues and permissions. */
const smallSizes: Sized = {
  size: 'small',
  forecast,
  sells: saleKinds,
  functions: {
    reserve: quick,
    claim: quick,
    orders: modest,
    'order-changes': modest,
    delivery: modest,
    wallet: modest,
    payments: modest,
    control: quick,
    // The decoder takes half a gigabyte for the largest picture.
    pictures: { memoryMb: 1769 },
    'sign-in': modest,
    'write-orders': quick,
    'credit-wallets': quick,
    'cancel-unpaid': modest,
    reconcile: quick,
    canary: { memoryMb: 256 },
    mail: modest,
    events: modest,
  },
  keepProvisioned: false,
  // The minimum of Lambda.
  consumers: { orders: 2, claims: 2, deadlines: 2 },
  // What every new table has, at no cost.
  table: { warmWritesPerSecond: coldTable.writesPerSecond, warmReadsPerSecond: coldTable.readsPerSecond },
  edge: { memoryMb: 1024, challengeCost: 5000 },
  // $13 of the bill. Without it each request of a flood is billed by CloudFront, and each call starts the gate.
  firewall: { floodLimit: 20_000, callLimit: 1500, sessionLimit: 300 },
  // Idle it costs less than half of that.
  monthlyBudgetDollars: 60,
  // The quotas of an account after AWS has raised those of new accounts.
  quotas: documentedQuotas,
}

/** The same stage before and after it has grown. */
export const smallShop = (size: Size): StageSettings =>
  size === 'small' ? { ...smallSizes, ...kept } : { ...prodSelling(['goods', 'coupon']), ...kept }

export const small = smallShop('small')
