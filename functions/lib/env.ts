/**
 * Reads the environment of a function, once per handler. One error reports every missing or malformed variable, so a
 * deployment is fixed in one round. Addresses and secrets have no default, and the error never contains their values.
 */
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { address, nonEmpty } from '../../core/stock/database.ts'

export { address, nonEmpty }

/** For functions that sign requests to AWS; Lambda sets them. */
export const awsVariables = {
  AWS_REGION: nonEmpty,
  AWS_ACCESS_KEY_ID: nonEmpty,
  AWS_SECRET_ACCESS_KEY: nonEmpty,
  AWS_SESSION_TOKEN: z.optional(z.string()),
}

/** For functions that use the stock. A secret lists its databases; the endpoint is set only for a stand-in. */
export const stockVariables = {
  STOCK_SECRET_ID: nonEmpty,
  ...awsVariables,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.optional(address),
}

/** For functions that notify the gate. Its database may be a database of the stock. */
const gateVariables = { GATE_REDIS_REST_URL: address, GATE_REDIS_REST_TOKEN: nonEmpty }

/** For functions that use the stock and notify the gate. */
export const redisVariables = { ...stockVariables, ...gateVariables }

/** For functions that reconcile orders and timers: every queue with its dead-letter queue. */
export const queueVariables = {
  ORDERS_QUEUE_URL: address,
  ORDERS_DLQ_URL: address,
  DEADLINES_QUEUE_URL: address,
  DEADLINES_DLQ_URL: address,
}

/** For functions that use SQS. The endpoint is set only for a stand-in. */
export const sqsVariables = { ...awsVariables, AWS_ENDPOINT_URL_SQS: z.optional(address) }

/** For functions that use the table without the SDK. The endpoint is set only for a stand-in. */
export const tableVariables = {
  ...awsVariables,
  TABLE_NAME: nonEmpty,
  AWS_ENDPOINT_URL_DYNAMODB: z.optional(address),
}

/** For functions that publish to the store of the CloudFront Functions. */
export const edgeStoreVariables = { EDGE_STORE_ARN: nonEmpty }

/** For functions that send shoppers to another site and back. */
export const shopVariables = { SHOP_URL: address }

/** For functions that call the payment provider. */
export const paymentVariables = {
  ...shopVariables,
  PAYMENT_PROVIDER: z.pipe(nonEmpty, z.enum(['simulated', 'stripe'], 'must be simulated or stripe')),
  PAYMENT_URL: address,
  PAYMENT_API_KEY: nonEmpty,
}

/** For the function that opens payment pages. */
export const pagesVariables = {
  PAYMENT_PAGES_PER_SECOND: z.pipe(z.pipe(nonEmpty, z.transform(Number)), z.number().check(z.gt(0, 'must be above 0'))),
}

/** For functions that show a wallet: where the shop shows the balances that it holds itself. */
export const walletVariables = { BALANCE_URL: z.optional(address) }

/** Thrown at start-up; `problems` has one line per variable. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The environment is not usable: ${problems.join('; ')}`)
    this.name = 'ConfigurationError'
    this.problems = problems
  }
}

export type Variables = Record<string, z.ZodMiniType>

export type Environment<Shape extends Variables> = z.output<z.ZodMiniObject<Shape>>

/** Reads the variables of `shape` from `source`. @throws ConfigurationError naming every faulty variable */
export function readEnvironment<Shape extends Variables>(shape: Shape, source: NodeJS.ProcessEnv): Environment<Shape> {
  const result = z.safeParse(z.object(shape), source)
  if (!result.success) {
    throw new ConfigurationError(
      result.error.issues.map((issue) => `${issue.path.map(String).join('.')} ${issue.message}`),
    )
  }
  return result.data as Environment<Shape>
}

/** Returns the schema of a variable with JSON of `schema`. Its message never contains the text, which may be secret. */
export function jsonText<S extends z.ZodMiniType>(schema: S, message: string) {
  return z.pipe(
    z.string('is missing').check(z.refine((text) => readJson(schema, text).ok, message)),
    z.transform((text): z.output<S> => schema.parse(JSON.parse(text))),
  )
}
