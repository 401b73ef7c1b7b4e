/** The resources that alarms and dashboards read. */
import type { GraphWidget } from 'aws-cdk-lib/aws-cloudwatch'
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { type EveryStageFunction, everyFunction, type FunctionName } from '../../system/functions.ts'
import type { QueueName } from '../../system/queues.ts'

/** `mail` and the functions of options are absent in a stage that does not have them. */
export type WatchedFunctions = Record<EveryStageFunction, IFunction> & Partial<Record<FunctionName, IFunction>>

export function functionsIn(functions: WatchedFunctions): [FunctionName, IFunction][] {
  return everyFunction.flatMap((name): [FunctionName, IFunction][] => {
    const fn = functions[name]
    return fn === undefined ? [] : [[name, fn]]
  })
}

/** In the home region. */
export type WatchedSales = {
  stage: string
  /** The namespace of the functions' own metrics. */
  namespace: string
  /** The invoked functions: the alias, if there is one. */
  functions: WatchedFunctions
  queues: Record<QueueName, { queue: IQueue; deadLetters: IQueue }>
  /** The queue of failed asynchronous invocations, and of runs that the schedule could not start. */
  failures: IQueue
  table: ITableV2
}

/** The graphs that an option adds to the dashboard. */
export type OptionGraphs = (watched: WatchedSales) => readonly GraphWidget[]

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
