/**
 * The access log of the distribution, as files of a bucket of its own. Query strings and referrers are omitted: the query has
 * the code of a sign-in and the token of a link in an email, and a page with such an address sends it as the referrer of its
 * next request. Only CloudFront's standard logging v2 lets fields be chosen
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html).
 */
import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource } from 'aws-cdk-lib/aws-logs'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import type { StageSettings } from '../settings/stage.ts'
import { ownBucket } from './site-bucket.ts'

/** The fields of a line, in order. No field may hold a credential of a shopper. */
const recordFields = [
  ...['date', 'time', 'x-edge-location', 'x-edge-request-id', 'c-ip', 'cs(User-Agent)'],
  ...['cs-method', 'cs-uri-stem', 'cs-protocol-version', 'cs-bytes', 'sc-status', 'sc-bytes'],
  ...['x-edge-result-type', 'x-edge-response-result-type', 'x-edge-detailed-result-type'],
  ...['time-taken', 'time-to-first-byte'],
]

export type AccessLogProps = { settings: Pick<StageSettings, 'name' | 'keep'>; distributionId: string }

export class AccessLog extends Construct {
  constructor(scope: Construct, id: string, { settings: { name, keep }, distributionId }: AccessLogProps) {
    super(scope, id)
    const bucket = new Bucket(this, 'Bucket', {
      ...ownBucket,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(keep.accessLogDays) }],
    })
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds access logs; logging access to them would need another bucket with the same finding.',
    })
    const source = new CfnDeliverySource(this, 'Source', {
      name: `sluice-${name}-shop`,
      logType: 'ACCESS_LOGS',
      resourceArn: `arn:${Aws.PARTITION}:cloudfront::${Aws.ACCOUNT_ID}:distribution/${distributionId}`,
    })
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name: `sluice-${name}-shop`,
      destinationResourceArn: bucket.bucketArn,
      outputFormat: 'w3c',
    })
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.name,
      deliveryDestinationArn: destination.attrArn,
      recordFields,
    })
    delivery.addResourceDependency(source)
    allowDelivery(bucket)
    // Without the permission the delivery is refused.
    if (bucket.policy !== undefined) delivery.node.addDependency(bucket.policy)
  }
}

/** https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-infrastructure-V2-S3.html */
function allowDelivery(bucket: Bucket): void {
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects('*')],
      conditions: {
        StringEquals: { 's3:x-amz-acl': 'bucket-owner-full-control', 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: { 'aws:SourceArn': Stack.of(bucket).formatArn({ service: 'logs', resource: 'delivery-source:*' }) },
      },
    }),
  )
}
