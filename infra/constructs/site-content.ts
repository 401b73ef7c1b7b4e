/**
 * Copies the built site into its bucket, in two parts: the files that pages load, and later the pages. Keeps objects that
 * `control` published: nothing is pruned, and the built files contain no page that it writes.
 */
import { join } from 'node:path'
import { Aws, DefaultStackSynthesizer, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment'
import { Construct } from 'constructs'
import { immutable, pageCaching } from '../../functions/lib/shop/shop.ts'
import { hashedPattern, releaseFile } from '../../system/site-objects.ts'
import { arnInFinding } from '../checked-app.ts'
import { retentionOf } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'

/** `parts` is everything that is not a page. */
export type SiteContentProps = {
  settings: StageSettings
  bucket: IBucket
  dist: string
  part: 'parts' | 'pages'
  /** The deployed commit, published with the pages. */
  commit?: string | undefined
}

export class SiteContent extends Construct {
  constructor(scope: Construct, id: string, { settings, bucket, dist, part, commit }: SiteContentProps) {
    super(scope, id)
    // Created before the function, which would otherwise create a group of that name in its first run.
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/sluice/${settings.name}/site-${part}`,
      retention: retentionOf(settings.keep.logDays),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const site = Source.asset(join(dist, 'site'))
    const put = (
      name: string,
      files: { exclude: string[]; include?: string[]; cacheControl: string; contentType?: string },
    ) =>
      new BucketDeployment(this, name, {
        ...files,
        sources: [site],
        destinationBucket: bucket,
        cacheControl: [CacheControl.fromString(files.cacheControl)],
        prune: false,
        logGroup,
      })
    if (part === 'pages') {
      const pages = put('Pages', {
        exclude: ['*'],
        // The pages of shoppers show the brand, so the functions publish them.
        include: ['console/*.html', 'developers/*.html'],
        cacheControl: pageCaching,
        contentType: 'text/html; charset=utf-8',
      })
      // Last, so that it names a complete deployment: the commit that a failed one rolls back to.
      const named = new BucketDeployment(this, 'Release', {
        sources: [Source.jsonData(releaseFile, { commit: commit ?? null })],
        destinationBucket: bucket,
        cacheControl: [CacheControl.noStore()],
        prune: false,
        logGroup,
      })
      named.node.addDependency(pages)
      this.#acknowledge(pages, bucket)
      return
    }
    put('Hashed', { exclude: ['*'], include: [hashedPattern], cacheControl: immutable })
    const parts = put('Parts', { exclude: [hashedPattern, '*.html'], cacheControl: pageCaching })
    this.#acknowledge(parts, bucket)
  }

  /** Accepts the findings about the CDK's own copy function, one for the whole stack. */
  #acknowledge({ handlerRole }: BucketDeployment, bucket: IBucket): void {
    const copier = handlerRole.node.scope
    if (copier === undefined) throw new Error('the role that copies the site belongs to no function')
    const reason =
      'The function of the CDK that copies the built site: it reads the assets of this deployment and writes into this bucket.'
    const validations = Validations.of(copier)
    const rights = ['s3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:Abort*', 's3:DeleteObject*']
    for (const right of rights) validations.acknowledge({ id: `AwsSolutions-IAM5[Action::${right}]`, reason })
    const { region } = Stack.of(this)
    const assets = `arn:aws:s3:::cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets-${Aws.ACCOUNT_ID}-${region}`
    for (const objects of [assets, bucket.bucketArn]) {
      validations.acknowledge({ id: `AwsSolutions-IAM5[Resource::${arnInFinding(`${objects}/*`)}]`, reason })
    }
    validations.acknowledge(
      {
        id: `AwsSolutions-IAM4[Policy::${arnInFinding(`arn:${Aws.PARTITION}`)}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]`,
        reason: 'The function of the CDK that copies the built site writes its log, and runs during deployments only.',
      },
      {
        id: 'AwsSolutions-L1',
        reason: 'The function of the CDK that copies the built site runs on the Python that it ships with.',
      },
    )
  }
}
