/**
 * Puts the built site into its bucket, in two parts: the files that pages ask for, and the pages, which go live later. What
 * `control` publishes there stays: nothing is ever pruned, and no page that it writes is among the files.
 */
import { join } from 'node:path'
import { Aws, DefaultStackSynthesizer, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment'
import { Construct } from 'constructs'
import { immutable, pageCaching } from '../../functions/sales/publishing/site.ts'
import { hashedPattern } from '../../system/site-objects.ts'
import { spelled } from '../nag.ts'
import { retentionOf } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'

/** `parts` is everything that is not a page. */
export type SiteContentProps = {
  settings: StageSettings
  bucket: IBucket
  dist: string
  part: 'parts' | 'pages'
  /** The commit that is deployed, if anybody knows; the pages come with it. */
  commit?: string | undefined
}

/** Public: the name of a commit lets nobody do anything. */
export const releaseFile = 'release.json'

export class SiteContent extends Construct {
  constructor(scope: Construct, id: string, { settings, bucket, dist, part, commit }: SiteContentProps) {
    super(scope, id)
    // Made before the function that writes it, which would otherwise make one of that name by itself if it came first.
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
        include: ['*.html'],
        cacheControl: pageCaching,
        contentType: 'text/html; charset=utf-8',
      })
      // Last of all, so that it names what is wholly there: the commit that a failed deployment goes back to.
      const release = new BucketDeployment(this, 'Release', {
        sources: [Source.jsonData(releaseFile, { commit: commit ?? null })],
        destinationBucket: bucket,
        cacheControl: [CacheControl.noStore()],
        prune: false,
        logGroup,
      })
      release.node.addDependency(pages)
      this.#explain(pages, bucket)
      return
    }
    put('Hashed', { exclude: ['*'], include: [hashedPattern], cacheControl: immutable })
    const parts = put('Parts', { exclude: [hashedPattern, '*.html'], cacheControl: pageCaching })
    this.#explain(parts, bucket)
  }

  /** The function that copies is the CDK's own, one for the whole stack, with rights that the CDK gives it. */
  #explain({ handlerRole }: BucketDeployment, bucket: IBucket): void {
    const copier = handlerRole.node.scope
    if (copier === undefined) throw new Error('the role that copies the site belongs to no function')
    const reason =
      'The function of the CDK that copies the built site: it reads the assets of this deployment and writes into this bucket.'
    const says = Validations.of(copier)
    const rights = ['s3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:Abort*', 's3:DeleteObject*']
    for (const right of rights) says.acknowledge({ id: `AwsSolutions-IAM5[Action::${right}]`, reason })
    const { region } = Stack.of(this)
    const assets = `arn:aws:s3:::cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}-assets-${Aws.ACCOUNT_ID}-${region}`
    for (const objects of [assets, bucket.bucketArn]) {
      says.acknowledge({ id: `AwsSolutions-IAM5[Resource::${spelled(`${objects}/*`)}]`, reason })
    }
    says.acknowledge(
      {
        id: `AwsSolutions-IAM4[Policy::${spelled(`arn:${Aws.PARTITION}`)}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]`,
        reason:
          'The function of the CDK that copies the built site writes its log, and runs during deployments only.',
      },
      {
        id: 'AwsSolutions-L1',
        reason: 'The function of the CDK that copies the built site runs on the Python it is shipped with.',
      },
    )
  }
}
