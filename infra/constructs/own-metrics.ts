/**
 * The functions' own metrics, in the stage's namespace, with the function as `service`
 * (functions/lib/telemetry.powertools.ts). A test compares the table with the code.
 */
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import { joined } from '../../core/lib/fold.ts'
import { optionMetrics } from '../../core/options.ts'
import type { LatencyName, MetricName } from '../../functions/lib/telemetry.ts'
import { functions } from '../../options/registry/functions.ts'
import { type FunctionName, httpFunctions } from '../../system/functions.ts'
import { minute } from './metrics.ts'

export type OwnMetricName = MetricName | LatencyName

const ofOptions = joined(functions, 'redisCallers')

type OptionMetrics = typeof optionMetrics
type OptionMetric = OptionMetrics[keyof OptionMetrics][number]

/** Each metric of an option with the functions that record it. */
const metricsOfOptions = byMetric<keyof OptionMetrics & string, OptionMetric>(optionMetrics)

function byMetric<Fn extends string, Name extends string>(metrics: Readonly<Record<string, readonly string[]>>) {
  const entries = Object.entries(metrics).flatMap(([fn, names]) => names.map((name) => [name, [fn as Fn]] as const))
  return Object.fromEntries<readonly Fn[]>(entries) as Record<Name, readonly Fn[]>
}

const orderChangers = ['order-changes', 'payments', 'control', 'cancel-unpaid', 'reconcile'] as const
const redisCallers = [
  'reserve',
  'orders',
  'held-reads',
  ...ofOptions,
  'order-changes',
  'payments',
  'control',
  'write-orders',
  'cancel-unpaid',
  'reconcile',
] as const

export const countedBy = {
  Reserved: ['reserve'],
  Repeated: ['reserve'],
  SoldOut: ['reserve'],
  Refused: ['reserve'],
  Throttled: ['reserve'],
  Unavailable: httpFunctions,
  SendFailed: ['reserve', 'control', 'payments'],
  AcknowledgeFailed: ['write-orders'],
  GateUpdateFailed: ['reserve', 'write-orders'],
  OrdersWritten: ['write-orders'],
  OrdersRejected: ['write-orders', 'control', 'reconcile'],
  TransactionsWritten: ['write-orders'],
  TransactionsRefused: ['write-orders'],
  DuplicatesDropped: ['write-orders'],
  MessagesFailed: ['write-orders', 'cancel-unpaid'],
  PublishFailed: ['write-orders'],
  EdgeStoreFailed: ['control', 'reconcile'],
  EdgeStoreLagMs: ['control', 'reconcile'],
  OutboxSize: ['reconcile'],
  OutboxAge: ['reconcile'],
  OutboxResent: ['reconcile'],
  ReconcileFailed: ['control', 'reconcile'],
  OrdersReleased: orderChangers,
  ReleaseFailed: orderChangers,
  OrdersCancelled: orderChangers,
  OrdersPaid: orderChangers,
  RefundsAsked: orderChangers,
  RefundFailed: orderChangers,
  MoneyContradicted: orderChangers,
  RefundMismatch: orderChangers,
  PaymentDisputed: ['payments'],
  SettlementFailed: ['reconcile'],
  Undeliverable: ['control', 'reconcile'],
  DeadLettered: ['write-orders', 'cancel-unpaid'],
  DeadlinesScheduled: ['write-orders', 'cancel-unpaid'],
  HoldsReleased: ['control', 'reconcile'],
  HoldsRestored: ['control', 'reconcile'],
  Drift: ['control', 'reconcile'],
  CapMismatch: ['control', 'reconcile'],
  SaleRecovered: ['control', 'reconcile'],
  WebhookRefused: ['payments'],
  SignInRefused: ['sign-in'],
  MailsSent: ['mail'],
  MailsSkipped: ['mail'],
  MailsRejected: ['mail'],
  MailsUnknown: ['mail'],
  MailsFailed: ['mail'],
  ...metricsOfOptions,
  CanaryPassed: ['canary'],
  CanaryFailed: ['canary'],
  RedisLatency: redisCallers,
  GateRedisLatency: [
    'reserve',
    'order-changes',
    'payments',
    'control',
    'cancel-unpaid',
    'reconcile',
    'write-orders',
    ...ofOptions,
  ],
} as const satisfies Record<OwnMetricName, readonly FunctionName[]>

/** The metrics that an idle stage records every minute, which are billed all month. */
export const recordedWhenIdle = {
  reconcile: ['OutboxResent', 'OutboxSize', 'OutboxAge', 'RedisLatency', 'GateRedisLatency'],
  canary: ['CanaryPassed'],
} as const satisfies Partial<Record<FunctionName, readonly OwnMetricName[]>>

/** The functions that record `Name`. */
export type CounterOf<Name extends OwnMetricName> = (typeof countedBy)[Name][number]

/** Returns metric `Name` of `service`, by the minute. */
export function ownMetric<Name extends OwnMetricName>(
  namespace: string,
  service: CounterOf<Name>,
  metricName: Name,
  statistic: string,
): Metric {
  return new Metric({
    namespace,
    metricName,
    dimensionsMap: { service },
    statistic,
    period: minute,
    label: `${metricName} ${service}`,
  })
}

/** Returns the sum of each metric, one for each function that records it. */
export function countsOf(namespace: string, ...names: readonly OwnMetricName[]): Metric[] {
  return names.flatMap((name) => {
    const services: readonly CounterOf<OwnMetricName>[] = countedBy[name]
    return services.map((service) => ownMetric(namespace, service, name, Stats.SUM))
  })
}
