/** Checks what operators see in the deployed templates against the code and the runbook. */
import { readFileSync } from 'node:fs'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { parse } from '../../core/lib/parse.ts'
import { AlarmTopic, createAlarms, runbook } from '../../infra/constructs/alarm.ts'
import { edgeAlarmRows } from '../../infra/constructs/edge-alarms.ts'
import { createEdgeDashboard } from '../../infra/constructs/edge-dashboard.ts'
import { countedBy } from '../../infra/constructs/own-metrics.ts'
import { saleAlarmRows } from '../../infra/constructs/sale-alarms.ts'
import { createSaleDashboard } from '../../infra/constructs/sale-dashboard.ts'
import { edgeRegions } from '../../system/edge-regions.ts'
import { allFunctions, everyFunction, type FunctionName, perFunction } from '../../system/functions.ts'
import { queueNames } from '../../system/queues.ts'
import { newFolder } from '../folders.ts'
import { readableBundles } from './readable-bundles.ts'
import { describeStage, unvalidated } from './support.ts'

const stage = 'test'
const namespace = `Sluice/${stage}`
const account = '123456789012'

function appWithAll(): App {
  const app = new App({ outdir: newFolder('synth') })
  const sale = new Stack(app, 'sale', { env: { account, region: 'eu-west-1' } })
  const queueOf = (name: string) =>
    Queue.fromQueueArn(sale, `queue-${name}`, `arn:aws:sqs:eu-west-1:${account}:sluice-${stage}-${name}`)
  const functionOf = (name: FunctionName) => LambdaFunction.fromFunctionName(sale, name, `sluice-${stage}-${name}`)
  const pairOf = (name: string) => ({ queue: queueOf(name), deadLetters: queueOf(`${name}-dlq`) })
  const props = {
    stage,
    namespace,
    functions: {
      ...perFunction(functionOf),
      ...Object.fromEntries(
        everyFunction
          .filter((name) => !allFunctions.some((one) => one === name))
          .map((name) => [name, functionOf(name)]),
      ),
    },
    queues: { orders: pairOf('orders'), deadlines: pairOf('deadlines') },
    failures: queueOf('failures'),
    table: TableV2.fromTableName(sale, 'Table', `sluice-${stage}`),
    schedules: ScheduleGroup.fromScheduleGroupName(sale, 'Schedules', `sluice-${stage}`),
  }
  const { topic } = new AlarmTopic(sale, 'Topic', { stage, email: 'operator@example.com' })
  const alarms = createAlarms(sale, saleAlarmRows, props, { size: 'full', topic })
  createSaleDashboard(sale, props, alarms)

  const edge = new Stack(app, 'edge', { env: { account, region: 'us-east-1' } })
  const way = {
    stage,
    distributionId: 'E123',
    gate: { functionName: `sluice-${stage}-gate` },
    viewerFunctionNames: [`sluice-${stage}-pre-gate`, `sluice-${stage}-site-paths`],
    firewall: `sluice-${stage}`,
  }
  const edgeTopic = new AlarmTopic(edge, 'Topic', { stage })
  const edgeAlarms = createAlarms(edge, edgeAlarmRows, way, { size: 'full', topic: edgeTopic.topic })
  createEdgeDashboard(edge, way, edgeAlarms)
  return app
}

const dimension = z.object({ Name: z.string(), Value: z.unknown() })
const plainMetric = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z._default(z.array(dimension), []),
})
const alarmProperties = z.looseObject({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmActions: z._default(z.array(z.object({ Ref: z.string() })), []),
  OKActions: z._default(z.array(z.object({ Ref: z.string() })), []),
  Threshold: z.number(),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number(),
  ComparisonOperator: z.string(),
  TreatMissingData: z.enum(['breaching', 'notBreaching', 'ignore']),
  Namespace: z.optional(z.string()),
  MetricName: z.optional(z.string()),
  Dimensions: z.optional(z.array(dimension)),
  Metrics: z.optional(
    z.array(
      z.looseObject({
        MetricStat: z.optional(z.object({ Metric: plainMetric, Period: z.number(), Stat: z.string() })),
      }),
    ),
  ),
})
type AlarmProperties = z.infer<typeof alarmProperties>
type Shown = { namespace: string; name: string; dimensions: Record<string, unknown>; region?: string }

const assembly = unvalidated(() => appWithAll().synth())
const templateOf = (stack: string) => Template.fromJSON(assembly.getStackByName(stack).template)
const stacks = { sale: templateOf('sale'), edge: templateOf('edge') }
const alarmsIn = (template: Template): AlarmProperties[] =>
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => {
    const read = parse(alarmProperties, Properties)
    if (!read.ok) throw new Error(`${JSON.stringify(Properties)}: ${read.detail}`)
    return read.value
  })
const alarms = [...alarmsIn(stacks.sale), ...alarmsIn(stacks.edge)]
const named = (name: string): AlarmProperties => {
  const found = alarms.find(({ AlarmName }) => AlarmName === `sluice-${stage}-${name}`)
  if (found === undefined) throw new Error(`there is no alarm ${name}`)
  return found
}

const shownOf = (metric: z.infer<typeof plainMetric>): Shown => ({
  namespace: metric.Namespace,
  name: metric.MetricName,
  dimensions: Object.fromEntries(metric.Dimensions.map(({ Name, Value }) => [Name, Value])),
})

function metricsOf(alarm: AlarmProperties): Shown[] {
  const alone = parse(plainMetric, {
    Namespace: alarm.Namespace,
    MetricName: alarm.MetricName,
    ...(alarm.Dimensions && { Dimensions: alarm.Dimensions }),
  })
  const inSum = alarm.Metrics?.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric]))
  return [...(alone.ok ? [alone.value] : []), ...(inSum ?? [])].map(shownOf)
}

/** A dashboard's body as CloudWatch gets it, with a placeholder for each name that only CloudFormation knows. */
function bodyOf(template: Template): { widgets: { type: string; properties: Record<string, unknown> }[] } {
  const [dashboard] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'))
  const body: unknown = dashboard?.Properties.DashboardBody
  const parts = parse(z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }), body)
  if (!parts.ok) throw new Error(parts.detail)
  const text = parts.value['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : 'known-later')).join('')
  return JSON.parse(text)
}

/** The metrics of a dashboard; in its short form a dot repeats the line above. */
function metricsShown(template: Template): Shown[] {
  return bodyOf(template).widgets.flatMap(({ properties }) => {
    const rows = (properties.metrics ?? []) as unknown[][]
    let above: unknown[] = []
    return rows.flatMap((row) => {
      const options = row.at(-1)
      const cells = typeof options === 'object' ? row.slice(0, -1) : row
      const region = typeof options === 'object' ? (options as { region?: string }).region : undefined
      if (cells.length === 0) return []
      const full = cells[0] === '...' ? [...above.slice(0, 1 - cells.length), ...cells.slice(1)] : cells
      const plain = full.map((cell, index) => (cell === '.' ? above[index] : cell))
      above = plain
      const [metricNamespace, name, ...dimensions] = plain.map(String)
      const pairs = dimensions.flatMap((value, index) => (index % 2 === 0 ? [[value, dimensions[index + 1]]] : []))
      return [
        {
          namespace: metricNamespace ?? '',
          name: name ?? '',
          dimensions: Object.fromEntries(pairs),
          ...(region !== undefined && { region }),
        },
      ]
    })
  })
}

const shown = [...metricsShown(stacks.sale), ...metricsShown(stacks.edge), ...alarms.flatMap(metricsOf)]

/** The AWS metrics that we read, with their dimensions. */
const awsMetrics: Record<string, { names: string[]; dimensions: string[][] }> = {
  'AWS/Lambda': {
    names: [
      'Invocations',
      'IteratorAge',
      'Errors',
      'Throttles',
      'Duration',
      'ConcurrentExecutions',
      'ProvisionedConcurrencySpilloverInvocations',
    ],
    dimensions: [['FunctionName'], ['FunctionName', 'Resource']],
  },
  'AWS/SQS': {
    names: [
      'ApproximateAgeOfOldestMessage',
      'ApproximateNumberOfMessagesVisible',
      'ApproximateNumberOfMessagesNotVisible',
    ],
    dimensions: [['QueueName']],
  },
  'AWS/DynamoDB': {
    names: [
      'ReadThrottleEvents',
      'WriteThrottleEvents',
      'SystemErrors',
      'TransactionConflict',
      'ConsumedReadCapacityUnits',
      'ConsumedWriteCapacityUnits',
    ],
    dimensions: [['TableName'], ['GlobalSecondaryIndexName', 'TableName'], ['Operation', 'TableName']],
  },
  'AWS/Scheduler': { names: ['TargetErrorCount'], dimensions: [['ScheduleGroup']] },
  'AWS/CloudFront': {
    names: [
      'Requests',
      '4xxErrorRate',
      '5xxErrorRate',
      'CacheHitRate',
      'OriginLatency',
      '503ErrorRate',
      'LambdaExecutionError',
      'LambdaValidationError',
      'LambdaLimitExceededErrors',
      'FunctionInvocations',
      'FunctionExecutionErrors',
      'FunctionValidationErrors',
      'FunctionThrottles',
      'FunctionComputeUtilization',
    ],
    dimensions: [
      ['DistributionId', 'Region'],
      ['FunctionName', 'Region'],
    ],
  },
  'AWS/WAFV2': { names: ['AllowedRequests', 'BlockedRequests', 'CountedRequests'], dimensions: [['Rule', 'WebACL']] },
}

/** The sections of all rows; `npm run check` finds them in the runbook. */
const sections = [...saleAlarmRows, ...edgeAlarmRows].map(({ section }) => section)

const sectionOf = ({ AlarmDescription }: Pick<AlarmProperties, 'AlarmDescription'>) => AlarmDescription.split('.md#')[1]

describe('every alarm', () => {
  it('notifies the topic of its stack when it starts and when it ends', () => {
    for (const template of Object.values(stacks)) {
      const topics = Object.keys(template.findResources('AWS::SNS::Topic')).map((id) => ({ Ref: id }))
      expect(topics).toHaveLength(1)
      for (const { AlarmName, AlarmActions, OKActions } of alarmsIn(template)) {
        expect({ AlarmName, AlarmActions, OKActions }).toEqual({ AlarmName, AlarmActions: topics, OKActions: topics })
      }
    }
  })

  it('has a name of its own that begins with its stage, and a sentence that says what it means', () => {
    const names = alarms.map(({ AlarmName }) => AlarmName)
    expect(new Set(names).size).toBe(names.length)
    for (const { AlarmName, AlarmDescription } of alarms) {
      expect(AlarmName).toMatch(/^sluice-test-[a-z-]+$/)
      expect(AlarmName).toContain(`sluice-test-${sectionOf({ AlarmDescription })}`)
      expect(AlarmDescription).toMatch(
        /^[^.]+(?:\.[^ ][^.]*)*\. Runbook: (?:docs\/how-to\/runbooks|options\/[a-z-]+\/README)\.md#[a-z-]+$/,
      )
    }
  })

  it('comes from one row, and every row creates alarms', () => {
    expect(new Set(sections).size).toBe(sections.length)
    expect([...new Set(alarms.map(sectionOf))].toSorted()).toEqual(sections.toSorted())
  })

  it('can start: it needs no more bad minutes than it reads', () => {
    for (const { AlarmName, DatapointsToAlarm, EvaluationPeriods } of alarms) {
      expect(DatapointsToAlarm, AlarmName).toBeLessThanOrEqual(EvaluationPeriods)
      expect(EvaluationPeriods, AlarmName).toBeLessThanOrEqual(5)
    }
  })

  it('is on a status widget, of which each has room for a hundred', () => {
    for (const template of Object.values(stacks)) {
      const { widgets } = bodyOf(template)
      expect(widgets[0]?.type).toBe('alarm')
      const shown = widgets.flatMap(({ type, properties }) =>
        type === 'alarm' ? [(properties.alarms as unknown[]).length] : [],
      )
      expect(shown.reduce((sum, count) => sum + count, 0)).toBe(alarmsIn(template).length)
      expect(Math.max(...shown)).toBeLessThanOrEqual(100)
    }
  })
})

describe('an alarm', () => {
  const atOnce = { Threshold: 1, DatapointsToAlarm: 1, ComparisonOperator: 'GreaterThanOrEqualToThreshold' }
  const missing = { Threshold: 1, ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' }

  it.each<[what: string, name: string, kind: object, metric: object]>([
    ...queueNames.map((queue): [string, string, object, object] => [
      `with the first dead letter of ${queue}`,
      `dead-letters-${queue}`,
      { ...atOnce, Statistic: 'Maximum' },
      { name: 'ApproximateNumberOfMessagesVisible', dimensions: { QueueName: `sluice-test-${queue}-dlq` } },
    ]),
    ['with the first asynchronous invocation that failed for good', 'failed-invocations', atOnce, {}],
    ['when reconcile does not run', 'reconcile-not-running', missing, { name: 'Invocations' }],
    ['when the canary does not pass, or reports nothing', 'canary', missing, { namespace, name: 'CanaryPassed' }],
    ...[
      ['edge-function-errors-execution', 'LambdaExecutionError'],
      ['edge-function-errors-answer', 'LambdaValidationError'],
      ['edge-function-limits', 'LambdaLimitExceededErrors'],
    ].map(([name = '', metric]): [string, string, object, object] => [
      `with the first ${metric} of any region, which CloudFront adds up in us-east-1`,
      name,
      { ...atOnce, EvaluationPeriods: 1 },
      { namespace: 'AWS/CloudFront', name: metric, dimensions: { DistributionId: 'E123', Region: 'Global' } },
    ]),
    [
      'when shoppers get 503, though neither gate nor function failed',
      'gate-unavailable',
      { Threshold: 1, TreatMissingData: 'notBreaching' },
      { namespace: 'AWS/CloudFront', name: '503ErrorRate' },
    ],
    [
      'when transactions keep conflicting on the cap of a sale',
      'cap-conflicts',
      {},
      { namespace: 'AWS/DynamoDB', name: 'TransactionConflict', dimensions: { TableName: 'sluice-test' } },
    ],
  ])('starts %s', (_, name, kind, metric) => {
    expect(named(name)).toMatchObject(kind)
    expect(metricsOf(named(name))).toMatchObject([metric])
  })

  it('reads errors and throttles of every function but that whose pages poll without it', () => {
    for (const name of allFunctions) {
      for (const what of ['crashed', 'throttled']) {
        if (name === 'held-reads') {
          expect(() => named(`${what}-${name}`)).toThrow()
          continue
        }
        const [metric] = metricsOf(named(`${what}-${name}`))
        expect(JSON.stringify(metric?.dimensions), what).toContain(`function:sluice-test-${name}"`)
      }
    }
  })

  it('that go-live tries by hand starts when the function that it stops has been silent for three minutes', () => {
    const list = readFileSync('docs/how-to/go-live.md', 'utf8')
    const [, name = '', fn = ''] = /\[`(sluice-small-([a-z-]+))`\]/.exec(list) ?? []
    for (const call of ['put', 'delete'])
      expect(list).toContain(`aws lambda ${call}-function-concurrency --function-name sluice-small-${fn}`)
    const described = describeStage('small')
    const [alarm] = Object.values(described.resources('app', 'AWS::CloudWatch::Alarm')).filter(
      ({ Properties }) => Properties.AlarmName === name,
    )
    expect(alarm?.Properties).toMatchObject({ TreatMissingData: 'breaching', EvaluationPeriods: 3 })
  })

  it('on the table ends when the table recovers, although DynamoDB then reports nothing', () => {
    const onTable = alarms.filter((alarm) => metricsOf(alarm).some((metric) => metric.namespace === 'AWS/DynamoDB'))
    expect(onTable).toHaveLength(3)
    for (const { Metrics, AlarmName } of onTable) {
      expect(Metrics, AlarmName).toContainEqual(expect.objectContaining({ Expression: 'SUM(FILL(METRICS(), 0))' }))
      // CloudWatch takes ten metrics in one alarm.
      expect(Metrics?.length, AlarmName).toBeLessThanOrEqual(10)
    }
  })
})

describe('a metric in an alarm or on a dashboard', () => {
  it('is recorded by exactly the functions that the table of metrics names', async () => {
    const bundles = await readableBundles()
    // The words of pages, which two bundles contain, begin a list.
    const records = (metric: string) => new RegExp(`(?<!\\[)"${metric}"`)
    const found = Object.keys(countedBy).map((metric) => [
      metric,
      everyFunction.filter((name) => records(metric).test(bundles.get(name) ?? '')).toSorted(),
    ])
    const claimed = Object.entries(countedBy).map(([metric, services]) => [metric, [...services].toSorted()])
    expect(found).toEqual(claimed)
  })

  it('is one of ours, under its stage and a function that records it, or one of AWS', () => {
    expect(shown.length).toBeGreaterThan(300)
    const tables: Record<string, readonly string[]> = countedBy
    for (const { namespace: where, name, dimensions } of shown) {
      if (where === namespace) {
        expect(Object.keys(dimensions), name).toEqual(['service'])
        expect(tables[name], name).toContain(dimensions.service)
      } else {
        expect(awsMetrics[where]?.names, where).toContain(name)
        expect(awsMetrics[where]?.dimensions, `${where} ${name}`).toContainEqual(Object.keys(dimensions).toSorted())
      }
    }
  })

  it('of the gate is read in every region that it runs in', () => {
    const regions = metricsShown(stacks.edge)
      .filter(({ namespace: where, name }) => where === 'AWS/Lambda' && name === 'Errors')
      .map(({ region }) => region ?? 'us-east-1')
    expect(new Set(regions).size).toBe(13)
    expect(regions.toSorted()).toEqual([...edgeRegions].toSorted())
  })
})

describe('the dashboards', () => {
  it('begin with the active alarms, then whether it sells, whether accepted units are delivered, what is stuck', () => {
    const titles = bodyOf(stacks.sale)
      .widgets.map(({ properties }) => properties.title)
      .filter((title) => title !== 'Further active alarms')
    expect(titles.slice(0, 10)).toEqual([
      `Active alarms (${runbook})`,
      'Clicks that passed the gate',
      'Orders written, paid, cancelled',
      'Asked to retry (503)',
      'Accepted and written, since the left edge',
      'Outbox; drift between Redis and the table',
      'Rejected after acceptance: must be empty',
      'Messages in the queues',
      'Age of the oldest message, s',
      'Dead letters and failed invocations: must be empty',
    ])
  })
})

describe('the topic', () => {
  const ours = [':cloudwatch:', { Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }, ':alarm:sluice-test-*']
  const onlyOurAlarms = {
    StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
    ArnLike: { 'aws:SourceArn': { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ...ours]] } },
  }

  it('and its key serve CloudWatch, for alarms of this stage only', () => {
    const [key] = Object.values(stacks.sale.findResources('AWS::KMS::Key'))
    const [topicPolicy] = Object.values(stacks.sale.findResources('AWS::SNS::TopicPolicy'))
    expect(key?.Properties.EnableKeyRotation).toBe(true)
    const toCloudWatch = {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: onlyOurAlarms,
    }
    expect(key?.Properties.KeyPolicy.Statement).toContainEqual({
      ...toCloudWatch,
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Resource: '*',
    })
    expect(topicPolicy?.Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ ...toCloudWatch, Action: 'sns:Publish' }),
    )
  })

  it('refuses to publish without TLS, and sends email to the given address', () => {
    const [topicPolicy] = Object.values(stacks.sale.findResources('AWS::SNS::TopicPolicy'))
    expect(topicPolicy?.Properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    )
    stacks.sale.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'operator@example.com' })
    stacks.edge.resourceCountIs('AWS::SNS::Subscription', 0)
  })
})
