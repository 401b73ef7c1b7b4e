/**
 * Invokes `mail` with the changes of orders and wallets. A failed batch is halved until the failing change is
 * alone, and comes again until it is too old; then the place of it in the stream goes to a queue.
 */
import { Duration } from 'aws-cdk-lib'
import { EventSourceMapping, type IAlias, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { mailConsumption, mailFilters } from '../../system/mail.ts'
import type { Grantee } from './sale-function.ts'

export type MailStreamProps = { fn: Grantee & { live: IAlias }; streamArn: string; failures: IQueue }

const reading = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
  'dynamodb:ListStreams',
]

export class MailStream extends Construct {
  constructor(scope: Construct, id: string, { fn, streamArn, failures }: MailStreamProps) {
    super(scope, id)
    fn.allow(reading, [streamArn])
    const { batchSize, windowSeconds, maxAgeHours } = mailConsumption
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: fn.live,
      eventSourceArn: streamArn,
      // The record of sent e-mails makes it safe to begin with the oldest change.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      maxBatchingWindow: Duration.seconds(windowSeconds),
      maxRecordAge: Duration.hours(maxAgeHours),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      filters: mailFilters.map((filter) => ({ pattern: JSON.stringify(filter) })),
      onFailure: new SqsDlq(failures),
    })
    // Lambda checks the rights of the role when the mapping is created.
    mapping.node.addDependency(fn)
  }
}
