/** What an option has in the stacks, and what its messages cost. */
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import type { FunctionName } from '../system/functions.ts'
import type { SaleFunction } from './constructs/sale-function.ts'
import type { SaleTable } from './constructs/sale-table.ts'
import type { SiteBucket } from './constructs/site-bucket.ts'
import type { Prices } from './prices.ts'
import type { StageSettings } from './settings/stage.ts'

/** Connects a function, once it is created, with what the option has beside the table, the site and the queue of failed invocations. */
type Connect = (fn: SaleFunction, data: { table: SaleTable; site: SiteBucket; failures: IQueue }) => void

/** Creates what lasts in `scope`, the stack of data, and says what each function gets of it. */
export type OptionResources = (scope: Construct, settings: StageSettings) => Partial<Record<FunctionName, Connect>>

/** `each` is for the message of a step of a unit, in dollars. */
export type MessageCost = {
  item: string
  each(settings: StageSettings, prices: Prices): number
}
