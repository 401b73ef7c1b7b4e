/**
 * One click, from its first request to its outcome. Every try has the same key, so at most one of them wins; after a
 * lost answer the prize is looked for before a refusal counts.
 */
import { type Connection, isForLater, NoAnswer, passHeader, Refused } from './connection.ts'
import type { Problem } from './types.ts'

export type ClickOptions = {
  /** Names this click; one is made unless it is given. */
  key?: string
  /** Of an earlier call with the same `key` that ended `unsure`: what it may have won is looked for. */
  since?: number
  /** The solved challenge, in a sale that asks for one. */
  challenge?: string
  /** How long the shop's “later” is obeyed, in ms; a minute unless given. */
  patienceMs?: number
  signal?: AbortSignal
}

/**
 * `refused`: nothing was won, and `problem` says why. `unsure`: no answer came and the look-up failed as well; ask
 * again with the same `key` and `since`, also after a restart.
 */
export type Unwon =
  | { kind: 'refused'; problem: Problem; key: string }
  | { kind: 'unsure'; key: string; since: number }

/**
 * What a click sends to `path`, beside the start token. `read` makes a prize of an answer, `find` looks for one that
 * an earlier try has won since then, at the path that a refusal names.
 */
export type Click<Prize> = {
  path: string
  body: object
  read: (body: unknown, isRepeat: boolean) => Prize
  find: (lookup: string | undefined, since: number) => Promise<Prize | undefined>
}

/** @throws when `signal` is aborted; the outcome is open then */
export async function click<Prize extends object>(
  shop: Connection,
  saleId: string,
  { path, body, read, find }: Click<Prize>,
  options: ClickOptions,
): Promise<(Prize & { key: string }) | Unwon> {
  const { key = crypto.randomUUID(), since = shop.now(), challenge, patienceMs = 60_000, signal } = options
  const until = Date.now() + patienceMs
  /** A request that may have won has no answer. */
  let inDoubt = options.since !== undefined
  let lookup: string | undefined

  async function tryOften(): Promise<Prize | Unwon> {
    const tokens = new Set<string>()
    let startToken = await startTokenNow()
    let hadPass = false
    for (;;) {
      if (startToken === undefined) return { kind: 'refused', problem: notStarted(shop.now()), key }
      tokens.add(startToken)
      const pass = shop.pass()
      const reply = await shop.ask(path, {
        body: { ...body, startToken, ...(challenge !== undefined && { challenge }) },
        headers: { 'idempotency-key': key, ...(pass !== undefined && { [passHeader]: pass }) },
        signal,
      })
      if (reply.kind === 'ok') return read(reply.body, reply.status === 200)
      // A function that fails may have decided before.
      if (reply.kind === 'lost' || (reply.status >= 500 && !reply.atGate)) inDoubt = true
      const waitMs = shop.pauseAfter(reply)
      const isLate = Date.now() + waitMs > until
      if (reply.kind === 'lost') {
        if (isLate) return { kind: 'unsure', key, since }
      } else {
        const { problem } = reply
        lookup = problem.lookup
        if (problem.code === 'sign-in-required' && problem.field === 'pass' && !hadPass) {
          hadPass = true
          await shop.getPass(signal)
          continue
        }
        if (problem.code === 'stale-page') {
          startToken = await startTokenNow()
          if (startToken === undefined || !tokens.has(startToken)) continue
        }
        if (isLate || !isForLater(problem.code)) return { kind: 'refused', problem, key }
      }
      await shop.sleep(waitMs, signal)
    }
  }

  const startTokenNow = async () => (await shop.countdown(saleId, signal)).startToken

  /** What cannot be read leaves the outcome open, a refused call does so after a lost answer. */
  async function unlessUnread<T>(reading: () => Promise<T>): Promise<T | Unwon> {
    try {
      return await reading()
    } catch (failure) {
      if (failure instanceof Refused && !inDoubt) return { kind: 'refused', problem: failure.problem, key }
      if (failure instanceof Refused || failure instanceof NoAnswer) return { kind: 'unsure', key, since }
      throw failure
    }
  }

  const tried = await unlessUnread(tryOften)
  if (!inDoubt || !isUnwon(tried)) return { ...tried, key }
  return { ...((await unlessUnread(() => find(lookup, since))) ?? tried), key }
}

const isUnwon = (outcome: object): outcome is Unwon =>
  'kind' in outcome && (outcome.kind === 'refused' || outcome.kind === 'unsure')

const notStarted = (now: number): Problem => ({
  ...{ type: 'urn:sluice:problem:not-started', title: 'The sale has not started', status: 425 },
  ...{ code: 'not-started', detail: 'The sale has not started.', now },
})
