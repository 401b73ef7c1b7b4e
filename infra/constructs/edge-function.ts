/**
 * A function on Lambda@Edge: the gate for the origin-requests of `/api/*`, or the page for what the bucket does not have. Such a
 * function has no environment, no arm64 and no provisioned environments, lives in us-east-1, and is replicated from there by
 * numbered versions
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-at-edge-function-restrictions.html).
 */
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

export type EdgeFunctionProps = {
  settings: StageSettings
  /** Its part of the name `sluice-<stage>-<name>`. */
  name: string
  /** The folder of its bundle, of which scripts for the viewer's side are left out. */
  folder: string
  memoryMb: number
}

export class EdgeFunction extends Construct {
  readonly functionName: string
  readonly #version: IVersion

  constructor(scope: Construct, id: string, { settings, name, folder, memoryMb }: EdgeFunctionProps) {
    super(scope, id)
    this.functionName = `sluice-${settings.name}-${name}`
    const logGroupName = `/sluice/${settings.name}/${name}`
    const role = new Role(this, 'Role', {
      assumedBy: new CompositePrincipal(
        new ServicePrincipal('lambda.amazonaws.com'),
        new ServicePrincipal('edgelambda.amazonaws.com'),
      ),
    })
    // A name of our own is the same in every region where a replica runs and writes. Only this one group has an end by itself:
    // that of the others is set by a command (docs/operations.md).
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName,
      retention: retentionOf(settings.keep.logDays),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const log = `arn:${Aws.PARTITION}:logs:*:${Aws.ACCOUNT_ID}:log-group:${logGroupName}`
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
    const lambda = new LambdaFunction(this, 'Function', {
      functionName: this.functionName,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      handler: 'handler.handler',
      code: Code.fromAsset(folder, { exclude: ['*.js'] }),
      role,
      logGroup,
      memorySize: memoryMb,
      timeout: Duration.seconds(5),
      // Replicas outlive the distribution's use of them by hours, and a version cannot be deleted before they are gone.
      currentVersionOptions: { removalPolicy: kept },
    })
    lambda.applyRemovalPolicy(kept)
    this.#version = lambda.currentVersion
  }

  /** With the body, whose hash the request to a function URL is signed with. */
  onOriginRequest(): EdgeLambda {
    return {
      functionVersion: this.#version,
      eventType: LambdaEdgeEventType.ORIGIN_REQUEST,
      includeBody: true,
    }
  }

  /** Without the body, which CloudFront does not show. */
  onOriginResponse(): EdgeLambda {
    return { functionVersion: this.#version, eventType: LambdaEdgeEventType.ORIGIN_RESPONSE }
  }
}
