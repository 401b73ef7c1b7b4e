/** The settings that differ between stages; no secrets. */
import type { MemberOf } from '../../core/lib/fold.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { SignInSettings } from '../../functions/people/sign-in-settings.ts'
import type { functions } from '../../options/registry/functions.ts'
import type { EdgeRegion } from '../../system/edge-regions.ts'
import { allFunctions, type FunctionName, optionFunctionNames, optionFunctions } from '../../system/functions.ts'
import type { QueueName } from '../../system/queues.ts'
import type { Forecast } from './arithmetic.ts'
import type { MailSetting, SenderSetting } from './mail.ts'
import type { Quotas } from './quotas.ts'

/**
 * `reserved` is both the share that other functions cannot take and the maximum. `provisioned` environments start before the
 * first request and are billed by the hour.
 */
export type Capacity = { memoryMb: number; reserved?: number; provisioned?: number }

/** Kinds of sale in the forecast. The functions of other kinds get a small share. */
export type Sells = readonly SaleKind[]

/** The shop's own domain. CloudFront requires its certificate in us-east-1. */
type Domain = { name: string; certificateArn: string; hostedZone?: { id: string; name: string } }

/**
 * A Cognito user pool of the stage. `domainPrefix` is the name of its pages, before `.auth.<region>.amazoncognito.com`. `email`
 * is the sender of codes, by SES in the home region; absent: Cognito itself, 50 emails a day. `secondFactor` proves a second
 * factor to the function `sign-in`; absent: `totp` in the attribute `custom:mfa`.
 */
export type CognitoSignIn = {
  kind: 'cognito'
  domainPrefix?: string
  email?: SenderSetting
  secondFactor?: SignInSettings['secondFactor']
}

/** Any other OpenID Connect issuer; the client's secret is in `sluice/<stage>/identity`. */
type IssuerSignIn = { kind: 'issuer' } & Omit<SignInSettings, 'session'>

/** `undoMinutes` is how long after a redemption the shop can undo it: 15 unless given. */
type RedeemSetting = { undoMinutes?: number }

/**
 * Requests in a minute from which the firewall blocks: `floodLimit` of any kind from one address, `callLimit`
 * of `/api/*` from one address, `anonymousLimit` of those without a session, `sessionLimit` of those with one
 * session.
 */
export type FirewallSetting = { floodLimit: number; callLimit: number; anonymousLimit: number; sessionLimit: number }

/**
 * The limits of a stage unless it sets others. A carrier has thousands of people behind one address: 5,000 of them send
 * 75,000 requests in the minute of a start, and 25,000 of these are calls (`npm run preflight -- --per-address`). They
 * are signed in, so calls without a session are sign-ins: 1,500 are those of 750 people. A script that clicks ten times a
 * second with one session is far above what a page sends.
 */
export const usualFirewall: FirewallSetting = {
  ...{ floodLimit: 100_000, callLimit: 32_000 },
  ...{ anonymousLimit: 1500, sessionLimit: 300 },
}

/**
 * `small` has the essential alarms, no dashboards and no additional metrics of CloudFront, and needs no reservations,
 * which a new account cannot give. `full` has everything. No resource with data depends on it, so a stage changes its
 * size in place (docs/how-to/deploy.md, "A small shop").
 */
export type Size = 'small' | 'full'

export type StageSettings = {
  /** Part of every name. */
  name: string
  size: Size
  /** Home region, of everything but the edge; Upstash must have it, too. */
  region: string
  /** Production requires a recipient of alarms, and at full size a reservation for every function. */
  isProduction: boolean
  forecast: Forecast
  sells: Sells
  functions: Record<FunctionName, Capacity>
  /**
   * Whether `provisioned` environments are permanent; otherwise operators provision them before a
   * sale and remove them after it (docs/how-to/operations.md).
   */
  keepProvisioned: boolean
  /** Concurrent invocations of each queue's consumer; a reservation of the consumer must be at least as large. */
  consumers: Record<QueueName, number>
  table: { warmWritesPerSecond: number; warmReadsPerSecond: number }
  edge: { memoryMb: number; challengeCost: number }
  /**
   * `attempt` is part of the gate's name from 2 on: raise it when a former attempt left a gate behind. The gate's logs
   * get their retention in `logRegions`, all unless given (docs/how-to/deploy.md, "7. Deploy").
   */
  gate?: { attempt?: number; logRegions?: readonly EdgeRegion[] }
  /** Issuer and audience of our session tokens, and how long they are valid: 8 hours unless given. */
  session: { issuer: string; audience: string; seconds?: number }
  /**
   * Deploys a payment provider without money, at `/pay/` of the shop, in the place of Stripe (docs/how-to/payments.md).
   * Refused in production.
   */
  simulatesPayments?: boolean
  signIn: CognitoSignIn | IssuerSignIn
  /** Tills and web shops redeem coupons with a key of `sluice/<stage>/shops`; absent: none do. */
  redeem?: RedeemSetting
  /** Shoppers can pay in the checkout of a shop, with reservations that a key of `sluice/<stage>/checkout` signs. */
  checkout?: true
  /**
   * The https address where the shop's own system, which holds the balances of red packets and pays them out, shows a
   * shopper the balance. Wallets link to it.
   */
  balanceUrl?: string
  /** Emails to shoppers; absent: none are sent. */
  mail?: MailSetting
  domain?: Domain
  /** Absent: no firewall. */
  firewall?: FirewallSetting
  /** Budget of the whole account, without Upstash's bill; AWS sends an email to `alarmEmail` when it is used up. */
  monthlyBudgetDollars: number
  /**
   * `personalDays` is how long addresses and email addresses are kept after they were saved; backups keep
   * them for `backupDays` more.
   */
  keep: { logDays: number; accessLogDays: number; backupDays: number; formerVersionDays: number; personalDays: number }
  alarmEmail?: string
  /** Raise it after changing a secret: a deployment reads secrets only then. */
  secretsRevision: number
  quotas: Quotas
} & OptionSettings

/** Returns the stage of that name. A name that every object has, such as `constructor`, is none. */
export const stageNamed = (stages: Readonly<Record<string, StageSettings>>, name = ''): StageSettings | undefined =>
  Object.hasOwn(stages, name) ? stages[name] : undefined

/** Stages that the workflow deploys after a reviewer has seen the difference (`.github/workflows/deploy.yml`). */
export const reviewedStages: readonly string[] = ['small', 'prod']

/** The settings that options add. */
export type OptionSettings = [MemberOf<typeof functions, 'problems'>] extends [(settings: infer Settings) => unknown]
  ? Settings
  : never

/** The settings that say which functions a stage has. */
export type StageParts = Pick<StageSettings, 'mail'> & OptionSettings

/** Returns the functions of options that a stage has. All of them read the stream of the table. */
export const optionsOfStage = (settings: StageParts) =>
  optionFunctionNames.filter((name: FunctionName) => optionFunctions[name]?.isIn(settings) === true)

export const functionsOfStage = (settings: StageParts): readonly FunctionName[] => [
  ...allFunctions,
  ...(settings.mail === undefined ? [] : (['mail'] as const)),
  ...optionsOfStage(settings),
]
