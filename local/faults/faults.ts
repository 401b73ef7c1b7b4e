/**
 * The injectable faults, their kinds and durations (the body of `POST /local/faults`), and the state of a faulty
 * connection.
 */
import * as z from 'zod/mini'
import { whole } from '../../core/lib/parse.ts'

/**
 * The connections that can fail. `redis` is between functions and a database of the stock, `gate` between functions or
 * edge and the gate's store; on this machine, the first Redis of the stock serves both. `edge-store` is between
 * functions and the key-value store of the edge, `mail` SES, `payments` the API of the payment provider, `origin`
 * between edge and functions.
 */
export const faultTargets = [
  'redis',
  'gate',
  'sqs',
  'dynamodb',
  's3',
  'edge-store',
  'mail',
  'payments',
  'origin',
] as const

/**
 * `down` resets connections, old and new · `slow` delays what clients send · `lost-reply` lets a
 * request reach the target, then resets the connection in place of the reply · `blackhole` accepts
 * and never answers
 */
const connectionFaults = ['down', 'slow', 'lost-reply', 'blackhole'] as const

/**
 * `lose` kills a database of the stock and starts it again after `forMs`, default at once, without its
 * data · `none` ends the fault of one connection alone
 */
export const faultModes = [...connectionFaults, 'lose', 'none'] as const

/**
 * `database` names a database of the stock, default the first; for the target `redis` only. The
 * fault ends by itself after `forMs`. `rate`, the share of affected exchanges, is 0 to 1, default 1.
 * `latencyMs` is the delay of `slow`, default 300.
 */
const request = z.strictObject(
  {
    target: z.enum(faultTargets, `must be one of ${faultTargets.join(', ')}`),
    database: z.optional(z.string('must be the name of a database')),
    mode: z.enum(faultModes, `must be one of ${faultModes.join(', ')}`),
    forMs: z.optional(whole(1, 3_600_000)),
    rate: z.optional(z.number('must be a number').check(z.gte(0, 'must be at least 0'), z.lte(1, 'must be at most 1'))),
    latencyMs: z.optional(whole(1, 60_000)),
  },
  'must be an object',
)

export const faultRequest = request.check(
  z.refine(({ target, mode }) => target === 'redis' || mode !== 'lose', {
    path: ['mode'],
    message: 'lose is for the target redis only',
  }),
  z.refine(({ target, database }) => target === 'redis' || database === undefined, {
    path: ['database'],
    message: 'is for the target redis only',
  }),
)

export type FaultTarget = (typeof faultTargets)[number]

/** Targets whose services run in the main process. */
export type MainProcessTarget = 'edge-store' | 'mail' | 'payments'

/** The connection and its fault. */
export type Fault = z.infer<typeof request>

/** The kind of fault. */
export type FaultSettings = Pick<Fault, 'forMs' | 'rate' | 'latencyMs'> & {
  mode: (typeof connectionFaults)[number]
}

/** Returns the fault of the connection; null for `none`, and for a lost database, which has no faulty connection. */
export function connectionFaultOf({ mode, ...settings }: Fault): FaultSettings | null {
  const { forMs, rate, latencyMs } = settings
  return mode === 'none' || mode === 'lose' ? null : { mode, forMs, rate, latencyMs }
}

/** A connection with injectable faults. */
export type FaultyConnection = {
  port: number
  /** Sets the fault; null ends it. Exchanges swallowed by a black hole are reset when it ends. */
  set(fault: FaultSettings | null): void
  stop(): Promise<void>
}

export const defaultLatencyMs = 300

type FaultSwitch = {
  set(fault: FaultSettings | null): void
  /** Returns the fault for the next exchange, if any; call once per exchange. */
  nextFault(): FaultSettings | null
  /** Stops the timer for good. */
  close(): void
}

/**
 * @param onChange called after every change, also when a fault ends by itself
 * @param random at least 0 and less than 1
 */
export function openFaultSwitch(onChange: (fault: FaultSettings | null) => void, random: () => number): FaultSwitch {
  let current: FaultSettings | null = null
  let endTimer: NodeJS.Timeout | undefined
  const set = (fault: FaultSettings | null) => {
    clearTimeout(endTimer)
    current = fault
    if (fault?.forMs !== undefined) endTimer = setTimeout(() => set(null), fault.forMs).unref()
    onChange(fault)
  }
  return {
    set,
    nextFault() {
      if (current === null) return null
      const { rate = 1 } = current
      return rate >= 1 || random() < rate ? current : null
    },
    close: () => clearTimeout(endTimer),
  }
}
