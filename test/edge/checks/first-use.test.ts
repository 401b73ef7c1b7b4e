import { describe, expect, it, vi } from 'vitest'
import type { GateFacts } from '../../../edge/memory/gate-store.ts'
import { solve } from '../solve.ts'
import {
  buyEvent,
  challengeEvent,
  forwardedOf,
  openGate,
  openInstance,
  openSaleFacts,
  refusalOf,
  ruled,
  saleId,
  startToken,
} from '../support.ts'

function openGuarded(facts: Partial<GateFacts> = {}) {
  return openGate({ ...ruled({ challenge: 'pow' }), ...facts })
}
type Gate = ReturnType<typeof openGuarded>

async function fetchAndSolve({ handler, time }: Pick<Gate, 'handler' | 'time'>): Promise<string> {
  const answer = await handler(await challengeEvent(time.now))
  if ('uri' in answer) throw new Error('a request for a challenge was forwarded')
  return solve(JSON.parse(answer.body))
}

/**
 * A buy request of Ann with a solved challenge, under an idempotency key or, without one, as the
 * one of this epoch.
 */
async function spend({ handler, time }: Pick<Gate, 'handler' | 'time'>, challenge: string, key?: string) {
  const body = JSON.stringify({ quantity: 1, startToken, challenge })
  return handler(
    await buyEvent(time.now, { body, headers: key === undefined ? {} : { 'idempotency-key': key } }),
  )
}

describe('a solved challenge (R5)', () => {
  it('is valid for one order', async () => {
    const gate = openGuarded()
    const challenge = await fetchAndSolve(gate)
    forwardedOf(await spend(gate, challenge, 'first'))
    expect(refusalOf(await spend(gate, challenge, 'second'))).toMatchObject({
      status: 403,
      code: 'challenge-failed',
    })
  })

  it('is valid for each retry of that order after a lost reply (S9)', async () => {
    const gate = openGuarded()
    const challenge = await fetchAndSolve(gate)
    for (let i = 0; i < 3; i++) forwardedOf(await spend(gate, challenge, 'first'))
  })

  it('accepts a retry without a key, which belongs to the order of this epoch', async () => {
    const gate = openGuarded()
    const challenge = await fetchAndSolve(gate)
    forwardedOf(await spend(gate, challenge))
    forwardedOf(await spend(gate, challenge))
    expect(refusalOf(await spend(gate, challenge, 'another')).code).toBe('challenge-failed')
  })

  it('refuses the next epoch’s request, which is for another order', async () => {
    const gate = openGuarded()
    const challenge = await fetchAndSolve(gate)
    forwardedOf(await spend(gate, challenge))
    const next = 'dGhlLXRva2VuLW9mLXRoZS1uZXh0LW9wZW5pbmc'
    gate.store.list(saleId, { ...openSaleFacts, ...ruled({ challenge: 'pow' }), epoch: 2, startToken: next })
    gate.time.now += 2000
    const body = JSON.stringify({ quantity: 1, startToken: next, challenge })
    expect(refusalOf(await gate.handler(await buyEvent(gate.time.now, { body }))).code).toBe(
      'challenge-failed',
    )
  })

  it('is valid once over all instances of the gate, also for concurrent requests', async () => {
    const { store, time } = openGuarded()
    const instances = Array.from({ length: 5 }, () => openInstance(store, time))
    const first = instances[0]
    if (first === undefined) throw new Error('there are instances')
    const challenge = await fetchAndSolve({ ...first, time })
    const answers = await Promise.all(
      instances.map(({ handler }, index) => spend({ handler, time }, challenge, `try-${index}`)),
    )
    expect(answers.filter((answer) => 'uri' in answer)).toHaveLength(1)
  })

  it('is remembered for longer than an instance with a lagging clock would accept it', async () => {
    const gate = openGuarded()
    const firstUse = vi.spyOn(gate.store, 'firstUse')
    const challenge = await fetchAndSolve(gate)
    gate.time.now += 240_000
    forwardedOf(await spend(gate, challenge, 'first'))
    expect(firstUse).toHaveBeenCalledExactlyOnceWith(
      saleId,
      expect.stringMatching(/^[0-9a-f]{32}$/),
      'first',
      360_000 + 60_000,
    )
  })
})

describe('a shopper who is refused because of a challenge', () => {
  it('keeps no admission: it goes to the next shopper', async () => {
    const gate = openGuarded()
    const challenge = await fetchAndSolve(gate)
    forwardedOf(await spend(gate, challenge, 'first'))
    gate.time.now += 120_000
    gate.store.replenish(saleId, 2)
    expect(refusalOf(await spend(gate, challenge, 'second')).code).toBe('challenge-failed')
    forwardedOf(await spend(gate, await fetchAndSolve(gate), 'third'))
    expect(refusalOf(await spend(gate, await fetchAndSolve(gate), 'fourth')).code).toBe('at-capacity')
  })

  it('is asked to retry when the store does not answer, and keeps no admission either (I6)', async () => {
    const gate = openGuarded()
    gate.store.replenish(saleId, 1)
    const challenge = await fetchAndSolve(gate)
    const firstUse = vi
      .spyOn(gate.store, 'firstUse')
      .mockRejectedValueOnce(new Error('the store is unavailable'))
    const refusal = refusalOf(await spend(gate, challenge, 'first'))
    expect(refusal).toMatchObject({ status: 503, code: 'unavailable' })
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(firstUse).toHaveBeenCalledTimes(1)
    expect(gate.reports).toHaveLength(1)
    forwardedOf(await spend(gate, challenge, 'first'))
  })

  it('causes no store request before the challenge is verified', async () => {
    const gate = openGuarded()
    const firstUse = vi.spyOn(gate.store, 'firstUse')
    expect(refusalOf(await spend(gate, 'bm90IGEgY2hhbGxlbmdl', 'first')).code).toBe('challenge-failed')
    expect(refusalOf(await gate.handler(await buyEvent(gate.time.now))).code).toBe('challenge-required')
    expect(firstUse).not.toHaveBeenCalled()
    expect(gate.store.asks).toEqual([])
  })
})

describe('a sale without challenges', () => {
  it('asks for no challenge, and sends the store no first use', async () => {
    const gate = openGate()
    const firstUse = vi.spyOn(gate.store, 'firstUse')
    forwardedOf(await spend(gate, 'bm90IGEgY2hhbGxlbmdl', 'first'))
    forwardedOf(await gate.handler(await buyEvent(gate.time.now)))
    expect(firstUse).not.toHaveBeenCalled()
  })

  it('issues none', async () => {
    const { handler, time } = openGate()
    expect(refusalOf(await handler(await challengeEvent(time.now)))).toMatchObject({
      status: 409,
      code: 'conflict',
    })
  })
})

describe('an answer with a challenge', () => {
  it('is JSON for the page, never cached, and differs each time', async () => {
    const { handler, time } = openGuarded()
    const answers = [
      await handler(await challengeEvent(time.now)),
      await handler(await challengeEvent(time.now)),
    ]
    for (const answer of answers) {
      if ('uri' in answer) throw new Error('a request for a challenge was forwarded')
      expect(answer.status).toBe('200')
      expect(answer.headers['content-type']?.[0]?.value).toMatch(/^application\/json/)
      expect(answer.headers['cache-control']?.[0]?.value).toBe('no-store')
      expect(answer.headers['x-request-id']?.[0]?.value).toMatch(/^4TyzHTaY/)
      expect(JSON.parse(answer.body)).toMatchObject({
        parameters: { algorithm: 'PBKDF2/SHA-256', cost: 20, expiresAt: time.now / 1000 + 600 },
        signature: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(answer.body).not.toContain('the secret that signs')
    }
    const [first, second] = answers
    expect(first).not.toEqual(second)
  })

  it('is issued before the start, so that solving it takes no time afterwards (R5)', async () => {
    const { handler, time } = openGuarded({ flag: 'off' })
    const answer = await handler(await challengeEvent(time.now))
    expect('uri' in answer ? 'forwarded' : answer.status).toBe('200')
  })
})
