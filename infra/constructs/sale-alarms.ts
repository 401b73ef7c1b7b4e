/**
 * Alarms of the home region, most urgent first. Thresholds answer three questions: does it sell, does a shopper lose an
 * accepted order, is anything stuck. Problems that `reconcile` repairs within a run or two cause no alarm.
 */

import { Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { joined } from '../../core/lib/fold.ts'
import { listIndex } from '../../functions/table/keys.ts'
import { stacks } from '../../options/registry/stacks.ts'
import { allFunctions, functionTimeoutSeconds, reconcileRate } from '../../system/functions.ts'
import { type QueueName, queueNames } from '../../system/queues.ts'
import type { AlarmInstance, AlarmRow } from './alarm.ts'
import { filledSum, maxPerMinute, minute, perMinute } from './metrics.ts'
import { type CounterOf, countedBy, type OwnMetricName, ownMetric } from './own-metrics.ts'
import { functionsIn, type WatchedSales } from './watched.ts'

/** `schedules` is a group of this stage alone; the default group belongs to the whole account. */
type Watched = WatchedSales & { schedules: IScheduleGroup }

/**
 * Age of the oldest message. A message that failed once is hidden for a minute and then succeeds; a
 * second failure is no accident. A timer may be delayed for a quarter of an hour on purpose.
 */
const maxAgeSeconds: Record<QueueName, number> = { orders: 150, deadlines: 900 + 300 }

/** Redis answers within milliseconds. `reserve` waits no longer than this for the gate's store (`reportTimeoutMs`). */
const slowRedisMs = 150

/** The operations that our functions use (infra/constructs/sale-table.ts). */
const operations = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
  'TransactWriteItems',
]

/** Returns a metric of our own for each function in `services`, by default all that record it. */
function recorded<Name extends OwnMetricName>(name: Name, services: readonly CounterOf<Name>[] = countedBy[name]) {
  return ({ namespace }: Watched): AlarmInstance[] =>
    services.map((service) => ({ of: service, metric: ownMetric<Name>(namespace, service, name, Stats.SUM) }))
}

type OfReconcile = { [Name in OwnMetricName]: 'reconcile' extends CounterOf<Name> ? Name : never }[OwnMetricName]

/** Returns a metric that only `reconcile` reports, without the function in the alarm's name. */
const ofReconcile =
  (name: OfReconcile, statistic: string = Stats.SUM) =>
  ({ namespace }: Watched): AlarmInstance[] => [{ metric: ownMetric(namespace, 'reconcile', name, statistic) }]

/**
 * All functions but `held-reads`: a page that gets no held answer reads from `orders` or `wallet`, whose alarms start for the
 * same causes, and beyond its reservation it is throttled on purpose.
 */
const alarmedIn = (functions: Watched['functions']) => functionsIn(functions).filter(([name]) => name !== 'held-reads')

const everyFunction =
  (metric: (fn: IFunction) => Metric) =>
  ({ functions }: Watched): AlarmInstance[] =>
    alarmedIn(functions).map(([of, fn]) => ({ of, metric: metric(fn) }))

/** Alarms that only a stage with emails has. */
const ofMail =
  (metric: (fn: IFunction, namespace: string) => Metric) =>
  ({ functions: { mail }, namespace }: Watched): AlarmInstance[] =>
    mail === undefined ? [] : [{ metric: metric(mail, namespace) }]

export const tableMetric = ({ tableName }: ITableV2, metricName: string, dimensions: Record<string, string> = {}) =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName, ...dimensions },
    ...perMinute,
  })

export const saleAlarmRows: readonly AlarmRow<Watched>[] = [
  {
    section: 'unavailable',
    means: (name) => `${name} fails and asks callers to retry.`,
    of: recorded(
      'Unavailable',
      countedBy.Unavailable.filter((name) => name !== 'held-reads'),
    ),
    // The page retries after one lost reply of Redis or the table. Five in a minute mean that a
    // dependency is unavailable.
    atLeast: 5,
    for: [2, 3],
  },
  {
    section: 'crashed',
    isEssential: true,
    means: (name) => `${name} ended without an answer: out of time, out of memory, or a bug.`,
    // Expected failures are caught and counted elsewhere, so the first of these counts.
    of: everyFunction((fn) => fn.metricErrors(perMinute)),
  },
  {
    section: 'throttled',
    means: (name) => `${name} was throttled: it has reached its concurrency limit.`,
    // The settings fit the expected sale, and a rush is over in a minute, so the first one counts. Throttled readers of the
    // stream only delay messages, which have alarms.
    of: ({ functions }) =>
      alarmedIn(functions)
        .filter(([name]) => allFunctions.some((one) => one === name))
        .map(([of, fn]) => ({ of, metric: fn.metricThrottles(perMinute) })),
  },
  {
    section: 'slow',
    means: (name) => `One call of ${name} in a hundred takes more than half of its timeout.`,
    // Far above a normal call, and early enough to act before calls time out.
    of: ({ functions: { reserve } }) => [
      { of: 'reserve', metric: reserve.metricDuration({ period: minute, statistic: Stats.p(99) }) },
    ],
    atLeast: functionTimeoutSeconds('reserve') * 1000 * 0.5,
    for: [2, 3],
    isPercentile: true,
  },
  {
    section: 'redis-latency',
    means: (call) => `One Redis call in a hundred of ${call.replace('-', ' to the ')} takes over ${slowRedisMs} ms.`,
    of: ({ namespace }) => [
      { of: 'reserve-stock', metric: ownMetric(namespace, 'reserve', 'RedisLatency', Stats.p(99)) },
      { of: 'reserve-gate', metric: ownMetric(namespace, 'reserve', 'GateRedisLatency', Stats.p(99)) },
    ],
    // The settings allow 300 ms for a whole reservation; two such calls use them up.
    atLeast: slowRedisMs,
    for: [3, 5],
    isPercentile: true,
  },
  {
    section: 'sale-recovered',
    isEssential: true,
    means: () => 'Redis had lost a sale; reconcile has rebuilt it from the table.',
    // A recovery that a marketer starts is expected.
    of: recorded('SaleRecovered', ['reconcile']),
  },
  {
    section: 'stuck-messages',
    means: (queue) => `The oldest message of the queue ${queue} waits longer than one failure explains.`,
    of: ({ queues }) =>
      queueNames.map((name) => ({
        of: name,
        metric: queues[name].queue.metricApproximateAgeOfOldestMessage(maxPerMinute),
        atLeast: maxAgeSeconds[name],
      })),
    for: [2, 3],
  },
  {
    section: 'failed-messages',
    means: (name) => `${name} returns messages to its queue, minute after minute.`,
    of: recorded('MessagesFailed'),
    // A batch that met a busy table succeeds at the next try. Failures in three minutes of five do
    // not end by themselves.
    for: [3, 5],
  },
  {
    section: 'dead-letters',
    isEssential: true,
    means: (queue) =>
      `A message of the queue ${queue} failed for good; reconcile sends it again every tenth minute, unless it is invalid.`,
    of: ({ queues }) =>
      queueNames.map((name) => ({
        of: name,
        metric: queues[name].deadLetters.metricApproximateNumberOfMessagesVisible(maxPerMinute),
      })),
  },
  {
    section: 'outbox-age',
    isEssential: true,
    means: () => 'An accepted reservation has waited for two minutes to be written to the table.',
    of: ofReconcile('OutboxAge', Stats.MAXIMUM),
    // A run sends every minute what an empty queue cannot have: 70 s is normal after a failure, 120 s is not.
    atLeast: 120,
    for: [2, 3],
    // Reported with every run; missing runs have an alarm of their own.
    whenMissing: TreatMissingData.IGNORE,
  },
  {
    section: 'rejected-orders',
    isEssential: true,
    means: () => 'A shopper does not get the units or the red packet that were reserved.',
    of: recorded('OrdersRejected'),
  },
  {
    section: 'payment-mismatch',
    isEssential: true,
    means: () => 'The payment provider reported two amounts for one payment.',
    of: recorded('MoneyContradicted'),
  },
  {
    section: 'refund-mismatch',
    isEssential: true,
    means: () =>
      'The payment provider reported a refund that does not match its payment, or one that the bank returned.',
    of: recorded('RefundMismatch'),
  },
  {
    section: 'failed-refunds',
    isEssential: true,
    means: () => 'The payment provider does not accept refund requests.',
    // Retried every minute.
    of: ofReconcile('RefundFailed'),
    for: [3, 5],
  },
  {
    section: 'failed-settlements',
    isEssential: true,
    means: () => 'The payment provider neither captures nor releases authorised money, or does not pay wallets out.',
    // Retried every minute; an order keeps its units for five.
    of: ofReconcile('SettlementFailed'),
    for: [2, 5],
  },
  {
    section: 'payment-disputed',
    isEssential: true,
    means: () => 'A shopper wants the money of a payment back from the bank.',
    of: recorded('PaymentDisputed'),
  },
  {
    section: 'rejected-webhooks',
    isEssential: true,
    means: () => 'Payment messages are rejected, so paid orders may be cancelled.',
    of: ({ namespace }) => [{ metric: ownMetric(namespace, 'payments', 'WebhookRefused', Stats.SUM) }],
    // Anyone can send a bad message; a provider whose signature does not match sends one for every payment.
    atLeast: 10,
    for: [2, 5],
  },
  {
    section: 'drift',
    isEssential: true,
    means: () => 'Redis and the table disagree about the units sold, and reconcile has not repaired it.',
    // One run finds and repairs it, the next confirms; a third that still finds it cannot repair
    // it. It is not reported while orders are in flight.
    of: ofReconcile('Drift', Stats.MAXIMUM),
    for: [3, 5],
  },
  {
    section: 'cap-mismatch',
    isEssential: true,
    means: () => 'The units left in a sale’s cap and the units sold are not its stock.',
    // The counters are read at one moment, and nothing repairs a difference.
    of: ofReconcile('CapMismatch', Stats.MAXIMUM),
    for: [2, 3],
  },
  {
    section: 'reconcile-not-running',
    isEssential: true,
    means: () => `reconcile, due every ${reconcileRate.everyMinutes} minute, has not run for three.`,
    of: ({ functions }) => [{ metric: functions.reconcile.metricInvocations(perMinute) }],
    below: 1,
    for: [3, 3],
    // A function that is not invoked has no metric.
    whenMissing: TreatMissingData.BREACHING,
  },
  {
    section: 'reconcile-failing',
    isEssential: true,
    means: () => 'reconcile fails for a sale, or has no time for all of them, run after run.',
    // A dependency that was unavailable for a moment is tried again in the next minute.
    of: ofReconcile('ReconcileFailed'),
    for: [3, 5],
  },
  {
    section: 'failed-invocations',
    isEssential: true,
    means: () => 'An asynchronous invocation failed for good, or the schedule could not start one.',
    of: ({ failures }) => [{ metric: failures.metricApproximateNumberOfMessagesVisible(maxPerMinute) }],
  },
  {
    section: 'failed-schedule',
    means: () => 'The schedule could not start reconcile.',
    // The next run does the work of a skipped one.
    of: ({ schedules }) => [{ metric: schedules.metricTargetErrors(perMinute) }],
    for: [3, 5],
  },
  {
    section: 'table-throttled',
    means: () => 'DynamoDB throttles the table or its index.',
    of: ({ table }) => [
      {
        metric: filledSum(
          ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => [
            tableMetric(table, name),
            tableMetric(table, name, { GlobalSecondaryIndexName: listIndex }),
          ]),
          'throttles of the table and its index',
        ),
      },
    ],
    // The SDK retries a few unnoticed; this many mean that the warm throughput does not fit the sale.
    atLeast: 10,
    for: [2, 3],
  },
  {
    section: 'table-errors',
    means: () => 'DynamoDB answers with errors of its own.',
    of: ({ table }) => [
      {
        metric: filledSum(
          operations.map((Operation) => tableMetric(table, 'SystemErrors', { Operation })),
          'errors of the table',
        ),
      },
    ],
    // The SDK retries a single one.
    atLeast: 5,
    for: [2, 3],
  },
  {
    section: 'cap-conflicts',
    means: () => 'Transactions conflict on one item, nearly always the cap of one sale, and are cancelled.',
    of: ({ table }) => [
      { metric: filledSum([tableMetric(table, 'TransactionConflict')], 'cancelled transactions of the table') },
    ],
    // Ten writers that always conflict cancel about sixty a second. A rush does that for seconds; a
    // sixth of it for minutes means that a sale sells faster than its cap can be written.
    atLeast: 600,
    for: [3, 5],
  },
  {
    section: 'gate-notify-failed',
    means: (name) => `${name} cannot write completed admissions to the gate's store.`,
    of: recorded('GateUpdateFailed'),
    // The gate expires such admissions after about fifteen seconds; places become free that much later.
    atLeast: 10,
    for: [3, 5],
  },
  {
    section: 'publish-failed',
    means: (name) => `${name} cannot publish the units left of a sale.`,
    of: recorded('PublishFailed'),
    // reconcile publishes them once a minute as well.
    atLeast: 5,
    for: [3, 5],
  },
  {
    section: 'edge-store-failed',
    means: (name) => `${name} cannot write to the key-value store of the CloudFront Functions.`,
    of: recorded('EdgeStoreFailed'),
    // Every run tries again; failures in three minutes of five do not end by themselves.
    atLeast: 1,
    for: [3, 5],
  },
  {
    section: 'edge-store-stale',
    means: () => 'A change of a sale has waited for a minute to reach the key-value store of the CloudFront Functions.',
    of: ofReconcile('EdgeStoreLagMs', Stats.MAXIMUM),
    // A run that conflicts with another writer publishes with the next one.
    atLeast: 60_000,
    for: [2, 3],
  },
  {
    section: 'late-mails',
    isEssential: true,
    means: () => 'Emails to shoppers wait: SES does not take them, or the function fails.',
    // A throttled SES empties a queue of a thousand emails in two minutes. Longer, and requests for
    // payment come too late.
    of: ofMail((mail) => mail.metric('IteratorAge', maxPerMinute)),
    atLeast: 300_000,
    for: [3, 5],
  },
  {
    section: 'rejected-mails',
    isEssential: true,
    means: () => 'SES rejects emails to shoppers; they are not sent again.',
    // Some shoppers mistype their address; an account in the sandbox rejects nearly all of them.
    of: ofMail((_, namespace) => ownMetric(namespace, 'mail', 'MailsRejected', Stats.SUM)),
    atLeast: 10,
    for: [2, 5],
  },
  ...joined(stacks, 'alarms'),
  {
    section: 'canary',
    isEssential: true,
    means: () => 'The shop failed a check from outside: its page, its clock, or a webhook that it must reject.',
    of: ({ namespace }) => [{ metric: ownMetric(namespace, 'canary', 'CanaryPassed', Stats.SUM) }],
    // One run a minute. A single failure may be a deployment; silence is a canary that does not run.
    below: 1,
    for: [2, 3],
    whenMissing: TreatMissingData.BREACHING,
  },
]
