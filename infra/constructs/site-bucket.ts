/**
 * The public bucket: the built site, and the objects of sales that the functions publish. Former versions are kept for some
 * days, so that a mistake can be undone.
 */
import { Aws, Duration, Validations } from 'aws-cdk-lib'
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, ObjectOwnership } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { jwksPath } from '../../core/orders/shop-key.ts'
import { arnInFinding } from '../checked-app.ts'
import { retain } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'

const pointers = 'sales/*/current.json'
const salePages = 'sales/*/index.html'
/** Written before the pointer that names them, and compared when they exist. */
const countdowns = ['sales/*/countdown.*.js', 'sales/*/countdown.*.json']

/** Returns the files that an option publishes of sales. */
const filesIn = (folder: string) => [`sales/*/${folder}/*`]

/** Files of pictures, each written once. */
const pictureObjects = ['pictures/*']

/** The index, and the pages that show nothing but the brand. */
const stablePages = ['', 'accessibility/', 'customer/', 'orders/', 'wallet/'].map((page) => `${page}index.html`)
/** Everything that is published, including the colours of brands. */
const published = [...stablePages, salePages, pointers, ...countdowns, 'brand/*']

/** The common settings of all buckets. */
export const ownBucket = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  encryption: BucketEncryption.S3_MANAGED,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  removalPolicy: retain,
} as const satisfies BucketProps

export const siteBucketName = (stage: string, region: string): string =>
  `sluice-${stage}-site-${Aws.ACCOUNT_ID}-${region}`

export class SiteBucket extends Construct {
  readonly bucket: Bucket
  readonly log: Bucket
  readonly #name: string
  readonly #arn: string

  constructor(scope: Construct, id: string, { name, region, keep }: StageSettings) {
    super(scope, id)
    this.#name = siteBucketName(name, region)
    this.#arn = `arn:${Aws.PARTITION}:s3:::${this.#name}`
    this.log = new Bucket(this, 'Log', {
      ...ownBucket,
      enforceSSL: true,
      lifecycleRules: [{ expiration: Duration.days(keep.accessLogDays) }],
    })
    this.bucket = new Bucket(this, 'Bucket', {
      ...ownBucket,
      bucketName: this.#name,
      versioned: true,
      serverAccessLogsBucket: this.log,
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
        'A bucket has one policy. This one names the distribution, so it is in the stack `access`; it requires TLS.',
    })
  }

  /** Allows publishing the units left of a sale in its pointer; a missing countdown is written first (C6). */
  grantPublishCounts(fn: Grantee): void {
    this.#grantRead(fn, countdowns)
    this.#allow(fn, ['s3:PutObject'], [pointers, ...countdowns])
  }

  /** Allows adding the files of pictures: no other object can be written, and none can be read or removed. */
  grantPictures(fn: Grantee): void {
    this.#allow(fn, ['s3:PutObject'], pictureObjects)
  }

  /** Allows reading what an option publishes of sales in this folder. */
  grantReadFiles(fn: Grantee, folder: string): void {
    this.#grantRead(fn, filesIn(folder))
  }

  /** Allows publishing there: files are read before they are written. */
  grantFiles(fn: Grantee, folder: string): void {
    this.#allow(fn, ['s3:PutObject'], filesIn(folder))
    this.#grantRead(fn, filesIn(folder))
  }

  /** Allows publishing sales, the index and the brand. Objects published of a sale that is being deleted are removed again. */
  grantPublish(fn: Grantee): void {
    this.#grantRead(fn, countdowns)
    this.#allow(fn, ['s3:PutObject'], published)
    this.#allow(fn, ['s3:DeleteObject'], [pointers, salePages])
  }

  /** Allows publishing the public keys of reservations, which are read before they are written. */
  grantReservationKeys(fn: Grantee): void {
    this.#allow(fn, ['s3:PutObject'], [jwksPath])
    this.#grantRead(fn, [jwksPath])
  }

  /** Also allows comparing the pages with the present brand and the present build. */
  grantKeepPages(fn: Grantee): void {
    this.grantPublish(fn)
    this.#grantRead(fn, stablePages)
  }

  /** Allows reading. Without the permission to list, S3 answers 403 for a missing object, as for a forbidden one. */
  #grantRead(fn: Grantee, objects: readonly string[]): void {
    this.#allow(fn, ['s3:GetObject'], objects)
    fn.allow(['s3:ListBucket'], [this.#arn])
  }

  #allow(fn: Grantee, actions: readonly string[], objects: readonly string[]): void {
    const resources = objects.map((some) => `${this.#arn}/${some}`)
    fn.allow(actions, resources)
    fn.setVariable('SITE_BUCKET', this.#name)
    for (const resource of resources.filter((name) => name.includes('*'))) {
      Validations.of(fn).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${arnInFinding(resource)}]`,
        reason:
          'Public objects of all sales, or of all pictures, which have ids in their names, and nothing else of the site.',
      })
    }
  }
}
