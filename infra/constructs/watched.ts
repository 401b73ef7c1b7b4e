/** What alarms and dashboards read. */
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { allFunctions, type EveryStageFunction, type FunctionName } from '../../system/functions.ts'
import type { QueueName } from '../../system/queues.ts'

/** `mail` is absent in a stage that sends no e-mails. */
export type WatchedFunctions = Record<EveryStageFunction, IFunction> & { mail?: IFunction }

/** The functions of the stage with their names. */
export function functionsIn({ mail, ...others }: WatchedFunctions): [FunctionName, IFunction][] {
  const named = allFunctions.map((name): [FunctionName, IFunction] => [name, others[name]])
  return mail === undefined ? named : [...named, ['mail', mail]]
}

/** In the home region. */
export type WatchedSales = {
  stage: string
  /** Of the functions' own metrics. */
  namespace: string
  /** What is invoked: the alias, where there is one. */
  functions: WatchedFunctions
  queues: Record<QueueName, { queue: IQueue; deadLetters: IQueue }>
  /**
   * The queue of failed asynchronous invocations, and of runs that the schedule could not start.
   */
  failures: IQueue
  table: ITableV2
}

/** In us-east-1. */
export type WatchedEdge = {
  stage: string
  distributionId: string
  /** The Lambda@Edge function, not its versions. */
  gate: { functionName: string }
  /** CloudFront Functions. */
  viewerFunctionNames: readonly string[]
  /** The name of the firewall's own metric. */
  firewall?: string | undefined
}
