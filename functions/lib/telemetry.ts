/**
 * What the use cases may say about themselves: counts and facts. The words are the vocabulary of the system, so
 * that a dashboard, an alarm and the console all speak of the same thing.
 */

/**
 * All are counts, except the peaks `OutboxAge` (seconds since the oldest unsent reservation),
 * `OutboxSize` and `Drift` (units by which Redis and the table differ for a sale).
 *
 * `OrdersRejected`: reservations that never became orders. `HoldsReleased`: holds of ended orders.
 * `WalletsCredited`: credited claims. `ClaimsRefused`: claims that can never be credited.
 * `MoneyContradicted`: payments reported with two amounts. `RefundMismatch`: refunds in another
 * currency than the payment, or for more than is left of it. The last three need a person.
 */
export type MetricName =
  | 'Reserved'
  | 'Claimed'
  | 'Repeated'
  | 'SoldOut'
  | 'Refused'
  | 'Throttled'
  | 'Unavailable'
  | 'SendFailed'
  | 'AcknowledgeFailed'
  | 'GateUpdateFailed'
  | 'OrdersWritten'
  | 'OrdersRejected'
  | 'WalletsCredited'
  | 'ClaimsRefused'
  | 'TransactionsWritten'
  | 'TransactionsRefused'
  | 'DuplicatesDropped'
  | 'MessagesFailed'
  | 'PublishFailed'
  | 'OutboxSize'
  | 'OutboxAge'
  | 'OutboxResent'
  | 'ReconcileFailed'
  | 'OrdersReleased'
  | 'ReleaseFailed'
  | 'OrdersCancelled'
  | 'OrdersPaid'
  | 'RefundsAsked'
  | 'RefundFailed'
  | 'MoneyContradicted'
  | 'RefundMismatch'
  | 'Undeliverable'
  | 'DeadLettered'
  | 'DeadlinesScheduled'
  | 'HoldsReleased'
  | 'HoldsRestored'
  | 'Drift'
  | 'SaleRecovered'
  | 'WebhookRefused'
  | 'CanaryPassed'
  | 'CanaryFailed'

/**
 * How long each call to Redis took, from asking to the reply, the refusal or the end of patience: `RedisLatency` of the exact
 * store, `GateRedisLatency` of what the edge believes. Each call is a value of its own, for only then are there percentiles.
 */
export type LatencyName = 'RedisLatency' | 'GateRedisLatency'

/** Records one duration, ms; never throws. For clients of other components; use cases count. */
export type Watch = { took: (name: LatencyName, milliseconds: number) => void }

/** Adds up within a flush period; never throws. */
export type Meter = { count: (name: MetricName, amount?: number) => void }

/** One line per fact. `facts` must never hold a token, a secret or the text of a Redis command. */
export type Log = {
  debug: (message: string, facts?: LogFacts) => void
  info: (message: string, facts?: LogFacts) => void
  warn: (message: string, facts?: LogFacts) => void
  error: (message: string, facts?: LogFacts) => void
}

export type LogFacts = Record<string, string | number | boolean | null | undefined | readonly string[]>

export type Telemetry = { meter: Meter; log: Log }

/** An error as facts for a log line: its name and message, those of its cause, and where it was made. */
export function errorFacts(error: unknown): LogFacts {
  if (!(error instanceof Error)) return { error: 'not an Error' }
  const cause = error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {}
  return { error: error.name, reason: error.message, ...cause, at: placesOf(error) }
}

/** The innermost places of a stack lead to the line that matters; the others are how every call comes in. */
const maxPlaces = 5

/** The part of a stack after the message. The message may hold anything and is logged apart. */
function placesOf({ stack = '', message }: Error): readonly string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, maxPlaces)
}
