/**
 * What people look at during a sale, from the most urgent down. The first screen answers three questions: is it selling, is
 * anybody being lied to, what is stuck. Below is what explains the answers.
 */
import {
  type Alarm,
  AlarmState,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  PeriodOverride,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { allFunctions, type FunctionName } from '../system/functions.ts'
import { type QueueName, queueNames } from '../system/queues.ts'
import { runbook } from './alarm.ts'
import { countedBy, countsOf, minute, ownMetric } from './own-metrics.ts'

export type SaleDashboardProps = {
  stage: string
  /** Of the functions' own metrics. */
  namespace: string
  /** What is invoked: the alias, where there is one. */
  functions: Record<FunctionName, IFunction>
  queues: Record<QueueName, { queue: IQueue; deadLetters: IQueue }>
  failures: IQueue
  table: ITableV2
  alarms: readonly Alarm[]
}

const fullWidth = 24
const third = fullWidth / 3
const half = fullWidth / 2

export class SaleDashboard extends Construct {
  constructor(scope: Construct, id: string, props: SaleDashboardProps) {
    super(scope, id)
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName: `sluice-${props.stage}`,
      periodOverride: PeriodOverride.INHERIT,
    })
    dashboard.addWidgets(
      new AlarmStatusWidget({
        title: `Alarms that ring (${runbook})`,
        alarms: [...props.alarms],
        states: [AlarmState.ALARM],
        width: fullWidth,
        height: 3,
      }),
    )
    dashboard.addWidgets(...selling(props))
    dashboard.addWidgets(...promises(props))
    dashboard.addWidgets(...stuck(props))
    dashboard.addWidgets(heading('Why: Redis and the functions'))
    dashboard.addWidgets(...redis(props))
    dashboard.addWidgets(...running(props))
    dashboard.addWidgets(heading('Why: the table, money, the repair'))
    dashboard.addWidgets(...table(props))
    dashboard.addWidgets(...repair(props))
  }
}

const heading = (markdown: string) =>
  new TextWidget({ markdown: `## ${markdown}`, width: fullWidth, height: 1 })

function graph(
  title: string,
  width: number,
  left: readonly IMetric[],
  right: readonly IMetric[] = [],
): GraphWidget {
  return new GraphWidget({ title, width, height: 6, left: [...left], right: [...right], period: minute })
}

const perMinute = { period: minute, statistic: Stats.SUM }
const highest = { period: minute, statistic: Stats.MAXIMUM }

/** Is it selling: what clicks are told that came this far, and what becomes of their orders. */
function selling({ namespace }: SaleDashboardProps): GraphWidget[] {
  const counts = (name: Parameters<typeof countsOf>[1]) => countsOf(namespace, name)
  return [
    graph('Clicks that passed the gate', third, [
      ...counts('Reserved'),
      ...counts('Claimed'),
      ...counts('SoldOut'),
      ...counts('Refused'),
      ...counts('Throttled'),
      ...counts('Repeated'),
    ]),
    graph('Orders written, paid, cancelled', third, [
      ...counts('OrdersWritten'),
      ...counts('WalletsCredited'),
      ...counts('OrdersPaid'),
      ...counts('OrdersCancelled'),
    ]),
    graph('Told to try again (503)', third, counts('Unavailable')),
  ]
}

/** Is anybody being lied to: every promise must be written, and Redis and the table must agree. */
function promises({ namespace }: SaleDashboardProps): GraphWidget[] {
  const inAllOf = (name: 'Reserved' | 'Claimed' | 'OrdersWritten' | 'WalletsCredited', label: string) =>
    countsOf(namespace, name).map((metric, index) => {
      const id = `${name.toLowerCase()}${index}`
      return new MathExpression({
        expression: `RUNNING_SUM(${id})`,
        usingMetrics: { [id]: metric },
        label: `${label} (${countedBy[name][index]})`,
        period: minute,
      })
    })
  const told = (name: 'OrdersRejected' | 'ClaimsRefused' | 'MoneyContradicted' | 'Undeliverable') =>
    countsOf(namespace, name)
  return [
    graph('Promised and kept, since the left edge', third, [
      ...inAllOf('Reserved', 'orders promised'),
      ...inAllOf('OrdersWritten', 'orders written'),
      ...inAllOf('Claimed', 'packets promised'),
      ...inAllOf('WalletsCredited', 'packets credited'),
    ]),
    graph(
      'Not yet in a queue; Redis against the table',
      third,
      [
        ownMetric(namespace, 'reconcile', 'OutboxSize', Stats.MAXIMUM),
        ownMetric(namespace, 'reconcile', 'Drift', Stats.MAXIMUM),
      ],
      [ownMetric(namespace, 'reconcile', 'OutboxAge', Stats.MAXIMUM)],
    ),
    graph('Promises broken: must be empty', third, [
      ...told('OrdersRejected'),
      ...told('ClaimsRefused'),
      ...told('MoneyContradicted'),
      ...told('Undeliverable'),
    ]),
  ]
}

/** What is stuck. */
function stuck({ queues, failures }: SaleDashboardProps): GraphWidget[] {
  const all = queueNames.map((name) => ({ name, ...queues[name] }))
  return [
    graph(
      'Messages in the queues',
      third,
      all.flatMap(({ name, queue }) => [
        queue.metricApproximateNumberOfMessagesVisible({ ...highest, label: `${name} waiting` }),
        queue.metricApproximateNumberOfMessagesNotVisible({ ...highest, label: `${name} in work` }),
      ]),
    ),
    graph(
      'Age of the oldest message, s',
      third,
      all.map(({ name, queue }) => queue.metricApproximateAgeOfOldestMessage({ ...highest, label: name })),
    ),
    graph('Dead letters and failures: must be empty', third, [
      ...all.map(({ name, deadLetters }) =>
        deadLetters.metricApproximateNumberOfMessagesVisible({ ...highest, label: name }),
      ),
      failures.metricApproximateNumberOfMessagesVisible({ ...highest, label: 'failures' }),
    ]),
  ]
}

function redis({ namespace }: SaleDashboardProps): GraphWidget[] {
  const callers = ['reserve', 'claim', 'reconcile'] as const
  const statistics = [Stats.p(50), Stats.p(99), Stats.MAXIMUM]
  const times = (name: 'RedisLatency' | 'GateRedisLatency') =>
    callers.flatMap((service) =>
      statistics.map((statistic) =>
        ownMetric(namespace, service, name, statistic).with({ label: `${service} ${statistic}` }),
      ),
    )
  return [
    graph('Redis, the exact store, ms', half, times('RedisLatency')),
    graph('Redis, what the edge believes, ms', half, times('GateRedisLatency')),
  ]
}

function running({ functions }: SaleDashboardProps): GraphWidget[] {
  const each = (metric: (fn: IFunction, label: string) => IMetric) =>
    allFunctions.map((name) => metric(functions[name], name))
  const spilled = (['reserve', 'claim'] as const).map((name) =>
    functions[name].metric('ProvisionedConcurrencySpilloverInvocations', {
      ...perMinute,
      label: `${name}: no environment was ready`,
    }),
  )
  return [
    graph(
      'Running at once',
      third,
      each((fn, label) => fn.metric('ConcurrentExecutions', { ...highest, label })),
      spilled,
    ),
    graph('Throttled and crashed', third, [
      ...each((fn, label) => fn.metricThrottles({ ...perMinute, label: `${label} throttled` })),
      ...each((fn, label) => fn.metricErrors({ ...perMinute, label: `${label} crashed` })),
    ]),
    graph(
      'Duration p99, ms',
      third,
      each((fn, label) => fn.metricDuration({ period: minute, statistic: Stats.p(99), label })),
    ),
  ]
}

function table({ namespace, table: { tableName } }: SaleDashboardProps): GraphWidget[] {
  const counts = (name: Parameters<typeof countsOf>[1]) => countsOf(namespace, name)
  const capacity = (metricName: string) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: tableName },
      ...perMinute,
    })
  return [
    graph('Transactions; timers set', third, [
      ...counts('TransactionsWritten'),
      ...counts('TransactionsRefused'),
      ...counts('DuplicatesDropped'),
      ...counts('DeadlinesScheduled'),
    ]),
    graph(
      'The table: units used, throttles',
      third,
      [capacity('ConsumedWriteCapacityUnits'), capacity('ConsumedReadCapacityUnits')],
      [capacity('WriteThrottleEvents'), capacity('ReadThrottleEvents')],
    ),
    graph('Money', third, [
      ...counts('RefundsAsked'),
      ...counts('RefundFailed'),
      ...counts('WebhookRefused'),
    ]),
  ]
}

function repair({ namespace, functions }: SaleDashboardProps): GraphWidget[] {
  const counts = (name: Parameters<typeof countsOf>[1]) => countsOf(namespace, name)
  return [
    graph(
      'The repair',
      third,
      [...counts('ReconcileFailed'), ...counts('SaleRecovered'), ...counts('OutboxResent')],
      [functions.reconcile.metricInvocations({ ...perMinute, label: 'runs' })],
    ),
    graph('Put right', third, [
      ...counts('HoldsReleased'),
      ...counts('HoldsRestored'),
      ...counts('OrdersReleased'),
      ...counts('DeadLettered'),
      ...counts('MessagesFailed'),
    ]),
    graph('Told late', third, [
      ...counts('SendFailed'),
      ...counts('AcknowledgeFailed'),
      ...counts('GateUpdateFailed'),
      ...counts('PublishFailed'),
      ...counts('ReleaseFailed'),
    ]),
  ]
}
