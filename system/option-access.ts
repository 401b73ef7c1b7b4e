/** What an option adds to the rights and the paths of functions. */
import type { FunctionName, HttpFunction } from './functions.ts'

/** `actions` are those of DynamoDB. Every key of a request begins with one of `prefixes`, if there are any. */
export type TableRight = { of: FunctionName; actions: readonly string[]; prefixes: readonly string[] }

/** `open`: pages of other sites may read the answers (core/gate/cors.ts); the pre-gate says which calls they may make. */
export type Behaviour = { pattern: string; origin: HttpFunction; open?: true }
