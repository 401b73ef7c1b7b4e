/**
 * The bucket of uploads: browsers of marketers send pictures there, with a form that `pictures` signs. It is separate from the
 * site's bucket, because nothing here may be served, and removed objects must be gone: photos contain the location where they
 * were taken.
 */
import { Aws, Duration, Validations } from 'aws-cdk-lib'
import { Bucket, HttpMethods, type IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { arnInFinding } from '../checked-app.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { Grantee } from './sale-function.ts'
import { ownBucket } from './site-bucket.ts'

type Place = Pick<StageSettings, 'name' | 'region'>

const uploadBucketName = ({ name, region }: Place): string => `sluice-${name}-uploads-${Aws.ACCOUNT_ID}-${region}`

/** Returns the origin that forms are sent to, for the policy of the console. */
export const uploadOrigin = (place: Place): string =>
  `https://${uploadBucketName(place)}.s3.${place.region}.amazonaws.com`

const uploads = 'uploads/*'

export class UploadBucket extends Construct {
  readonly #name: string
  readonly #arn: string

  constructor(scope: Construct, id: string, { settings, log }: { settings: StageSettings; log: IBucket }) {
    super(scope, id)
    this.#name = uploadBucketName(settings)
    this.#arn = `arn:${Aws.PARTITION}:s3:::${this.#name}`
    new Bucket(this, 'Bucket', {
      bucketName: this.#name,
      ...ownBucket,
      enforceSSL: true,
      serverAccessLogsBucket: log,
      serverAccessLogsPrefix: 'uploads/',
      // Also removes unfinished uploads.
      lifecycleRules: [
        { prefix: 'uploads/', expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      // The signed form is the permission, and the shop's address may not be known yet.
      cors: [{ allowedMethods: [HttpMethods.POST], allowedOrigins: ['*'], allowedHeaders: ['*'], maxAge: 3600 }],
    })
  }

  /** Allows signing forms, reading and removing uploads, and storing the results. */
  grantUploads(fn: Grantee): void {
    const objects = `${this.#arn}/${uploads}`
    fn.allow(['s3:GetObject', 's3:PutObject', 's3:DeleteObject'], [objects])
    // Without this, S3 answers 403 for a missing object, as for a forbidden one.
    fn.allow(['s3:ListBucket'], [this.#arn])
    fn.setVariable('UPLOAD_BUCKET', this.#name)
    Validations.of(fn).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${arnInFinding(objects)}]`,
      reason: 'Uploads have random names, and the bucket has nothing else.',
    })
  }
}
