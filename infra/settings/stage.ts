/** What one stage of the system is given: all that differs between stages, and nothing that is secret. */
import type { SaleKind } from '../../core/sale.ts'
import type { FunctionName } from '../../system/functions.ts'
import type { QueueName } from '../../system/queues.ts'
import type { Forecast } from './arithmetic.ts'
import type { Quotas } from './quotas.ts'

export type { Quotas } from './quotas.ts'

/**
 * `reserved` is both what no other function can take and the most this one gets. `provisioned` environments are started
 * before anybody asks, and are paid for by the hour.
 */
export type Capacity = { memoryMb: number; reserved?: number; provisioned?: number }

/** Kinds of sale that the forecast is for. The functions of other kinds get a small share. */
export type Sells = readonly SaleKind[]

/** An address of the shop's own. The certificate is for CloudFront, so it is one of us-east-1. */
export type Domain = { name: string; certificateArn: string; hostedZone?: { id: string; name: string } }

export type StageSettings = {
  /** Part of every name. */
  name: string
  /** Where all but the edge is; one that Upstash has, too. */
  region: string
  /** Whether things are sold here for real: then a person must receive alarms, and no function shares a pool with the gate. */
  isProduction: boolean
  forecast: Forecast
  sells: Sells
  functions: Record<FunctionName, Capacity>
  /**
   * Whether `provisioned` environments are there all the time, and paid for; otherwise operators put them there before a
   * sale and take them away after it (docs/operations.md).
   */
  keepProvisioned: boolean
  /** Invocations of a queue's consumer at once; where its consumer has a reservation, that is at least as many. */
  consumers: Record<QueueName, number>
  table: { warmWritesPerSecond: number; warmReadsPerSecond: number }
  edge: { memoryMb: number; challengeCost: number }
  /** Who signs sessions, and whom for; `host` serves `/sign-in/*`. */
  signIn: { issuer: string; audience: string; host?: string }
  domain?: Domain
  /** Requests from one address in a minute that are no shopper's any more; without it there is no firewall. */
  firewall?: { floodLimit: number }
  /** What the whole account may cost in a month before `alarmEmail` gets a mail. Upstash's bill is not in it. */
  monthlyBudgetDollars: number
  keep: { logDays: number; accessLogDays: number; backupDays: number; formerVersionDays: number }
  /** Who receives alarms. */
  alarmEmail?: string
  /** To be raised when a secret has changed: only then does a deployment read the secrets again. */
  secretsRevision: number
  quotas: Quotas
}
