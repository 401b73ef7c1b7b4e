/** Metrics and log facts of the use cases: one vocabulary for dashboard, alarms and console. */
import type { optionMetrics } from '../../core/options.ts'

/**
 * All metrics are counts, except five gauges whose highest value each period keeps: `OutboxAge` (seconds since the oldest
 * unsent reservation), `OutboxSize`, `Drift` (units by which Redis and the table disagree about a sale), `CapMismatch` (units
 * by which the cap of a sale differs from its stock) and `EdgeStoreLagMs` (how long the entry of a sale waits for publication).
 *
 * Three need an operator: `MoneyContradicted` (payments reported with two amounts), `RefundMismatch` (refunds reported in another
 * currency than the payment's, or for more than is left of it, and refunds that the bank returned) and `PaymentDisputed`
 * (payments whose shopper asks the bank for the money back).
 *
 * Claims of red packets count as `Reserved` and `OrdersWritten` too. `OrdersRejected` counts reservations that never became
 * orders, and `HoldsReleased` holds whose order had lost its units. `MailsSkipped` had no recipient, `MailsRejected` are never
 * sent, `MailsUnknown` may not have been sent and are not repeated, and `MailsFailed` are retried.
 */
export type MetricName =
  | 'Reserved'
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
  | 'TransactionsWritten'
  | 'TransactionsRefused'
  | 'DuplicatesDropped'
  | 'MessagesFailed'
  | 'PublishFailed'
  | 'EdgeStoreFailed'
  | 'EdgeStoreLagMs'
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
  | 'PaymentDisputed'
  | 'SettlementFailed'
  | 'Undeliverable'
  | 'DeadLettered'
  | 'DeadlinesScheduled'
  | 'HoldsReleased'
  | 'HoldsRestored'
  | 'Drift'
  | 'CapMismatch'
  | 'SaleRecovered'
  | 'WebhookRefused'
  | 'SignInRefused'
  | 'MailsSent'
  | 'MailsSkipped'
  | 'MailsRejected'
  | 'MailsUnknown'
  | 'MailsFailed'
  | 'CanaryPassed'
  | 'CanaryFailed'
  | (typeof optionMetrics)[keyof typeof optionMetrics][number]

/**
 * The duration of a call to Redis until the reply, the error or the timeout: `RedisLatency` of the exact store,
 * `GateRedisLatency` of the gate's. Each call is a separate value, which percentiles need.
 */
export type LatencyName = 'RedisLatency' | 'GateRedisLatency'

/** Records one value in milliseconds. Never throws. For connections; use cases count. */
export type LatencyRecorder = { record: (name: LatencyName, milliseconds: number) => void }

/** Adds up counts within a flush period. Never throws. */
type Meter = { count: (name: MetricName, amount?: number) => void }

/**
 * Writes one line per fact. `facts` must never contain a token, a secret or the text of a Redis command. A failure is a
 * warning when a retry follows, and an error when none does or a person must act.
 */
export type Log = {
  info: (message: string, facts?: LogFacts) => void
  warn: (message: string, facts?: LogFacts) => void
  error: (message: string, facts?: LogFacts) => void
}

export type LogFacts = Record<string, string | number | boolean | null | undefined | readonly string[]>

export type Telemetry = { meter: Meter; log: Log }

/** Returns an error as log facts: its name and message, those of its cause, and its innermost stack frames. */
export function errorFacts(error: unknown): LogFacts {
  if (!(error instanceof Error)) return { error: 'not an Error' }
  const cause = error.cause instanceof Error ? { cause: `${error.cause.name}: ${error.cause.message}` } : {}
  return { error: error.name, reason: error.message, ...cause, at: framesOf(error) }
}

/** Resolves with the result of scheduled `work`. Logs and counts a failure and resolves with undefined. */
export async function tryLogged<T>(
  telemetry: Telemetry,
  about: LogFacts,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    logFailure(telemetry, about, error)
    return undefined
  }
}

/** Logs and counts a failure of the scheduled work that `about` names. */
export function logFailure({ meter, log }: Telemetry, about: LogFacts, error: unknown): void {
  meter.count('ReconcileFailed')
  log.warn('not reconciled', { ...about, ...errorFacts(error) })
}

/** The innermost frames show the fault; the outer ones are the same for every call. */
const maxFrames = 5

/** Returns the stack without its message, which is logged separately. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const lines = stack.slice(stack.indexOf(message) + message.length).split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, maxFrames)
}
