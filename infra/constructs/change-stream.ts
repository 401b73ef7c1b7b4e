/**
 * Invokes a function with changes of the table. A failed batch is halved until the failing change is alone, and retried until
 * it is too old; then its position in the stream goes to a queue. A stream has at most two such readers.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html#Streams.Processing
 */
import { Duration } from 'aws-cdk-lib'
import { EventSourceMapping, type IAlias, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import type { StreamFilter } from '../../system/seams.ts'
import type { Grantee } from './sale-function.ts'

export type ChangeStreamProps = {
  fn: Grantee & { live: IAlias }
  streamArn: string
  failures: IQueue
  filters: readonly StreamFilter[]
  consumption: { batchSize: number; windowSeconds: number; maxAgeHours: number }
}

const reading = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator', 'dynamodb:ListStreams']

export class ChangeStream extends Construct {
  constructor(scope: Construct, id: string, props: ChangeStreamProps) {
    super(scope, id)
    const { fn, streamArn, failures, filters, consumption } = props
    fn.allow(reading, [streamArn])
    const { batchSize, windowSeconds, maxAgeHours } = consumption
    const mapping = new EventSourceMapping(this, 'Mapping', {
      target: fn.live,
      eventSourceArn: streamArn,
      // Sent emails are recorded, so it is safe to begin with the oldest change.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      maxBatchingWindow: Duration.seconds(windowSeconds),
      maxRecordAge: Duration.hours(maxAgeHours),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      filters: filters.map((filter) => ({ pattern: JSON.stringify(filter) })),
      onFailure: new SqsDlq(failures),
    })
    // Lambda checks the permissions of the role when the mapping is created.
    mapping.node.addDependency(fn)
  }
}
