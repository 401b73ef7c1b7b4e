/**
 * Gate, distribution and firewall, which CloudFront requires in us-east-1. Only what serves requests; for the rest see
 * watch.ts. The firewall is here because the distribution names it.
 */
import { join } from 'node:path'
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import type { IKeyValueStore } from 'aws-cdk-lib/aws-cloudfront'
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53'
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import type { HttpFunction } from '../../system/functions.ts'
import { EdgeFunction } from '../constructs/edge-function.ts'
import { Firewall } from '../constructs/firewall.ts'
import { ShopDistribution } from '../constructs/shop-distribution.ts'
import { siteBucketName } from '../constructs/site-bucket.ts'
import type { WatchedEdge } from '../constructs/watched.ts'
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
  readonly watched: WatchedEdge
  readonly firewallArn: string | undefined

  constructor(
    scope: Construct,
    id: string,
    { settings, dist, origins, simulator, edgeStore, ...props }: EdgeStackProps,
  ) {
    super(scope, id, props)
    const { name, region, firewall, domain } = settings
    const gate = new EdgeFunction(this, 'Gate', { settings, folder: join(dist, 'edge') })
    const wall = firewall && new Firewall(this, 'Firewall', { stage: name, ...firewall })
    this.firewallArn = wall?.arn
    const site = Bucket.fromBucketAttributes(this, 'Site', { bucketName: siteBucketName(name, region), region })
    const shop = new ShopDistribution(this, 'Shop', {
      settings,
      dist,
      site,
      origins,
      simulator,
      edgeStore,
      gate,
      firewallArn: this.firewallArn,
    })
    const { distribution } = shop
    this.distributionId = distribution.distributionId
    this.watched = {
      ...{ stage: name, gate, firewall: wall?.metricName },
      ...{ distributionId: this.distributionId, viewerFunctionNames: shop.viewerFunctions },
    }
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
}
