/**
 * Deployed after the gate: the pages, which call it, and the canary's schedule, which needs the address
 * of the shop. The files that pages load are in the stack `app`.
 */
import { Stack, type StackProps } from 'aws-cdk-lib'
import type { IAlias } from 'aws-cdk-lib/aws-lambda'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import type { IScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { FunctionSchedule } from '../constructs/function-schedule.ts'
import { siteBucketName } from '../constructs/site-bucket.ts'
import { SiteContent } from '../constructs/site-content.ts'
import type { StageSettings } from '../settings/stage.ts'

export type SiteStackProps = StackProps & {
  settings: StageSettings
  dist: string
  commit?: string | undefined
  shopUrl: string
  canary: IAlias
  schedules: IScheduleGroup
  failures: IQueue
}

export class SiteStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { settings, dist, commit, shopUrl, canary, schedules, failures, ...props }: SiteStackProps,
  ) {
    super(scope, id, props)
    const bucket = Bucket.fromBucketName(this, 'Site', siteBucketName(settings.name, settings.region))
    const pages = new SiteContent(this, 'Content', { settings, bucket, dist, part: 'pages', commit })
    const schedule = new FunctionSchedule(new Construct(this, 'Canary'), 'Schedule', {
      group: schedules,
      name: `sluice-${settings.name}-canary`,
      description: 'Checks the shop from outside: a page, the clock, and a rejected webhook.',
      fn: canary,
      everyMinutes: 1,
      input: { url: shopUrl },
      failures,
    })
    schedule.node.addDependency(pages)
  }
}
