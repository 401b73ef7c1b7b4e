/** Stored data survives every deployment, is encrypted, and is private to the system. */
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { SaleTable } from '../../infra/constructs/sale-table.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod } from '../../infra/settings/prod.ts'
import { maxReceives, visibilitySeconds } from '../../system/queues.ts'
import { tableDefinition } from '../../system/table.ts'
import { newFolder } from '../folders.ts'
import { stages } from './stages.ts'
import { describeStage, type JsonObject, only, type Resource, retained, stringsIn } from './support.ts'

const described = describeStage()
const dayseconds = 86_400

describe('the table', () => {
  const { Properties } = only(described.resources('data', 'AWS::DynamoDB::GlobalTable'))

  it('is the one that the local system creates', () => {
    const { KeySchema, BillingMode, GlobalSecondaryIndexes, AttributeDefinitions } = Properties
    const { KeySchema: keys, BillingMode: billing, GlobalSecondaryIndexes: indexes } = tableDefinition
    expect(KeySchema).toEqual(keys)
    expect(BillingMode).toBe(billing)
    expect(AttributeDefinitions).toEqual(tableDefinition.AttributeDefinitions)
    expect(GlobalSecondaryIndexes).toMatchObject(indexes)
    expect((GlobalSecondaryIndexes as unknown[]).length).toBe(indexes.length)
  })

  it.each(['prod', 'dev'] as const)(
    'of %s has recovery, deletion protection and encryption, and outlives its stack',
    (kind) => {
      const one = only(describeStage(kind).resources('data', 'AWS::DynamoDB::GlobalTable'))
      const recovery = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: stages[kind].keep.backupDays }
      expect(one.Properties).toMatchObject({
        SSESpecification: { SSEEnabled: true },
        Replicas: [{ DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: recovery }],
      })
      expect([one.DeletionPolicy, one.UpdateReplacePolicy]).toEqual(retained)
    },
  )

  it('deletes personal data when its time is over', () => {
    expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true })
  })

  it('of a running stage is changed by one index in each update', () => {
    const indexesWith = (context: Record<string, string>) => {
      const stack = new Stack(new App({ context, outdir: newFolder('synth') }), 'Data')
      new SaleTable(stack, 'Table', prod)
      const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'))
      const found: { IndexName: string }[] = table?.Properties.GlobalSecondaryIndexes
      return found.map(({ IndexName }) => IndexName)
    }
    expect(indexesWith({ 'later-index': 'number' })).toEqual(['list', 'orders'])
  })

  it('has warm throughput for the stock of the forecast', () => {
    expect(Properties.WarmThroughput).toEqual({
      ReadUnitsPerSecond: prod.table.warmReadsPerSecond,
      WriteUnitsPerSecond: prod.table.warmWritesPerSecond,
    })
  })
})

describe('the queues', () => {
  const queues = Object.entries(described.resources('data', 'AWS::SQS::Queue'))
  const named = (name: string): Resource => {
    const found = queues.find(([, { Properties }]) => Properties.QueueName === `sluice-prod-${name}`)
    if (found === undefined) throw new Error(`there is no queue ${name}`)
    return found[1]
  }

  it.each(['orders', 'deadlines'])('%s has a dead-letter queue, which keeps messages longer', (name) => {
    const { Properties } = named(name)
    const dead = named(`${name}-dlq`)
    const redrive = Properties.RedrivePolicy as { maxReceiveCount: number; deadLetterTargetArn: JsonObject }
    expect(redrive.maxReceiveCount).toBe(maxReceives)
    const deadId = queues.find(([, one]) => one === dead)?.[0]
    expect(stringsIn(redrive.deadLetterTargetArn)).toContain(deadId)
    expect(Properties.VisibilityTimeout).toBe(visibilitySeconds)
    expect(Properties.MessageRetentionPeriod).toBe(4 * dayseconds)
    expect(dead.Properties.MessageRetentionPeriod).toBe(14 * dayseconds)
  })

  it('are encrypted, outlive their stack, and refuse requests without TLS', () => {
    expect(queues.length).toBe(6)
    for (const [, { Properties, DeletionPolicy }] of queues) {
      expect(Properties.SqsManagedSseEnabled, String(Properties.QueueName)).toBe(true)
      expect(DeletionPolicy).toBe(retained[0])
    }
    const policies = Object.values(described.resources('data', 'AWS::SQS::QueuePolicy'))
    expect(policies.length).toBe(queues.length)
    for (const { Properties } of policies) expect(JSON.stringify(Properties)).toContain('"aws:SecureTransport":"false"')
  })
})

describe('the buckets', () => {
  const buckets = [
    ...Object.values(described.resources('data', 'AWS::S3::Bucket')),
    ...Object.values(described.resources('watch', 'AWS::S3::Bucket')),
  ]

  it('are closed to the public, encrypted and kept', () => {
    expect(buckets.length).toBe(4)
    for (const { Properties, DeletionPolicy } of buckets) {
      expect(Properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: expect.anything(),
        LifecycleConfiguration: expect.anything(),
      })
      expect(DeletionPolicy).toBe(retained[0])
    }
  })

  it('forget what was uploaded after a day, at once where it is removed, and take forms only', () => {
    const uploads = buckets.find(({ Properties }) => stringsIn(Properties.BucketName).join().includes('uploads'))
    expect(uploads?.Properties).toMatchObject({
      LifecycleConfiguration: { Rules: [{ Prefix: 'uploads/', ExpirationInDays: 1, Status: 'Enabled' }] },
      CorsConfiguration: { CorsRules: [{ AllowedMethods: ['POST'] }] },
    })
    expect(uploads?.Properties.VersioningConfiguration).toBeUndefined()
  })

  it('keep replaced objects for a while', () => {
    const site = buckets.find(({ Properties }) => stringsIn(Properties.BucketName).join().includes('site'))
    expect(site?.Properties).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      LifecycleConfiguration: {
        Rules: [{ NoncurrentVersionExpiration: { NoncurrentDays: prod.keep.formerVersionDays }, Status: 'Enabled' }],
      },
    })
  })
})

it('balances of red packets that the shop holds need a secure address (N5)', () => {
  const settings = (balanceUrl: string) => ({ ...stages.full, balanceUrl })
  expect(() => refuseBadSettings(settings('http://shop.example'))).toThrow('must be an https address')
  expect(() => refuseBadSettings(settings('https://shop.example'))).not.toThrow()
})
