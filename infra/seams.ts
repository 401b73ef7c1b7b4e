/** The seam of the stacks: what an option adds to them beside its functions. */

import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import type { FunctionName } from '../system/functions.ts'
import type { AlarmRow } from './constructs/alarm.ts'
import type { SaleFunction } from './constructs/sale-function.ts'
import type { SaleTable } from './constructs/sale-table.ts'
import type { SiteBucket } from './constructs/site-bucket.ts'
import type { OptionGraphs, WatchedSales } from './constructs/watched.ts'
import type { StageSettings } from './settings/stage.ts'

/**
 * Connects a function, once it is created, to the option's resources, the table, the site and the queue of failed invocations.
 */
type Connect = (fn: SaleFunction, data: { table: SaleTable; site: SiteBucket; failures: IQueue }) => void

/**
 * Creates the option's persistent resources in `scope`, the stack of data, and returns how each function is connected to them.
 */
export type OptionResources = (scope: Construct, settings: StageSettings) => Partial<Record<FunctionName, Connect>>

/** `stacks.ts`: a throw fails the synthesis. */
export type StacksSeam = {
  /** The persistent resources, and how functions are connected to them. */
  resources?: OptionResources
  /** Alarms, each with its section of the option's README. */
  alarms?: readonly AlarmRow<WatchedSales>[]
  /** Graphs at the end of the dashboard. */
  graphs?: OptionGraphs
}
