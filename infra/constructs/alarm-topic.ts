/**
 * Where alarms ring: a topic that only CloudWatch publishes to, and only for alarms of its stage. Topics of CloudWatch cannot
 * use the key that AWS keeps for SNS, whose policy nobody can change, so this one has a key of its own
 * (https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html).
 */
import { Aws, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

/** Without `email` nobody hears of alarms until something subscribes to the topic. */
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
      description: `What alarms of sluice-${stage} say`,
      enableKeyRotation: true,
      // Nothing that is kept is encrypted with it.
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
