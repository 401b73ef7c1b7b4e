/**
 * The gate: one Lambda@Edge function for the origin-requests of `/api/*`. Such a function has no environment, no arm64 and
 * no provisioned environments, lives in us-east-1, and is replicated from there by numbered versions
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-at-edge-function-restrictions.html).
 */
import { join } from 'node:path'
import { Aws, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import { type EdgeLambda, LambdaEdgeEventType } from 'aws-cdk-lib/aws-cloudfront'
import { CompositePrincipal, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { kept } from '../kept.ts'
import { spelled } from '../nag.ts'
import { retentionOf } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'

export type EdgeGateProps = { settings: StageSettings; dist: string }

export class EdgeGate extends Construct {
  readonly functionName: string
  readonly #version: IVersion

  constructor(scope: Construct, id: string, { settings, dist }: EdgeGateProps) {
    super(scope, id)
    this.functionName = `sluice-${settings.name}-gate`
    const role = new Role(this, 'Role', {
      assumedBy: new CompositePrincipal(
        new ServicePrincipal('lambda.amazonaws.com'),
        new ServicePrincipal('edgelambda.amazonaws.com'),
      ),
    })
    // A name of our own is the same in every region where a replica runs and writes. Only this one group has an end by itself:
    // that of the others is set by a command (docs/operations.md).
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/sluice/${settings.name}/gate`,
      retention: retentionOf(settings.keep.logDays),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const log = `arn:${Aws.PARTITION}:logs:*:${Aws.ACCOUNT_ID}:log-group:/sluice/${settings.name}/gate`
    role.addToPolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [log, `${log}:*`],
      }),
    )
    const reason =
      'A replica writes to the log group of this one function in the region where it runs, which nobody knows before.'
    Validations.of(role).acknowledge(
      { id: `AwsSolutions-IAM5[Resource::${spelled(log)}]`, reason },
      { id: `AwsSolutions-IAM5[Resource::${spelled(`${log}:*`)}]`, reason },
    )
    const gate = new LambdaFunction(this, 'Function', {
      functionName: this.functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      handler: 'handler.handler',
      code: Code.fromAsset(join(dist, 'edge'), { exclude: ['*.js'] }),
      role,
      logGroup,
      memorySize: settings.edge.memoryMb,
      timeout: Duration.seconds(5),
      // Replicas outlive the distribution's use of them by hours, and a version cannot be deleted before they are gone.
      currentVersionOptions: { removalPolicy: kept },
    })
    gate.applyRemovalPolicy(kept)
    this.#version = gate.currentVersion
  }

  /** With the body, whose hash the request to a function URL is signed with. */
  onOriginRequest(): EdgeLambda {
    return {
      functionVersion: this.#version,
      eventType: LambdaEdgeEventType.ORIGIN_REQUEST,
      includeBody: true,
    }
  }
}
