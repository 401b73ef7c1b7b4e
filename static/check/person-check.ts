/**
 * The state machine of the person check (R5, N4). The browser solves a challenge ahead of the click. The solution is valid
 * for one purchase; a retry of that purchase sends the same solution.
 */
import type { Reply } from '../../client/http.ts'
import type { ClickAnswer } from '../buy/refusal.ts'

/** A click sends `payload`, which expires at `expiresAt`, epoch ms. */
export type SolvedCheck = { payload: string; expiresAt: number }

/** A solution, or a token that the shop exchanges for one. */
export type CheckStep = SolvedCheck | { token: string }

/**
 * `later`: not due yet. `off`: the sale no longer has a check. `asking`: the widget needs the shopper. `waiting`: the shop
 * has no challenge now, and the page retries. `failed`: a retry may succeed. `impossible`: this browser lacks the features.
 * `refused`: this shopper gets no challenge; a click shows why.
 */
export type CheckState =
  | { kind: 'off' | 'later' | 'working' | 'asking' | 'passed' | 'waiting' | 'failed' | 'impossible' }
  | { kind: 'refused'; code: LastingCode }

/** Why a click must wait: the check is in progress, or it failed. */
export type CheckHold = 'checking' | 'unchecked'

/** A solution is not used this long before its expiry, ms, because the click takes time. */
const marginMs = 20_000

/** The shortest wait before a retry, ms; jitter adds up to as much. */
const retryMs = 5000

/** Problems that a retry cannot solve. */
const lasting = ['sign-in-required', 'blocked', 'level-too-low'] as const

type LastingCode = (typeof lasting)[number]

/**
 * `ask` fetches a challenge, or exchanges a token. `solve` solves the answer, and calls `onAsk` when the widget needs the
 * shopper. `now` is the shop's time and `localNow` the device's, epoch ms.
 */
type Ports = {
  ask(request: { token?: string }): Promise<Reply>
  solve(body: unknown, onAsk: () => void): Promise<CheckStep | undefined>
  now(): number
  localNow(): number
  random(): number
  onChange(): void
}

/** Creates a check, which starts with `poll`. `able`: this browser has the features. */
export function personCheck(able: boolean, ports: Ports) {
  const fresh: CheckState = { kind: able ? 'later' : 'impossible' }
  let state: CheckState = fresh
  let solved: SolvedCheck | undefined
  let quietUntil = 0

  const setState = (next: CheckState, quietMs = 0) => {
    state = next
    quietUntil = ports.localNow() + quietMs
    ports.onChange()
  }
  const reset = () => {
    solved = undefined
    setState(fresh)
  }
  const run = async () => {
    setState({ kind: 'working' })
    let step = await next({})
    if (step !== undefined && 'token' in step) step = await next(step)
    if (step === undefined) return
    // The shop must answer a token with a ticket.
    if ('token' in step) return stopRetrying()
    solved = step
    setState({ kind: 'passed' })
  }
  /** Returns the next step; undefined after a failure, which is in the state. */
  const next = async (request: { token?: string }): Promise<CheckStep | undefined> => {
    const reply = await ports.ask(request)
    if (reply.kind !== 'ok') {
      fail(reply)
      return undefined
    }
    const step = await ports.solve(reply.body, () => setState({ kind: 'asking' }))
    if (step === undefined) stopRetrying()
    return step
  }
  /** Stops retrying until the shopper asks for it. */
  const stopRetrying = () => setState({ kind: 'failed' }, Number.POSITIVE_INFINITY)
  const fail = (reply: Exclude<Reply, { kind: 'ok' }>) => {
    const spread = 1 + ports.random()
    if (reply.kind === 'lost') return setState({ kind: 'failed' }, retryMs * spread)
    const code = reply.problem?.code
    // A marketer switched the check off.
    if (code === 'conflict') return setState({ kind: 'off' })
    if (code === 'challenge-failed') return stopRetrying()
    const known = lasting.find((one) => one === code)
    if (known !== undefined) return setState({ kind: 'refused', code: known })
    const seconds = reply.problem?.retryAfterSeconds ?? reply.retryAfterSeconds ?? 0
    setState({ kind: 'waiting' }, Math.max(retryMs, seconds * 1000) * spread)
  }

  return {
    state: () => state,
    /** The solution to send with a click, if there is one. */
    payload: () => solved?.payload,
    hold(): CheckHold | undefined {
      const { kind } = state
      if (kind === 'failed' || kind === 'impossible') return 'unchecked'
      return kind === 'passed' || kind === 'off' || kind === 'refused' ? undefined : 'checking'
    },
    /** Drops an expired solution, and starts the check if it is `due`. */
    poll(due: boolean): void {
      if (solved !== undefined && ports.now() >= solved.expiresAt - marginMs) reset()
      const idle = state.kind === 'later' || state.kind === 'waiting' || state.kind === 'failed'
      if (due && idle && ports.localNow() >= quietUntil) void run()
    },
    /** Retries for the shopper. */
    again(): void {
      if (state.kind === 'failed') reset()
    },
    /**
     * Drops the solution after the answer to a click that used it or needs another one. `isFinal`: the next click is
     * another purchase.
     */
    answered(outcome: ClickAnswer, isFinal: boolean): void {
      if (state.kind === 'working' || state.kind === 'asking') return
      const refusal = outcome.kind === 'refused' ? outcome : undefined
      const wanted = refusal?.code === 'challenge-required' || refusal?.code === 'challenge-failed'
      const used = solved !== undefined && isFinal && refusal?.atGate !== true
      if (wanted || used) reset()
    },
  }
}
