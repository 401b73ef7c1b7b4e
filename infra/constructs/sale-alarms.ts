/**
 * When somebody must look, in the region where sales are decided. Three questions are behind every threshold: does it sell, was
 * anybody promised what they do not get, is anything stuck. What the repair puts right within a run or two does not ring.
 */
import { type Alarm, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb'
import type { IScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { listIndex } from '../../functions/stores/table.ts'
import { allFunctions, functionTimeoutSeconds, httpFunctions, reconcileRate } from '../system/functions.ts'
import { type QueueName, queueNames } from '../system/queues.ts'
import { type Bell, quietIsWell, type Ring, ring } from './alarm.ts'
import { filledSum, highest, minute, perMinute } from './metrics.ts'
import { type CounterOf, countedBy, type OwnMetricName, ownMetric } from './own-metrics.ts'
import type { WatchedSales } from './watched.ts'

export type SaleAlarmsProps = WatchedSales & {
  /** Of the schedules of this stage and no other; the group of all that have none belongs to the whole account. */
  schedules: IScheduleGroup
  topic: ITopic
}

/** Said with every run, so silence says nothing new; that there are no runs is an alarm of its own. */
const quietChangesNothing = TreatMissingData.IGNORE

/**
 * Seconds that the oldest message may wait. A message that failed once is hidden for a minute, and that heals; twice is no
 * accident. A timer may be delayed for a quarter of an hour, which is its purpose, and no minute more matters much.
 */
const oldestSeconds: Record<QueueName, number> = { orders: 150, claims: 150, deadlines: 900 + 300 }

/** Redis answers in a few milliseconds. After this long `reserve` no longer waits for the gate's store (`gatePatienceMs`). */
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

export class SaleAlarms extends Construct {
  readonly alarms: readonly Alarm[]

  constructor(scope: Construct, id: string, props: SaleAlarmsProps) {
    super(scope, id)
    const bell: Bell = props
    this.alarms = [
      ...functionRings(props),
      ...redisRings(props),
      ...queueRings(props),
      ...promiseRings(props),
      ...moneyRings(props),
      ...repairRings(props),
      ...tableRings(props.table),
      ...shopRings(props),
      canaryRing(props),
    ].map((rung) => ring(this, bell, rung))
  }
}

function functionRings({ functions, namespace }: SaleAlarmsProps): Ring[] {
  const answering = httpFunctions.map(
    (name): Ring => ({
      about: 'unavailable',
      of: name,
      means: `${name} fails and tells callers to try again.`,
      metric: ownMetric(namespace, name, 'Unavailable', Stats.SUM),
      // One lost reply of Redis or the table is asked again by the page and heals; five in a minute are a part that is unavailable.
      when: { atLeast: 5 },
      for: [2, 3],
      whenMissing: quietIsWell,
    }),
  )
  const all = allFunctions.flatMap((name): Ring[] => [
    {
      about: 'crashed',
      of: name,
      means: `${name} ended without an answer: out of time, out of memory, or a fault in the code.`,
      metric: functions[name].metricErrors(perMinute),
      // What can be expected to fail is caught and counted elsewhere, so one of these is one too many.
      when: { atLeast: 1 },
      for: [1, 1],
      whenMissing: quietIsWell,
    },
    {
      about: 'throttled',
      of: name,
      means: `${name} was not started because as many as may are running.`,
      metric: functions[name].metricThrottles(perMinute),
      // The settings provide for the sale that is expected; a rush is over in a minute, so the first one counts.
      when: { atLeast: 1 },
      for: [1, 1],
      whenMissing: quietIsWell,
    },
  ])
  const slow = (['reserve', 'claim'] as const).map(
    (name): Ring => ({
      about: 'slow',
      of: name,
      means: `Every hundredth call of ${name} takes more than half of the time that it has.`,
      metric: functions[name].metricDuration({ period: minute, statistic: Stats.p(99) }),
      // Far from the milliseconds of a good day, and early enough to see before calls are cut off.
      when: { atLeast: functionTimeoutSeconds(name) * 1000 * 0.5 },
      for: [2, 3],
      whenMissing: quietIsWell,
      isPercentile: true,
    }),
  )
  return [...answering, ...all, ...slow]
}

function redisRings({ namespace }: SaleAlarmsProps): Ring[] {
  const stores = { stock: 'RedisLatency', gate: 'GateRedisLatency' } as const
  return (['reserve', 'claim'] as const).flatMap((name) =>
    (['stock', 'gate'] as const).map(
      (store): Ring => ({
        about: 'redis-latency',
        of: `${name}-${store}`,
        means: `Every hundredth call of ${name} to the ${store} in Redis takes over ${slowRedisMs} ms.`,
        metric: ownMetric(namespace, name, stores[store], Stats.p(99)),
        // The settings reckon with 300 ms for a whole reservation; two calls like this use them up.
        when: { atLeast: slowRedisMs },
        for: [3, 5],
        whenMissing: quietIsWell,
        isPercentile: true,
      }),
    ),
  )
}

function queueRings({ queues, failures, namespace }: SaleAlarmsProps): Ring[] {
  const each = queueNames.flatMap((name): Ring[] => [
    {
      about: 'stuck-messages',
      of: name,
      means: `The oldest message of the queue ${name} waits longer than one failure explains.`,
      metric: queues[name].queue.metricApproximateAgeOfOldestMessage(highest),
      when: { atLeast: oldestSeconds[name] },
      for: [2, 3],
      // SQS says nothing of a queue that nobody used for hours.
      whenMissing: quietIsWell,
    },
    {
      about: 'dead-letters',
      of: name,
      means: `A message of the queue ${name} was given up; the repair tries it again every tenth minute.`,
      metric: queues[name].deadLetters.metricApproximateNumberOfMessagesVisible(highest),
      // Each is a promise to somebody.
      when: { atLeast: 1 },
      for: [1, 1],
      whenMissing: quietIsWell,
    },
  ])
  const givenBack = countedBy.MessagesFailed.map(
    (service): Ring => ({
      about: 'failed-messages',
      of: service,
      means: `${service} gives messages back to its queue, minute after minute.`,
      metric: ownMetric(namespace, service, 'MessagesFailed', Stats.SUM),
      // One batch that met a busy table comes again and is done. What fails in three minutes of five does not heal.
      when: { atLeast: 1 },
      for: [3, 5],
      whenMissing: quietIsWell,
    }),
  )
  const failed: Ring = {
    about: 'failures',
    means: 'An invocation that nobody waited for failed for good, or the schedule could not start one.',
    metric: failures.metricApproximateNumberOfMessagesVisible(highest),
    when: { atLeast: 1 },
    for: [1, 1],
    whenMissing: quietIsWell,
  }
  return [...each, ...givenBack, failed]
}

/** One ring for each function that counts it: any count rings at once, because a person must look at each. */
function eachCounts<Name extends OwnMetricName>(
  { namespace }: SaleAlarmsProps,
  name: Name,
  rung: Pick<Ring, 'about' | 'means'>,
  services: readonly CounterOf<Name>[] = countedBy[name],
): Ring[] {
  return services.map((service) => ({
    ...rung,
    of: service,
    metric: ownMetric<Name>(namespace, service, name, Stats.SUM),
    when: { atLeast: 1 },
    for: [1, 1],
    whenMissing: quietIsWell,
  }))
}

function promiseRings(props: SaleAlarmsProps): Ring[] {
  const { namespace } = props
  return [
    {
      about: 'outbox-age',
      means: 'A promise has waited for two minutes to come into its queue.',
      metric: ownMetric(namespace, 'reconcile', 'OutboxAge', Stats.MAXIMUM),
      // A run looks once a minute and sends what is over ten seconds old: 70 s is normal after a failure, 120 s never.
      when: { atLeast: 120 },
      for: [2, 3],
      whenMissing: quietChangesNothing,
    },
    ...eachCounts(props, 'OrdersRejected', {
      about: 'rejected-orders',
      means: 'Somebody was promised units that they do not get.',
    }),
    ...eachCounts(props, 'ClaimsRefused', {
      about: 'refused-claims',
      means: 'Somebody was shown a red packet that can never be credited.',
    }),
    {
      about: 'drift',
      means: 'Redis and the table disagree about what is sold, and the repair has not put it right.',
      metric: ownMetric(namespace, 'reconcile', 'Drift', Stats.MAXIMUM),
      // One run finds it and mends it, the next says so; a third that still finds it cannot mend it.
      when: { atLeast: 1 },
      for: [3, 5],
      // Not told while orders are on their way, nor of sales that are long over.
      whenMissing: quietIsWell,
    },
  ]
}

function moneyRings(props: SaleAlarmsProps): Ring[] {
  const { namespace } = props
  return [
    ...eachCounts(props, 'MoneyContradicted', {
      about: 'contradicted-money',
      means: 'The payment provider told two amounts of one payment.',
    }),
    ...eachCounts(props, 'RefundMismatch', {
      about: 'mismatched-refunds',
      means: 'The payment provider reports a refund that does not match its payment, so it was not counted.',
    }),
    {
      about: 'failed-refunds',
      means: 'The payment provider does not take requests to send money back.',
      metric: ownMetric(namespace, 'reconcile', 'RefundFailed', Stats.SUM),
      // Asked again every minute.
      when: { atLeast: 1 },
      for: [3, 5],
      whenMissing: quietIsWell,
    },
    {
      about: 'refused-webhooks',
      means: 'Messages about payments are refused, so orders that are paid may be cancelled.',
      metric: ownMetric(namespace, 'payments', 'WebhookRefused', Stats.SUM),
      // Anybody may send nonsense there, and a few do; a provider whose signature does not fit sends one for every payment.
      when: { atLeast: 10 },
      for: [2, 5],
      whenMissing: quietIsWell,
    },
  ]
}

function repairRings(props: SaleAlarmsProps): Ring[] {
  const { namespace, functions, schedules } = props
  return [
    {
      about: 'no-repair',
      means: `The repair, due every ${reconcileRate.everyMinutes} minute, did not run for three.`,
      metric: functions.reconcile.metricInvocations(perMinute),
      when: { below: 1 },
      for: [3, 3],
      // A function that is not invoked has no metric at all.
      whenMissing: TreatMissingData.BREACHING,
    },
    {
      about: 'failing-repair',
      means: 'The repair fails for a sale, or has no time for all of them, run after run.',
      metric: ownMetric(namespace, 'reconcile', 'ReconcileFailed', Stats.SUM),
      // A part that was unavailable for a moment is another try in the next minute.
      when: { atLeast: 1 },
      for: [3, 5],
      whenMissing: quietIsWell,
    },
    {
      about: 'failed-schedule',
      means: 'The schedule could not start the repair.',
      metric: schedules.metricTargetErrors(perMinute),
      // One run that is left out is made good by the next.
      when: { atLeast: 1 },
      for: [3, 5],
      whenMissing: quietIsWell,
    },
    ...eachCounts(
      props,
      'SaleRecovered',
      { about: 'sale-rebuilt', means: 'Redis had lost a sale; the repair has rebuilt it from the table.' },
      // What a marketer asks for surprises nobody.
      ['reconcile'],
    ),
  ]
}

function tableRings({ tableName }: ITableV2): Ring[] {
  const metric = (metricName: string, dimensions: Record<string, string>) =>
    new Metric({
      namespace: 'AWS/DynamoDB',
      metricName,
      dimensionsMap: { TableName: tableName, ...dimensions },
      ...perMinute,
    })
  const throttles = ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => [
    metric(name, {}),
    metric(name, { GlobalSecondaryIndexName: listIndex }),
  ])
  return [
    {
      about: 'table-throttled',
      means: 'The table takes less than is asked of it.',
      metric: filledSum(throttles, 'throttles of the table and its index'),
      // A few are asked again by the SDK and nobody notices; this many mean that the table was not warmed for this sale.
      when: { atLeast: 10 },
      for: [2, 3],
      whenMissing: quietIsWell,
    },
    {
      about: 'table-errors',
      means: 'The table answers with errors of its own.',
      metric: filledSum(
        operations.map((Operation) => metric('SystemErrors', { Operation })),
        'errors of the table',
      ),
      // A single one is asked again.
      when: { atLeast: 5 },
      for: [2, 3],
      whenMissing: quietIsWell,
    },
    {
      about: 'cap-conflicts',
      means: 'Transactions meet at the same item, nearly always the cap of one sale, and are cancelled.',
      metric: filledSum([metric('TransactionConflict', {})], 'cancelled transactions of the table'),
      // Ten writers that meet all the time are cancelled some sixty times a second. A rush does that for seconds; a sixth of it
      // for minutes means that a sale sells faster than one cap item can be written.
      when: { atLeast: 600 },
      for: [3, 5],
      whenMissing: quietIsWell,
    },
  ]
}

/** The only alarm that needs no shopper to notice that nobody can buy. */
function canaryRing({ namespace }: SaleAlarmsProps): Ring {
  return {
    about: 'canary',
    means: 'The shop did not answer as it must: its page, its clock, or a webhook that it must refuse.',
    metric: ownMetric(namespace, 'canary', 'CanaryPassed', Stats.SUM),
    // One run a minute. One that fails may have met a deployment; silence is a canary that does not run.
    when: { below: 1 },
    for: [2, 3],
    whenMissing: TreatMissingData.BREACHING,
  }
}

/** What shoppers see a little late, though nothing is wrong with what they get. */
function shopRings({ namespace }: SaleAlarmsProps): Ring[] {
  const untold = countedBy.GateUpdateFailed.map(
    (service): Ring => ({
      about: 'untold-gate',
      of: service,
      means: `${service} cannot tell the gate what became of clicks.`,
      metric: ownMetric(namespace, service, 'GateUpdateFailed', Stats.SUM),
      // The gate finds out by itself in some fifteen seconds; places are free that much later.
      when: { atLeast: 10 },
      for: [3, 5],
      whenMissing: quietIsWell,
    }),
  )
  const stale = countedBy.PublishFailed.map(
    (service): Ring => ({
      about: 'stale-shopfront',
      of: service,
      means: `${service} cannot publish what is left of a sale.`,
      metric: ownMetric(namespace, service, 'PublishFailed', Stats.SUM),
      // The repair publishes it once a minute as well.
      when: { atLeast: 5 },
      for: [3, 5],
      whenMissing: quietIsWell,
    }),
  )
  return [...untold, ...stale]
}
