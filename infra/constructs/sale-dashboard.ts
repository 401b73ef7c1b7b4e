/**
 * The dashboard of the home region, most urgent first. The first screen answers three questions: does it sell, are accepted
 * units delivered, is anything stuck. The graphs below explain the answers.
 */

import {
  type Alarm,
  type GraphWidget,
  type IMetric,
  MathExpression,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { eachOf } from '../../core/lib/fold.ts'
import { stacks } from '../../options/registry/stacks.ts'
import { queueNames } from '../../system/queues.ts'
import { createDashboard, fullWidth, graph, half, smallGraph } from './dashboard.ts'
import { maxPerMinute, minute, perMinute } from './metrics.ts'
import { countedBy, countsOf, ownMetric } from './own-metrics.ts'
import { tableMetric } from './sale-alarms.ts'
import { functionsIn, type OptionGraphs, type WatchedSales } from './watched.ts'

const graphsOfOptions: readonly OptionGraphs[] = eachOf(stacks, 'graphs')

export function createSaleDashboard(stack: Construct, watched: WatchedSales, alarms: readonly Alarm[]): void {
  const { mail } = watched.functions
  createDashboard(stack, `sluice-${watched.stage}`, alarms, [
    ...[selling, accepted, stuck].map((row) => row(watched)),
    [heading('Why: Redis and the functions')],
    ...[redis, running].map((row) => row(watched)),
    [heading('Why: the table, money, reconcile')],
    ...[table, reconcile].map((row) => row(watched)),
    ...(mail === undefined ? [] : [mails(watched, mail)]),
    ...graphsOfOptions.map((of) => of(watched)),
  ])
}

const heading = (markdown: string) => new TextWidget({ markdown: `## ${markdown}`, width: fullWidth, height: 1 })

/** Returns graphs of the answers to admitted clicks, and of their orders. */
function selling({ namespace }: WatchedSales): GraphWidget[] {
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

/** Returns graphs that show whether every accepted order is written, and Redis and the table agree. */
function accepted({ namespace }: WatchedSales): GraphWidget[] {
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

function stuck({ queues, failures }: WatchedSales): GraphWidget[] {
  const all = queueNames.map((name) => ({ name, ...queues[name] }))
  return [
    smallGraph(
      'Messages in the queues',
      all.flatMap(({ name, queue }) => [
        queue.metricApproximateNumberOfMessagesVisible({ ...maxPerMinute, label: `${name} waiting` }),
        queue.metricApproximateNumberOfMessagesNotVisible({ ...maxPerMinute, label: `${name} in flight` }),
      ]),
    ),
    smallGraph(
      'Age of the oldest message, s',
      all.map(({ name, queue }) => queue.metricApproximateAgeOfOldestMessage({ ...maxPerMinute, label: name })),
    ),
    smallGraph('Dead letters and failed invocations: must be empty', [
      ...all.map(({ name, deadLetters }) =>
        deadLetters.metricApproximateNumberOfMessagesVisible({ ...maxPerMinute, label: name }),
      ),
      failures.metricApproximateNumberOfMessagesVisible({ ...maxPerMinute, label: 'failed invocations' }),
    ]),
  ]
}

function redis({ namespace }: WatchedSales): GraphWidget[] {
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

function running({ functions }: WatchedSales): GraphWidget[] {
  const each = (metric: (fn: IFunction, label: string) => IMetric) =>
    functionsIn(functions).map(([name, fn]) => metric(fn, name))
  const spilled = functions.reserve.metric('ProvisionedConcurrencySpilloverInvocations', {
    ...perMinute,
    label: 'reserve: not provisioned',
  })
  return [
    smallGraph(
      'Concurrency',
      each((fn, label) => fn.metric('ConcurrentExecutions', { ...maxPerMinute, label })),
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

function table({ namespace, table }: WatchedSales): GraphWidget[] {
  return [
    smallGraph(
      'Transactions; timers',
      countsOf(namespace, 'TransactionsWritten', 'TransactionsRefused', 'DuplicatesDropped', 'DeadlinesScheduled'),
    ),
    smallGraph(
      'Table: consumed units, throttles',
      ['ConsumedWriteCapacityUnits', 'ConsumedReadCapacityUnits'].map((name) => tableMetric(table, name)),
      ['WriteThrottleEvents', 'ReadThrottleEvents'].map((name) => tableMetric(table, name)),
    ),
    smallGraph('Money', countsOf(namespace, 'RefundsAsked', 'RefundFailed', 'WebhookRefused')),
  ]
}

function reconcile({ namespace, functions }: WatchedSales): GraphWidget[] {
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

function mails({ namespace }: WatchedSales, mail: IFunction): GraphWidget[] {
  return [
    graph(
      'Emails to shoppers',
      half,
      countsOf(namespace, 'MailsSent', 'MailsSkipped', 'MailsRejected', 'MailsUnknown', 'MailsFailed'),
    ),
    graph('Age of the oldest change without its email, ms', half, [mail.metric('IteratorAge', maxPerMinute)]),
  ]
}
