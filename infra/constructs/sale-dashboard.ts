/**
 * The dashboard of the home region, most urgent first. The first screen answers three questions: does it sell, are
 * accepted units delivered, is anything stuck. The graphs below explain the answers.
 */
import {
  type Alarm,
  type GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { graphs } from '../../options/lists/infra/option.ts'
import { queueNames } from '../../system/queues.ts'
import { createDashboard, fullWidth, graph, half, smallGraph } from './dashboard.ts'
import { highest, minute, perMinute } from './metrics.ts'
import { countedBy, countsOf, ownMetric } from './own-metrics.ts'
import { functionsIn, type OptionGraphs, type WatchedSales } from './watched.ts'

const ofOptions: readonly OptionGraphs[] = graphs

export type SaleDashboardProps = WatchedSales & { alarms: readonly Alarm[] }

export class SaleDashboard extends Construct {
  constructor(scope: Construct, id: string, props: SaleDashboardProps) {
    super(scope, id)
    const dashboard = createDashboard(this, `sluice-${props.stage}`, props.alarms)
    dashboard.addWidgets(...selling(props))
    dashboard.addWidgets(...accepted(props))
    dashboard.addWidgets(...stuck(props))
    dashboard.addWidgets(heading('Why: Redis and the functions'))
    dashboard.addWidgets(...redis(props))
    dashboard.addWidgets(...running(props))
    dashboard.addWidgets(heading('Why: the table, money, reconcile'))
    dashboard.addWidgets(...table(props))
    dashboard.addWidgets(...reconcile(props))
    if (props.functions.mail !== undefined) dashboard.addWidgets(...mails(props, props.functions.mail))
    for (const of of ofOptions) dashboard.addWidgets(...of(props))
  }
}

const heading = (markdown: string) => new TextWidget({ markdown: `## ${markdown}`, width: fullWidth, height: 1 })

/** Answers to admitted clicks, and what happens to their orders. */
function selling({ namespace }: SaleDashboardProps): GraphWidget[] {
  return [
    smallGraph(
      'Clicks that passed the gate',
      countsOf(namespace, 'Reserved', 'SoldOut', 'Refused', 'Throttled', 'Repeated'),
    ),
    smallGraph(
      'Orders written, paid, cancelled',
      countsOf(namespace, 'OrdersWritten', 'OrdersPaid', 'OrdersCancelled'),
    ),
    smallGraph('Asked to retry (503)', countsOf(namespace, 'Unavailable')),
  ]
}

/** Every accepted order must be written, and Redis and the table must agree. */
function accepted({ namespace }: SaleDashboardProps): GraphWidget[] {
  const totalOf = (name: 'Reserved' | 'OrdersWritten', label: string) =>
    countsOf(namespace, name).map((metric, index) => {
      const id = `${name.toLowerCase()}${index}`
      return new MathExpression({
        expression: `RUNNING_SUM(${id})`,
        usingMetrics: { [id]: metric },
        label: `${label} (${countedBy[name][index]})`,
        period: minute,
      })
    })
  return [
    smallGraph('Accepted and written, since the left edge', [
      ...totalOf('Reserved', 'orders accepted'),
      ...totalOf('OrdersWritten', 'orders written'),
    ]),
    smallGraph(
      'Outbox; drift between Redis and the table',
      [
        ownMetric(namespace, 'reconcile', 'OutboxSize', Stats.MAXIMUM),
        ownMetric(namespace, 'reconcile', 'Drift', Stats.MAXIMUM),
      ],
      [ownMetric(namespace, 'reconcile', 'OutboxAge', Stats.MAXIMUM)],
    ),
    smallGraph(
      'Rejected after acceptance: must be empty',
      countsOf(namespace, 'OrdersRejected', 'MoneyContradicted', 'RefundMismatch', 'Undeliverable'),
    ),
  ]
}

function stuck({ queues, failures }: SaleDashboardProps): GraphWidget[] {
  const all = queueNames.map((name) => ({ name, ...queues[name] }))
  return [
    smallGraph(
      'Messages in the queues',
      all.flatMap(({ name, queue }) => [
        queue.metricApproximateNumberOfMessagesVisible({ ...highest, label: `${name} waiting` }),
        queue.metricApproximateNumberOfMessagesNotVisible({ ...highest, label: `${name} in flight` }),
      ]),
    ),
    smallGraph(
      'Age of the oldest message, s',
      all.map(({ name, queue }) => queue.metricApproximateAgeOfOldestMessage({ ...highest, label: name })),
    ),
    smallGraph('Dead letters and failed invocations: must be empty', [
      ...all.map(({ name, deadLetters }) =>
        deadLetters.metricApproximateNumberOfMessagesVisible({ ...highest, label: name }),
      ),
      failures.metricApproximateNumberOfMessagesVisible({ ...highest, label: 'failed invocations' }),
    ]),
  ]
}

function redis({ namespace }: SaleDashboardProps): GraphWidget[] {
  const callers = ['reserve', 'reconcile'] as const
  const statistics = [Stats.p(50), Stats.p(99), Stats.MAXIMUM]
  const times = (name: 'RedisLatency' | 'GateRedisLatency') =>
    callers.flatMap((service) =>
      statistics.map((statistic) =>
        ownMetric(namespace, service, name, statistic).with({ label: `${service} ${statistic}` }),
      ),
    )
  return [
    graph('Redis, stock, ms', half, times('RedisLatency')),
    graph('Redis, gate, ms', half, times('GateRedisLatency')),
  ]
}

function running({ functions }: SaleDashboardProps): GraphWidget[] {
  const each = (metric: (fn: IFunction, label: string) => IMetric) =>
    functionsIn(functions).map(([name, fn]) => metric(fn, name))
  const spilled = functions.reserve.metric('ProvisionedConcurrencySpilloverInvocations', {
    ...perMinute,
    label: 'reserve: not provisioned',
  })
  return [
    smallGraph(
      'Concurrency',
      each((fn, label) => fn.metric('ConcurrentExecutions', { ...highest, label })),
      [spilled],
    ),
    smallGraph('Throttled and crashed', [
      ...each((fn, label) => fn.metricThrottles({ ...perMinute, label: `${label} throttled` })),
      ...each((fn, label) => fn.metricErrors({ ...perMinute, label: `${label} crashed` })),
    ]),
    smallGraph(
      'Duration p99, ms',
      each((fn, label) => fn.metricDuration({ period: minute, statistic: Stats.p(99), label })),
    ),
  ]
}

function table({ namespace, table: { tableName } }: SaleDashboardProps): GraphWidget[] {
  const capacity = (metricName: string) =>
    new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap: { TableName: tableName }, ...perMinute })
  return [
    smallGraph(
      'Transactions; timers',
      countsOf(namespace, 'TransactionsWritten', 'TransactionsRefused', 'DuplicatesDropped', 'DeadlinesScheduled'),
    ),
    smallGraph(
      'Table: consumed units, throttles',
      [capacity('ConsumedWriteCapacityUnits'), capacity('ConsumedReadCapacityUnits')],
      [capacity('WriteThrottleEvents'), capacity('ReadThrottleEvents')],
    ),
    smallGraph('Money', countsOf(namespace, 'RefundsAsked', 'RefundFailed', 'WebhookRefused')),
  ]
}

function reconcile({ namespace, functions }: SaleDashboardProps): GraphWidget[] {
  return [
    smallGraph('reconcile', countsOf(namespace, 'ReconcileFailed', 'SaleRecovered', 'OutboxResent'), [
      functions.reconcile.metricInvocations({ ...perMinute, label: 'runs' }),
    ]),
    smallGraph(
      'Repaired',
      countsOf(namespace, 'HoldsReleased', 'HoldsRestored', 'OrdersReleased', 'DeadLettered', 'MessagesFailed'),
    ),
    smallGraph(
      'Failed notifications; longest wait for the key-value store, ms',
      countsOf(
        namespace,
        'SendFailed',
        'AcknowledgeFailed',
        'GateUpdateFailed',
        'PublishFailed',
        'ReleaseFailed',
        'EdgeStoreFailed',
      ),
      [ownMetric(namespace, 'reconcile', 'EdgeStoreLagMs', Stats.MAXIMUM)],
    ),
  ]
}

function mails({ namespace }: SaleDashboardProps, mail: IFunction): GraphWidget[] {
  return [
    graph(
      'E-mails to shoppers',
      half,
      countsOf(namespace, 'MailsSent', 'MailsSkipped', 'MailsRejected', 'MailsUnknown', 'MailsFailed'),
    ),
    graph('Age of the oldest change without its e-mail, ms', half, [mail.metric('IteratorAge', highest)]),
  ]
}
