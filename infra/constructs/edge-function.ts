/**
 * The gate: a Lambda@Edge function on origin-request of `/api/*`. It cannot have environment variables, arm64 or provisioned
 * concurrency. It is in us-east-1, from where numbered versions are replicated
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-at-edge-function-restrictions.html).
 */
import { ArnFormat, Aws, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { type EdgeLambda, LambdaEdgeEventType } from 'aws-cdk-lib/aws-cloudfront'
import { CompositePrincipal, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Architecture,
  Code,
  type IVersion,
  Function as LambdaFunction,
  Runtime,
  RuntimeFamily,
  Version,
} from 'aws-cdk-lib/aws-lambda'
import { LogGroup, LogRetention } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { edgeHome, edgeRegions } from '../../system/edge-regions.ts'
import { nodeVersions } from '../../system/functions.ts'
import { arnInFinding } from '../checked-app.ts'
import { retain, retentionOf } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'

/** `folder` has its bundle; CloudFront Functions in it are excluded. */
export type EdgeFunctionProps = { settings: StageSettings; folder: string }

/** Names the function and its log groups. CloudFront holds a former name for hours, so another attempt needs another. */
const gateName = ({ gate: { attempt = 1 } = {} }: StageSettings) => (attempt === 1 ? 'gate' : `gate-${attempt}`)

const logGroupOf = (settings: StageSettings) => `/sluice/${settings.name}/${gateName(settings)}`

export class EdgeFunction extends Construct {
  readonly functionName: string
  readonly #version: IVersion

  constructor(scope: Construct, id: string, { settings, folder }: EdgeFunctionProps) {
    super(scope, id)
    this.functionName = `sluice-${settings.name}-${gateName(settings)}`
    const logGroupName = logGroupOf(settings)
    const role = new Role(this, 'Role', {
      assumedBy: new CompositePrincipal(
        new ServicePrincipal('lambda.amazonaws.com'),
        new ServicePrincipal('edgelambda.amazonaws.com'),
      ),
    })
    // The function names this group, so it is in this stack. Replicas write to a group of this name in every region.
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
      'A replica writes to the log group of this one function in the region where it runs, which is not known before.'
    Validations.of(role).acknowledge(
      { id: `AwsSolutions-IAM5[Resource::${arnInFinding(log)}]`, reason },
      { id: `AwsSolutions-IAM5[Resource::${arnInFinding(`${log}:*`)}]`, reason },
    )
    const lambda = new LambdaFunction(this, 'Function', {
      functionName: this.functionName,
      runtime: new Runtime(`nodejs${nodeVersions.edge}.x`, RuntimeFamily.NODEJS),
      architecture: Architecture.X86_64,
      handler: 'handler.handler',
      code: Code.fromAsset(folder, { exclude: ['*.js'] }),
      role,
      logGroup,
      memorySize: settings.edge.memoryMb,
      timeout: Duration.seconds(5),
      // CloudFront removes replicas hours after their last use, and a version cannot be deleted before.
      currentVersionOptions: { removalPolicy: retain },
    })
    Validations.of(lambda).acknowledge({
      id: 'AwsSolutions-L1',
      reason:
        'The newest runtime that the documents of Lambda@Edge name; a later one may be refused at the first deployment.',
    })
    lambda.applyRemovalPolicy(retain)
    this.#version = this.#formerOr(lambda.currentVersion)
  }

  /** Returns the version of `--context gate-version`, to roll back (docs/how-to/operations.md, "Roll back"), or `current`. */
  #formerOr(current: IVersion): IVersion {
    const wanted: unknown = this.node.tryGetContext('gate-version')
    if (wanted === undefined) return current
    if (typeof wanted !== 'string' || !/^[1-9]\d*$/.test(wanted)) {
      throw new RangeError('--context gate-version must be the number of a version, such as 41')
    }
    const arn = Stack.of(this).formatArn({
      ...{ service: 'lambda', resource: 'function', resourceName: `${this.functionName}:${wanted}` },
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
    return Version.fromVersionArn(this, 'Former', arn)
  }

  /** Includes the body, whose hash is part of the signature for a function URL. */
  onOriginRequest(): EdgeLambda {
    return { functionVersion: this.#version, eventType: LambdaEdgeEventType.ORIGIN_REQUEST, includeBody: true }
  }
}

/** Sets the retention of the gate's logs in other regions. Without it a replica's logs are kept for ever. */
export class ReplicaLogs extends Construct {
  constructor(scope: Construct, id: string, settings: StageSettings) {
    super(scope, id)
    const { gate, keep } = settings
    const regions = (gate?.logRegions ?? edgeRegions).filter((one) => one !== edgeHome)
    for (const region of regions) {
      new LogRetention(this, region, {
        logGroupName: logGroupOf(settings),
        logGroupRegion: region,
        retention: retentionOf(keep.logDays),
      })
    }
    if (regions.length > 0) this.#acknowledge()
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
