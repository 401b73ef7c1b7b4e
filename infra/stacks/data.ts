/**
 * The table, the queues, the public bucket and the accounts of shoppers, which no deployment deletes, and
 * the key-value store of the CloudFront Functions.
 */

import { Annotations, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import { KeyValueStore } from 'aws-cdk-lib/aws-cloudfront'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { eachOf } from '../../core/lib/fold.ts'
import { defaultSessionSeconds } from '../../core/people/session.ts'
import type { SignInSettings } from '../../functions/people/sign-in-settings.ts'
import { stacks } from '../../options/registry/stacks.ts'
import type { QueueName } from '../../system/queues.ts'
import { deadLetterQueue, MessageQueue, WakingQueue } from '../constructs/message-queue.ts'
import { SaleTable } from '../constructs/sale-table.ts'
import { ShopperPool } from '../constructs/shopper-pool.ts'
import { SiteBucket } from '../constructs/site-bucket.ts'
import { UploadBucket } from '../constructs/upload-bucket.ts'
import type { OptionResources } from '../seams.ts'
import { stageWarnings } from '../settings/problems.ts'
import type { StageSettings } from '../settings/stage.ts'

export class DataStack extends Stack {
  readonly table: SaleTable
  readonly queues: Record<QueueName, MessageQueue>
  readonly wakeQueue: WakingQueue
  /** Asynchronous invocations that failed for good. */
  readonly failures: IQueue
  readonly site: SiteBucket
  readonly uploads: UploadBucket
  /**
   * The key-value store of the CloudFront Functions. Everything in it follows from the table, and `reconcile` publishes it
   * again, so it may be deleted. CloudFormation learns the id in its ARN on creation, so it is in a stack before both its
   * writers and its readers.
   */
  readonly edgeStore: KeyValueStore
  readonly signIn: SignInSettings
  /** How each option connects functions to its resources. */
  readonly ofOptions: readonly ReturnType<OptionResources>[]

  constructor(scope: Construct, id: string, { settings, ...props }: StackProps & { settings: StageSettings }) {
    super(scope, id, { ...props, terminationProtection: true })
    this.table = new SaleTable(this, 'SaleTable', settings)
    this.queues = {
      orders: new MessageQueue(this, 'Orders', { name: 'orders', settings }),
      deadlines: new MessageQueue(this, 'Deadlines', { name: 'deadlines', settings }),
    }
    this.wakeQueue = new WakingQueue(this, 'Wake', settings.name, 'wake')
    this.failures = deadLetterQueue(this, 'Failures', `sluice-${settings.name}-failures`)
    Validations.of(this.failures).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'This is a dead-letter queue itself; a person empties it.',
    })
    this.site = new SiteBucket(this, 'Site', settings)
    this.uploads = new UploadBucket(this, 'Uploads', { settings, log: this.site.log })
    this.edgeStore = new KeyValueStore(new Construct(this, 'EdgeStore'), 'Store', {
      keyValueStoreName: `sluice-${settings.name}`,
      comment: 'What the CloudFront Functions know of sales',
    })
    this.edgeStore.applyRemovalPolicy(RemovalPolicy.DESTROY)
    const session = { ...settings.session, seconds: settings.session.seconds ?? defaultSessionSeconds }
    this.signIn = { ...this.#identityProvider(settings), session }
    const makers: readonly OptionResources[] = eachOf(stacks, 'resources')
    this.ofOptions = makers.map((make) => make(this, settings))
    for (const warning of stageWarnings(settings)) Annotations.of(this).addWarningV2('sluice:second-factor', warning)
  }
  #identityProvider(settings: StageSettings): Omit<SignInSettings, 'session'> {
    const { signIn } = settings
    if (signIn.kind === 'cognito') return new ShopperPool(this, 'Shoppers', { settings, signIn }).signIn
    const { kind: _, ...issuer } = signIn
    return issuer
  }
}
