/**
 * One function of the system: the very bundle that runs on one machine, with a role of its own that may do nothing until a
 * capability is granted, a log with an end, and the alias `live`. Everything that calls the function calls the alias, so
 * going back to a former version is one command and no deployment.
 */
import { join } from 'node:path'
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import {
  Alias,
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'
import { functionNodeOptions } from '../../build.ts'
import { type FunctionName, functionTimeoutSeconds } from '../../system/functions.ts'
import { retentionOf } from '../retention.ts'
import type { StageSettings } from '../settings/stage.ts'

/** What a grant needs of a function: the right to do something, and where to do it. */
export type Grantee = Construct & {
  allow: (actions: readonly string[], resources: readonly string[], conditions?: object) => void
  /** Sets a variable of the environment. */
  tell: (variable: string, value: string) => void
}

export type SaleFunctionProps = {
  name: FunctionName
  settings: StageSettings
  /** The folder that `npm run build` made. */
  dist: string
  /** Where invocations go that nobody waits for and that failed for good; given to what is invoked so. */
  failures?: IQueue | undefined
}

const aliasName = 'live'

/**
 * A timer that is longer than SQS can delay goes through its queue again and again. Lambda takes more than about 16 rounds for
 * an accident and ends them (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html); a time to pay of a
 * day has 96.
 */
const sendsToItself: ReadonlySet<FunctionName> = new Set(['cancel-unpaid'])

export class SaleFunction extends Construct implements Grantee {
  /** What everything invokes. */
  readonly live: Alias
  readonly functionName: string
  /** Name and alias, as rights and operators' commands want it. */
  readonly liveName: string
  readonly #lambda: LambdaFunction
  readonly #role: Role

  constructor(scope: Construct, id: string, { name, settings, dist, failures }: SaleFunctionProps) {
    super(scope, id)
    this.functionName = `sluice-${settings.name}-${name}`
    this.liveName = `${this.functionName}:${aliasName}`
    const { memoryMb, reserved, provisioned } = settings.functions[name]
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${this.functionName}`,
      retention: retentionOf(settings.keep.logDays),
      removalPolicy: RemovalPolicy.DESTROY,
    })
    // Not the managed policy for logs: that one may write to every log of the account.
    this.#role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    logGroup.grantWrite(this.#role)
    this.#lambda = new LambdaFunction(this, 'Function', {
      functionName: this.functionName,
      runtime: Runtime.NODEJS_24_X,
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
        NODE_OPTIONS: functionNodeOptions,
        POWERTOOLS_SERVICE_NAME: name,
        POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(settings.name),
        POWERTOOLS_LOG_LEVEL: 'INFO',
        UPSTASH_DISABLE_TELEMETRY: '1',
        // A deployment reads secrets again only for a function that it changes.
        SECRETS_REVISION: String(settings.secretsRevision),
      },
      // Former versions stay, or there would be nothing to go back to.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    })
    this.live = new Alias(this, 'Live', {
      aliasName,
      version: this.#lambda.currentVersion,
      // Said of the alias, for what is said of the function counts for its unpublished version only. There is no second try:
      // the schedule's next run comes sooner.
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

  tell(variable: string, value: string): void {
    this.#lambda.addEnvironment(variable, value)
  }
}

/** Each stage counts for itself, also where two share an account. */
export const metricsNamespace = (stage: string): string => `Sluice/${stage}`
