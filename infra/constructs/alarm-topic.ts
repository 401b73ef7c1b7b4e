/**
 * The topic of alarms, to which only CloudWatch publishes, for alarms of its stage only. CloudWatch
 * cannot use the AWS-managed key of SNS, whose policy is fixed, so the topic has its own key
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html).
 */
import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

/** Without `email` the topic has no subscriber. */
export type AlarmTopicProps = { stage: string; email?: string | undefined }

export class AlarmTopic extends Construct {
  readonly topic: ITopic

  constructor(scope: Construct, id: string, { stage, email }: AlarmTopicProps) {
    super(scope, id)
    const alarms = `arn:${Aws.PARTITION}:cloudwatch:${Aws.REGION}:${Aws.ACCOUNT_ID}:alarm:sluice-${stage}-*`
    const cloudWatch = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: { 'aws:SourceArn': alarms },
      },
    }
    const masterKey = new Key(this, 'Key', {
      description: `Alarms of sluice-${stage}`,
      enableKeyRotation: true,
      // No stored data is encrypted with it.
      removalPolicy: RemovalPolicy.DESTROY,
    })
    masterKey.addToResourcePolicy(
      new PolicyStatement({
        ...cloudWatch,
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
      }),
    )
    const topic = new Topic(this, 'Topic', {
      topicName: `sluice-${stage}-alarms`,
      displayName: `Sluice ${stage}`,
      masterKey,
      enforceSSL: true,
    })
    topic.addToResourcePolicy(
      new PolicyStatement({ ...cloudWatch, actions: ['sns:Publish'], resources: [topic.topicArn] }),
    )
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email))
    this.topic = topic
  }
}
