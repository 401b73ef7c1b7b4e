/**
 * What browsers download: the built site, and the public objects of sales, which `control` and the writers publish. Former
 * versions are kept for a while, so what was published by mistake can be looked at and put back.
 */
import { Aws, Duration, Validations } from 'aws-cdk-lib'
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { kept } from '../kept.ts'
import { spelled } from '../nag.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

/** The pointer of any sale, and the countdown that it names: whoever puts a pointer makes sure that its countdown is there. */
const tellable = ['sales/*/current.json', 'sales/*/countdown.*.js', 'sales/*/countdown.*.json']

/** The pages of the shop that follow from sales, and everything of a sale. */
const published = ['index.html', 'sales/*']

export const siteBucketName = (stage: string, region: string): string =>
  `sluice-${stage}-site-${Aws.ACCOUNT_ID}-${region}`

export class SiteBucket extends Construct {
  readonly bucket: Bucket
  readonly #name: string
  readonly #arn: string

  constructor(scope: Construct, id: string, { name, region, keep }: StageSettings) {
    super(scope, id)
    this.#name = siteBucketName(name, region)
    this.#arn = `arn:${Aws.PARTITION}:s3:::${this.#name}`
    const closed = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: kept,
    } as const
    const log = new Bucket(this, 'Log', {
      ...closed,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(keep.accessLogDays) }],
    })
    this.bucket = new Bucket(this, 'Bucket', {
      ...closed,
      bucketName: this.#name,
      versioned: true,
      serverAccessLogsBucket: log,
      serverAccessLogsPrefix: 'site/',
      lifecycleRules: [
        {
          noncurrentVersionExpiration: Duration.days(keep.formerVersionDays),
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
    })
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S10',
      reason:
        'A bucket has one policy. This one names the distribution, so it is in the stack `access`; it demands TLS first.',
    })
  }

  /** Telling what is left of a sale, which whoever changes it does; a countdown that is missing is written before (C6). */
  grantTell(fn: Grantee): void {
    this.#grant(fn, ['s3:GetObject', 's3:PutObject'], tellable)
  }

  /** Publishing sales, and the pages that follow from them. */
  grantPublish(fn: Grantee): void {
    this.#grant(fn, ['s3:GetObject', 's3:PutObject'], published)
  }

  /** Also withdrawing a sale that was deleted. */
  grantWithdraw(fn: Grantee): void {
    this.#grant(fn, ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], published)
  }

  /**
   * Without the right to list, S3 answers 403 for an object that is not there, which is no answer to the question whether it
   * is there.
   */
  #grant(fn: Grantee, actions: readonly string[], objects: readonly string[]): void {
    const resources = objects.map((some) => `${this.#arn}/${some}`)
    fn.allow(actions, resources)
    fn.allow(['s3:ListBucket'], [this.#arn])
    fn.tell('SITE_BUCKET', this.#name)
    for (const resource of resources.filter((name) => name.includes('*'))) {
      Validations.of(fn).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${spelled(resource)}]`,
        reason:
          'Public objects of all sales, which have their ids in their names, and nothing else of the site.',
      })
    }
  }
}
