/**
 * What the use cases may say about themselves: counts and facts. The words are the vocabulary of the system, so
 * that a dashboard, an alarm and the console all speak of the same thing.
 */

/**
 * Counts, except the peaks: `OutboxAge` (seconds since the oldest unsent reservation), `OutboxSize`, and `Drift` (units
 * by which Redis and the table disagree about a sale). `OrdersRejected` are all reservations that never became orders;
 * `HoldsReleased` are holds that were found though their order had lost its units. `WalletsCredited` are claims, and so are
 * `ClaimsRefused`, which can never be credited. `MoneyContradicted` are payments of which the provider told two amounts.
 * `RefundMismatch` are refunds that the provider reports in another currency than the payment's, or for more than is left of it.
 * Of these three each is for a person to look at.
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

/** Takes down one value, in milliseconds; never throws. For whoever connects to something; use cases count. */
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

/** What follows the message in a stack. The message may hold anything, and is told by itself. */
function placesOf({ stack = '', message }: Error): readonly string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, maxPlaces)
}
