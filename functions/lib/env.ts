/**
 * The environment of a function, read once by its handler.ts. Every missing or malformed variable is reported
 * in one error, so a deployment is put right in one round. Addresses and secrets have no default, and their
 * values never appear in the error.
 */
import * as z from 'zod/mini'

const isUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** An http or https address. */
export const address = z
  .string('is missing')
  .check(z.refine(isUrl, { error: 'must be an http or https address' }))

/** Any text that is not empty: a table name, a token. */
export const text = z.string('is missing').check(z.minLength(1, 'is empty'))

/** What a function that touches the stock needs. */
export const stockVariables = { UPSTASH_REDIS_REST_URL: address, UPSTASH_REDIS_REST_TOKEN: text }

/** Variables of a function that writes to the gate's store; the stock's database unless set. */
export const gateVariables = { GATE_REDIS_REST_URL: address, GATE_REDIS_REST_TOKEN: text }

/** What a function that looks after orders, claims and timers on their way needs: every queue, both ends. */
export const queueVariables = {
  ORDERS_QUEUE_URL: address,
  ORDERS_DLQ_URL: address,
  CLAIMS_QUEUE_URL: address,
  CLAIMS_DLQ_URL: address,
  DEADLINES_QUEUE_URL: address,
  DEADLINES_DLQ_URL: address,
}

/** What a function that speaks to the payment provider needs. */
export const paymentVariables = { PAYMENT_URL: address, PAYMENT_API_KEY: text }

/** Thrown at start-up; `problems` holds one line per variable. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The environment is not usable: ${problems.join('; ')}`)
    this.name = 'ConfigurationError'
    this.problems = problems
  }
}

type Variables = Record<string, z.ZodMiniType<string>>

/** The variables named in `shape` out of `source`. Throws ConfigurationError naming all that are wrong. */
export function readEnvironment<Shape extends Variables>(
  shape: Shape,
  source: NodeJS.ProcessEnv,
): Record<keyof Shape & string, string> {
  const result = z.safeParse(z.object(shape), source)
  if (!result.success) {
    throw new ConfigurationError(
      result.error.issues.map((issue) => `${issue.path.map(String).join('.')} ${issue.message}`),
    )
  }
  return result.data as Record<keyof Shape & string, string>
}
