/** A right of a function to items of an option. */
import type { FunctionName } from './functions.ts'

/** `actions` are those of DynamoDB. Every key of a request begins with one of `prefixes`, if there are any. */
export type TableRight = { of: FunctionName; actions: readonly string[]; prefixes: readonly string[] }
