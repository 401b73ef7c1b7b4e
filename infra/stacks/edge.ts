/** Gate, distribution and firewall, which CloudFront requires in us-east-1. */
import { join } from 'node:path'
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import type { IKeyValueStore } from 'aws-cdk-lib/aws-cloudfront'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import type { HttpFunction } from '../../system/functions.ts'
import { AlarmTopic, createAlarms } from '../constructs/alarm.ts'
import { edgeAlarmRows } from '../constructs/edge-alarms.ts'
import { createEdgeDashboard } from '../constructs/edge-dashboard.ts'
import { EdgeFunction } from '../constructs/edge-function.ts'
import { Firewall } from '../constructs/firewall.ts'
import { ShopDistribution } from '../constructs/shop-distribution.ts'
import { siteBucketName } from '../constructs/site-bucket.ts'
import type { StageSettings } from '../settings/stage.ts'

export type EdgeStackProps = StackProps & {
  settings: StageSettings
  dist: string
  origins: Record<HttpFunction, string>
  simulator: string | undefined
  /** The store that the CloudFront Functions read. */
  edgeStore: IKeyValueStore
}

export class EdgeStack extends Stack {
  readonly distributionId: string
  readonly shopUrl: string

  constructor(
    scope: Construct,
    id: string,
    { settings, dist, origins, simulator, edgeStore, ...props }: EdgeStackProps,
  ) {
    super(scope, id, props)
    const { name, region, firewall, domain } = settings
    const gate = new EdgeFunction(this, 'Gate', { settings, folder: join(dist, 'edge') })
    const wall =
      firewall && new Firewall(this, 'Firewall', { stage: name, logDays: settings.keep.logDays, ...firewall })
    const site = Bucket.fromBucketAttributes(this, 'Site', { bucketName: siteBucketName(name, region), region })
    const shop = new ShopDistribution(this, 'Shop', {
      settings,
      dist,
      site,
      origins,
      simulator,
      edgeStore,
      gate,
      firewallArn: wall?.arn,
    })
    const { distribution } = shop
    this.distributionId = distribution.distributionId
    this.#watch(settings, gate, shop, wall)
    if (domain?.hostedZone !== undefined) {
      const { id: hostedZoneId, name: zoneName } = domain.hostedZone
      const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName })
      const record = {
        zone,
        recordName: domain.name,
        target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)),
      }
      new ARecord(this, 'Address4', record)
      new AaaaRecord(this, 'Address6', record)
    }
    this.shopUrl = `https://${domain?.name ?? distribution.distributionDomainName}`
    new CfnOutput(this, 'ShopUrl', { value: this.shopUrl, description: 'Address of the shop' })
    new CfnOutput(this, 'DistributionDomain', {
      value: distribution.distributionDomainName,
      description: 'Target of the DNS record of your own domain',
    })
    new CfnOutput(this, 'DistributionId', { value: distribution.distributionId })
  }

  #watch(
    { name, size, alarmEmail, monthlyBudgetDollars }: StageSettings,
    gate: EdgeFunction,
    shop: ShopDistribution,
    wall?: Firewall,
  ): void {
    const { topic } = new AlarmTopic(this, 'AlarmTopic', { stage: name, email: alarmEmail })
    if (alarmEmail !== undefined) addBudget(new Construct(this, 'Budget'), name, monthlyBudgetDollars, alarmEmail)
    const watched = {
      stage: name,
      distributionId: this.distributionId,
      gate,
      viewerFunctionNames: shop.viewerFunctions,
      firewall: wall?.metricName,
    }
    const alarms = createAlarms(this, edgeAlarmRows, watched, { size, topic })
    if (size === 'full') createEdgeDashboard(this, watched, alarms)
  }
}

/** Per cent of the budget: spent, and forecast for the end of the month. */
const notices = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const

/**
 * An e-mail when the account costs more than expected. It counts the whole account, because cost allocation tags are off
 * by default. Upstash's bill is not included.
 */
function addBudget(scope: Construct, stage: string, monthlyDollars: number, address: string): void {
  new CfnBudget(scope, 'Budget', {
    budget: {
      ...{ budgetName: `sluice-${stage}-budget`, budgetType: 'COST', timeUnit: 'MONTHLY' },
      budgetLimit: { amount: monthlyDollars, unit: 'USD' },
    },
    notificationsWithSubscribers: notices.map((notice) => ({
      notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address }],
    })),
  })
}
