import { describe, expect, it } from 'vitest'
import type { Reply } from '../../../client/http.ts'
import { type ProblemCode, problem } from '../../../core/outcome.ts'
import type { BuyOutcome } from '../../../static/buy/buy.ts'
import { personCheck, type SolvedCheck } from '../../../static/check/person-check.ts'

const answer = (body: unknown): Reply => ({ kind: 'ok', status: 200, body, headers: new Headers() })
const challenge = answer('a challenge')
const refused = (code: ProblemCode, status: number, retryAfterSeconds?: number): Reply => {
  const facts = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return { kind: 'refused', status, problem: problem(code, '', facts), retryAfterSeconds, atGate: true }
}
const refusal = (code: ProblemCode, atGate = false): BuyOutcome => {
  return { kind: 'refused', code, remaining: 0, retryAfterSeconds: 0, atGate }
}
const won: BuyOutcome = { kind: 'won', orderId: 'mug-x', repeat: false }

type Work = { replies?: Reply[]; able?: boolean; solve?: Parameters<typeof personCheck>[1]['solve'] }

/** A page with a clock that stands still, a shop that gives `replies` in turn, and a browser that solves by `solve`. */
function page({ replies = [challenge], able = true, solve }: Work = {}) {
  let now = 1_000_000
  const requests: unknown[] = []
  const seen: string[] = []
  const solved = async (body: unknown): Promise<SolvedCheck> => ({
    payload: `${body} solved, no. ${requests.length}`,
    expiresAt: now + 600_000,
  })
  const check = personCheck(able, {
    ask: async (request) => replies[requests.push(request) - 1] ?? challenge,
    solve: solve ?? solved,
    now: () => now,
    localNow: () => now,
    random: () => 0.5,
    onChange: () => {
      seen.push(check.state().kind)
    },
  })
  const turn = async (due = true) => {
    check.poll(due)
    await new Promise(setImmediate)
    return check.state().kind
  }
  const wait = (ms: number) => {
    now += ms
  }
  return { check, turn, wait, requests, seen, asked: () => requests.length }
}

describe('the check that a shopper is a person (R5)', () => {
  it('asks nothing before it is due, and holds a click back until it is done', async () => {
    const { check, turn, asked } = page()
    expect(await turn(false)).toBe('later')
    expect(asked()).toBe(0)
    expect(check.hold()).toBe('checking')
    check.poll(true)
    expect(check.state().kind).toBe('working')
    expect(check.hold()).toBe('checking')
    expect(await turn()).toBe('passed')
    expect(check.hold()).toBeUndefined()
    expect(check.payload()).toBe('a challenge solved, no. 1')
    expect(asked()).toBe(1)
  })

  it('keeps one solution for all tries of one purchase', async () => {
    const { check, turn, asked } = page()
    await turn()
    const first = check.payload()
    check.answered({ kind: 'unsure' }, false)
    check.answered({ kind: 'busy', retryAfterSeconds: 2 }, false)
    check.answered(refusal('sold-out'), false)
    await turn()
    expect(check.payload()).toBe(first)
    expect(asked()).toBe(1)
  })

  it('keeps a solution that the gate did not let through with its click', async () => {
    const { check, turn, asked } = page()
    await turn()
    for (const code of ['sold-out', 'unavailable', 'too-many-requests'] as const)
      check.answered(refusal(code, true), true)
    await turn()
    expect(asked()).toBe(1)
  })

  it.each([
    ['an order', won],
    ['an order that does not stand any more', { kind: 'gone', orderId: 'mug-x' } as const],
    ['a refusal from behind the gate', refusal('limit-reached')],
  ])('works out another for the purchase after %s', async (_, outcome) => {
    const { check, turn } = page()
    await turn()
    check.answered(outcome, true)
    expect(check.payload()).toBeUndefined()
    expect(await turn()).toBe('passed')
    expect(check.payload()).toBe('a challenge solved, no. 2')
  })

  it.each(['challenge-failed', 'challenge-required'] as const)(
    'never sends a solution again that was refused as %s, though the purchase is the same',
    async (code) => {
      const { check, turn } = page()
      await turn()
      check.answered(refusal(code, true), false)
      expect(check.hold()).toBe('checking')
      await turn()
      expect(check.payload()).toBe('a challenge solved, no. 2')
    },
  )

  it('lets go of a solution 20 s before the shop does, and works out another only where one is due', async () => {
    const { check, turn, wait } = page()
    await turn()
    wait(579_999)
    expect(await turn()).toBe('passed')
    wait(1)
    expect(await turn(false)).toBe('later')
    expect(check.payload()).toBeUndefined()
    expect(await turn()).toBe('passed')
  })

  it('tries again by itself after a lost answer, at its own moment from 5 to 10 s later', async () => {
    const { check, turn, wait } = page({ replies: [{ kind: 'lost' }] })
    expect(await turn()).toBe('failed')
    expect(check.hold()).toBe('unchecked')
    wait(7499)
    expect(await turn()).toBe('failed')
    wait(1)
    expect(await turn()).toBe('passed')
  })

  it('tries again at once when the shopper asks for it', async () => {
    const { check, turn } = page({ replies: [{ kind: 'lost' }] })
    await turn()
    check.again()
    expect(await turn()).toBe('passed')
  })

  it('waits as long as the shop asks for, and longer, so that a crowd does not come back at once', async () => {
    const { check, turn, wait } = page({ replies: [refused('too-many-requests', 429, 40)] })
    expect(await turn()).toBe('waiting')
    expect(check.hold()).toBe('checking')
    check.again()
    wait(59_999)
    expect(await turn()).toBe('waiting')
    wait(1)
    expect(await turn()).toBe('passed')
  })

  it('leaves the next try to the shopper where this browser found no solution', async () => {
    const { check, turn, wait, asked } = page({ solve: async () => undefined })
    expect(await turn()).toBe('failed')
    wait(3_600_000)
    await turn()
    expect(asked()).toBe(1)
    check.again()
    await turn()
    expect(asked()).toBe(2)
  })

  it.each(['sign-in-required', 'blocked', 'level-too-low'] as const)(
    'lets the click through that the answer %s will reject',
    async (code) => {
      const { check, turn, asked } = page({ replies: [refused(code, 403)] })
      await turn()
      await turn()
      expect(check.state()).toEqual({ kind: 'refused', code })
      expect(check.hold()).toBeUndefined()
      expect(asked()).toBe(1)
    },
  )

  it('is off where the sale asks for none any more, and on again when the answer to a click says so', async () => {
    const { check, turn } = page({ replies: [refused('conflict', 409)] })
    expect(await turn()).toBe('off')
    expect(check.hold()).toBeUndefined()
    check.answered(refusal('challenge-required', true), true)
    expect(await turn()).toBe('passed')
  })

  it('says so where the browser cannot do it, and asks for nothing', async () => {
    const { check, turn, asked } = page({ able: false })
    expect(await turn()).toBe('impossible')
    check.answered(refusal('challenge-required', true), true)
    expect(await turn()).toBe('impossible')
    expect(check.hold()).toBe('unchecked')
    expect(asked()).toBe(0)
  })
})

describe('a check that another service judges (N4)', () => {
  /** A shop that gives `replies` in turn, and a widget that gives a token for what is no ticket. */
  function widgetPage(replies: Reply[]) {
    return page({
      replies,
      solve: async (body, onAsk) => {
        if (body === 'a ticket') return { payload: 'ticket', expiresAt: 2_000_000 }
        onAsk()
        return { token: 'token' }
      },
    })
  }
  const ticket = answer('a ticket')

  it('sends the token, and keeps the ticket for the click; meanwhile the shopper may be asked', async () => {
    const { check, turn, requests, seen } = widgetPage([challenge, ticket])
    await turn()
    expect(requests).toEqual([{}, { token: 'token' }])
    expect(seen).toEqual(['working', 'asking', 'passed'])
    expect(check.payload()).toBe('ticket')
  })

  it('holds the click back while the shopper is asked, and takes no answer to a click for its own', async () => {
    const { check } = widgetPage([challenge])
    const held: unknown[] = []
    check.poll(true)
    await Promise.resolve()
    await Promise.resolve()
    expect(check.state().kind).toBe('asking')
    held.push(check.hold())
    check.answered(won, true)
    expect(check.state().kind).toBe('asking')
    expect(held).toEqual(['checking'])
  })

  it('leaves another try to the shopper after a token that the shop refused', async () => {
    const { check, turn, requests } = widgetPage([challenge, refused('challenge-failed', 403)])
    await turn()
    await turn()
    expect(check.state().kind).toBe('failed')
    expect(requests).toHaveLength(2)
    check.again()
    expect(check.state().kind).toBe('later')
  })

  it('goes on by itself later when the shop has no verdict', async () => {
    const { check, turn } = widgetPage([challenge, refused('unavailable', 503, 2)])
    await turn()
    expect(check.state().kind).toBe('waiting')
    expect(check.hold()).toBe('checking')
  })

  it('fails, and does not go round in a circle, when a token is answered with another widget', async () => {
    const { check, turn, requests } = widgetPage([challenge, challenge, challenge])
    await turn()
    expect(check.state().kind).toBe('failed')
    expect(requests).toHaveLength(2)
  })
})
