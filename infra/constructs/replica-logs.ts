/**
 * The log groups of a Lambda@Edge function in the regions of its replicas, with their retention. A replica would
 * make its group with the first line, and CloudWatch would keep it for ever. CloudFormation makes groups in the
 * region of the stack only, so a function of the CDK makes the others during a deployment. They outlive the stack,
 * and their lines expire.
 */
import { Aws, Stack, Validations } from 'aws-cdk-lib'
import { LogRetention } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { edgeHome, edgeRegions } from '../../system/edge-regions.ts'
import { arnInFinding } from '../checked-app.ts'
import { retentionOf } from '../retention.ts'

export class ReplicaLogs extends Construct {
  constructor(scope: Construct, id: string, { logGroupName, days }: { logGroupName: string; days: number }) {
    super(scope, id)
    for (const region of edgeRegions.filter((one) => one !== edgeHome)) {
      new LogRetention(this, region, {
        logGroupName,
        logGroupRegion: region,
        retention: retentionOf(days),
      })
    }
    this.#acknowledge()
  }

  /** Accepts the findings about the CDK's own function, one for the whole stack. */
  #acknowledge(): void {
    const maker = Stack.of(this).node.children.find(({ node }) => node.id.startsWith('LogRetention'))
    if (maker === undefined) throw new Error('no function of the CDK sets the retention')
    const reason =
      'The function of the CDK that sets the retention of log groups: it runs during deployments only, in all regions of replicas.'
    Validations.of(maker).acknowledge(
      { id: 'AwsSolutions-IAM5[Resource::*]', reason },
      {
        id: `AwsSolutions-IAM4[Policy::${arnInFinding(`arn:${Aws.PARTITION}`)}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]`,
        reason,
      },
      { id: 'AwsSolutions-L1', reason: `${reason} It runs on the Node.js that the CDK ships it with.` },
    )
  }
}
