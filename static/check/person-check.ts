/**
 * The security check (R5, N4): a challenge from the shop, solved by this browser in advance, sent
 * with the next click and valid for one purchase. A repeat of that purchase sends the same solution.
 */
import type { Reply } from '../../client/http.ts'
import type { Settled } from '../buy/refusal.ts'

/** `payload` is what a click sends; the shop refuses it from `expiresAt` on, epoch ms. */
export type Solved = { payload: string; expiresAt: number }

/** What becomes of an answer of the shop: a solution, or a token for which the shop gives one. */
export type CheckStep = Solved | { token: string }

/**
 * `later`: not needed yet. `off`: the sale has no check any more. `asking`: the shopper has something to do. `waiting`:
 * the shop has no challenge right now, and the page asks again by itself. `failed`: another try may help. `impossible`:
 * this browser cannot do it. `refused`: this shopper gets no challenge, and a click shows why.
 */
export type CheckState =
  | { kind: 'off' | 'later' | 'working' | 'asking' | 'passed' | 'waiting' | 'failed' | 'impossible' }
  | { kind: 'refused'; code: LastingCode }

/** What keeps a click back: a check that goes on, or one that could not be done. */
export type Hold = 'checking' | 'unchecked'

/** A solution this near its end is not used: the click has a way to go. */
const marginMs = 20_000

/** Another try follows this much later at the earliest, up to twice as much. */
const againMs = 5000

/** Waiting would not help against these. */
const lasting = ['sign-in-required', 'blocked', 'level-too-low'] as const

type LastingCode = (typeof lasting)[number]

/**
 * `ask` fetches a challenge, or what a token is good for; `solve` works the answer out, and calls `onAsk` when the
 * shopper has something to do. `now` is the shop's time and `localNow` the device's, epoch ms.
 */
type Ports = {
  ask(request: { token?: string }): Promise<Reply>
  solve(body: unknown, onAsk: () => void): Promise<CheckStep | undefined>
  now(): number
  localNow(): number
  random(): number
  onChange(): void
}

/** A check of which nothing is done before its first `turn`; `able` says whether this browser can do it. */
export function personCheck(able: boolean, ports: Ports) {
  const fresh: CheckState = { kind: able ? 'later' : 'impossible' }
  let state: CheckState = fresh
  let solved: Solved | undefined
  let quietUntil = 0

  const become = (next: CheckState, quietMs = 0) => {
    state = next
    quietUntil = ports.localNow() + quietMs
    ports.onChange()
  }
  const beginAnew = () => {
    solved = undefined
    become(fresh)
  }
  const run = async () => {
    become({ kind: 'working' })
    let step = await next({})
    if (step !== undefined && 'token' in step) step = await next(step)
    if (step === undefined) return
    // The shop answers a token with a ticket, or refuses it.
    if ('token' in step) return giveUp()
    solved = step
    become({ kind: 'passed' })
  }
  /** Undefined when the state already says why there is none. */
  const next = async (request: { token?: string }): Promise<CheckStep | undefined> => {
    const reply = await ports.ask(request)
    if (reply.kind !== 'ok') {
      give(reply)
      return undefined
    }
    const step = await ports.solve(reply.body, () => become({ kind: 'asking' }))
    if (step === undefined) giveUp()
    return step
  }
  /** Who could not solve one will hardly solve another: the next try is the shopper's to ask for. */
  const giveUp = () => become({ kind: 'failed' }, Number.POSITIVE_INFINITY)
  const give = (reply: Exclude<Reply, { kind: 'ok' }>) => {
    const spread = 1 + ports.random()
    if (reply.kind === 'lost') return become({ kind: 'failed' }, againMs * spread)
    const code = reply.problem?.code
    // A marketer switched the check off since the page was opened.
    if (code === 'conflict') return become({ kind: 'off' })
    if (code === 'challenge-failed') return giveUp()
    const known = lasting.find((one) => one === code)
    if (known !== undefined) return become({ kind: 'refused', code: known })
    const seconds = reply.problem?.retryAfterSeconds ?? reply.retryAfterSeconds ?? 0
    become({ kind: 'waiting' }, Math.max(againMs, seconds * 1000) * spread)
  }

  return {
    state: () => state,
    /** The solution to send with a click, if there is one. */
    payload: () => solved?.payload,
    hold(): Hold | undefined {
      const { kind } = state
      if (kind === 'failed' || kind === 'impossible') return 'unchecked'
      return kind === 'passed' || kind === 'off' || kind === 'refused' ? undefined : 'checking'
    },
    /** Lets go of a solution that is too old; begins when a check is `due` and none is there. */
    turn(due: boolean): void {
      if (solved !== undefined && ports.now() >= solved.expiresAt - marginMs) beginAnew()
      const idle = state.kind === 'later' || state.kind === 'waiting' || state.kind === 'failed'
      if (due && idle && ports.localNow() >= quietUntil) void run()
    },
    /** The shopper asks for another try. */
    again(): void {
      if (state.kind === 'failed') beginAnew()
    },
    /**
     * What the answer to a click means for the solution that went with it. `settled`: the next
     * click is another purchase, for which a solution that went past the gate is no good any more.
     */
    answered(outcome: Settled, settled: boolean): void {
      if (state.kind === 'working' || state.kind === 'asking') return
      const refusal = outcome.kind === 'refused' ? outcome : undefined
      const wanted = refusal?.code === 'challenge-required' || refusal?.code === 'challenge-failed'
      const used = solved !== undefined && settled && refusal?.atGate !== true
      if (wanted || used) beginAnew()
    },
  }
}
