/**
 * One Lambda function: the bundle that also runs locally, a role without permissions until one is granted, a log with a
 * retention, and the alias `live`. All callers use the alias, so a rollback is one command without a deployment.
 */
import { join } from 'node:path'
import { Duration, RemovalPolicy, Token } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Alias,
  Architecture,
  CfnVersion,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  RuntimeFamily,
} from 'aws-cdk-lib/aws-lambda'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import {
  type DeployedFunction,
  functionTimeoutSeconds,
  nodeVersions,
  optionFunctionNames,
  paymentSimulator,
} from '../../system/functions.ts'
import { retain, retentionOf } from '../retention.ts'
import type { Capacity, StageSettings } from '../settings/stage.ts'
import type { EnvironmentKey } from './environment-key.ts'

/** A grant gives a function a permission, and the variable that names the resource. */
export type Grantee = Construct & {
  allow: (actions: readonly string[], resources: readonly string[], conditions?: object) => void
  setVariable: (variable: string, value: string) => void
}

export type SaleFunctionProps = {
  name: DeployedFunction
  settings: StageSettings
  /** The folder that `npm run build` made. */
  dist: string
  environmentKey: EnvironmentKey
  /** The address of the shop. */
  shopUrl: string
  /** The queue of asynchronous invocations that failed for good. */
  failures?: IQueue | undefined
}

const aliasName = 'live'

/**
 * Functions that send to themselves. The function of an option wakes itself for its next try. A timer longer than the maximum
 * delay of SQS passes its queue repeatedly: a payment window of a day takes 96 rounds. Lambda stops recursion after about 16
 * (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html).
 */
const sendsToItself: ReadonlySet<DeployedFunction> = new Set(['cancel-unpaid', ...optionFunctionNames])

/** Only a few people try payments at a time. */
const simulatorCapacity: Capacity = { memoryMb: 512 }

export class SaleFunction extends Construct implements Grantee {
  /** The alias that all callers invoke. */
  readonly live: Alias
  /** Name and alias, for permissions and commands. */
  readonly liveName: string
  readonly #lambda: LambdaFunction
  readonly #role: Role
  readonly #shopUrl: string

  constructor(scope: Construct, id: string, props: SaleFunctionProps) {
    super(scope, id)
    const { name, settings, dist, environmentKey, shopUrl, failures } = props
    this.#shopUrl = shopUrl
    const functionName = `sluice-${settings.name}-${name}`
    this.liveName = `${functionName}:${aliasName}`
    const { memoryMb, reserved, provisioned } = name === paymentSimulator ? simulatorCapacity : settings.functions[name]
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: retentionOf(settings.keep.logDays),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // The managed policy for logs may write to every log of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(this.#role)
    environmentKey.grantStart(this.#role)
    this.#lambda = new LambdaFunction(this, 'Function', {
      functionName,
      runtime: new Runtime(`nodejs${nodeVersions.functions}.x`, RuntimeFamily.NODEJS),
      architecture: Architecture.ARM_64,
      handler: 'handler.handler',
      code: Code.fromAsset(join(dist, 'functions', name)),
      role: this.#role,
      logGroup,
      memorySize: memoryMb,
      timeout: Duration.seconds(functionTimeoutSeconds(name)),
      reservedConcurrentExecutions: reserved,
      recursiveLoop: sendsToItself.has(name) ? RecursiveLoop.ALLOW : undefined,
      environment: {
        POWERTOOLS_SERVICE_NAME: name,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(settings.name),
        POWERTOOLS_LOG_LEVEL: 'INFO',
        UPSTASH_DISABLE_TELEMETRY: '1',
        // CloudFormation reads secrets again only for a function that it changes.
        SECRETS_REVISION: String(settings.secretsRevision),
      },
      environmentEncryption: environmentKey.key,
      // A rollback needs former versions; `npm run deploy -- --prune` removes those with a rotated secret. The version of a
      // failed deployment is removed: Lambda publishes no version that equals its last, so a repeated deployment would fail.
      currentVersionOptions: { removalPolicy: retain },
    })
    this.live = new Alias(this, 'Live', {
      aliasName,
      version: this.#lambda.currentVersion,
      // On the alias, because the function's own setting applies to its unpublished version. No retry, because the next run
      // comes sooner.
      ...(failures !== undefined && {
        retryAttempts: 0,
        maxEventAge: Duration.minutes(1),
        onFailure: new SqsDestination(failures),
      }),
      provisionedConcurrentExecutions: settings.keepProvisioned ? provisioned : undefined,
    })
  }

  allow(actions: readonly string[], resources: readonly string[], conditions?: object): void {
    const statement = { actions: [...actions], resources: [...resources], ...(conditions && { conditions }) }
    this.#role.addToPrincipalPolicy(new PolicyStatement(statement))
  }

  setVariable(variable: string, value: string): void {
    this.#lambda.addEnvironment(variable, value)
  }

  /**
   * Sets a variable to the address of the shop and a path there. The CDK creates a version for a changed template, which does
   * not contain the value of a parameter. CloudFormation creates another version for a changed description.
   */
  setShopAddress(variable: string, path = ''): void {
    this.setVariable(variable, this.#shopUrl + path)
    const version = this.#lambda.currentVersion.node.defaultChild
    if (version instanceof CfnVersion && Token.isUnresolved(this.#shopUrl)) version.description = this.#shopUrl
  }
}

/** Returns a namespace for each stage, also when two share an account. */
export const metricsNamespace = (stage: string): string => `Sluice/${stage}`
