/** What outlives every deployment: the table, the queues, the public objects. Nothing here is ever deleted by one. */
import { Stack, type StackProps, Validations } from 'aws-cdk-lib'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import type { QueueName } from '../../system/queues.ts'
import { deadLetterQueue, MailQueue } from '../constructs/mail-queue.ts'
import { SaleTable } from '../constructs/sale-table.ts'
import { SiteBucket } from '../constructs/site-bucket.ts'
import type { StageSettings } from '../settings/stage.ts'

export class DataStack extends Stack {
  readonly table: SaleTable
  readonly queues: Record<QueueName, MailQueue>
  /** Invocations that nobody waited for and that failed for good. */
  readonly failures: IQueue
  readonly site: SiteBucket

  constructor(
    scope: Construct,
    id: string,
    { settings, ...props }: StackProps & { settings: StageSettings },
  ) {
    super(scope, id, { ...props, terminationProtection: true })
    this.table = new SaleTable(this, 'SaleTable', settings)
    this.queues = {
      orders: new MailQueue(this, 'Orders', { name: 'orders', settings }),
      claims: new MailQueue(this, 'Claims', { name: 'claims', settings }),
      deadlines: new MailQueue(this, 'Deadlines', { name: 'deadlines', settings }),
    }
    this.failures = deadLetterQueue(this, 'Failures', `sluice-${settings.name}-failures`)
    Validations.of(this.failures).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'What failed for good ends here; a person takes it away.',
    })
    this.site = new SiteBucket(this, 'Site', settings)
  }
}
