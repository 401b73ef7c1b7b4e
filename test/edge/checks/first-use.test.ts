/** The rules of a passed check, whether it was a proof of work or Turnstile. */
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { otherSale, type Proof, startProofs } from '../proofs.ts'
import {
  buyEvent,
  forwardedOf,
  gateSettings,
  openGate,
  openInstance,
  openSaleFacts,
  refusalOf,
  ruled,
  saleId,
  startOfTests,
} from '../support.ts'

const { time, turnstile, openChecked, ask, proofFrom, buyWith } = await startProofs()
afterAll(() => turnstile.stop())
beforeEach(() => {
  time.now = startOfTests
})

const ofOther = { uri: `/api/sales/${otherSale}/challenge` }
const ofBob = { claims: { sub: 'bob' } }
const codeOf = async (answer: ReturnType<typeof buyWith>) => refusalOf(await answer).code

describe.each<Proof>(['pow', 'turnstile'])('a passed check by %s (R5, N4)', (proof) => {
  const open = (facts: Parameters<typeof openChecked>[1] = {}) => openChecked(proof, facts)

  it('is valid for one order, and for each retry of it after a lost reply (S9)', async () => {
    const gate = open()
    const passed = await proofFrom(gate, proof)
    for (let i = 0; i < 3; i++) forwardedOf(await buyWith(gate, passed))
    const refusal = refusalOf(await buyWith(gate, passed, { key: 'second' }))
    expect(refusal).toMatchObject({ status: 403, code: 'challenge-failed' })
    expect(await codeOf(buyWith(gate, passed, { key: null }))).toBe('challenge-failed')
    forwardedOf(await buyWith(gate, passed))
  })

  it('belongs to the order of this epoch without a key, and not to that of the next one', async () => {
    const gate = open()
    const passed = await proofFrom(gate, proof)
    for (let i = 0; i < 2; i++) forwardedOf(await buyWith(gate, passed, { key: null }))
    expect(await codeOf(buyWith(gate, passed, { key: 'another' }))).toBe('challenge-failed')
    const next = 'dGhlLXRva2VuLW9mLXRoZS1uZXh0LW9wZW5pbmc'
    gate.store.list(saleId, { ...openSaleFacts, ...ruled({ challenge: proof }), epoch: 2, startToken: next })
    time.now += 2000
    const body = JSON.stringify({ quantity: 1, startToken: next, challenge: passed })
    expect(await codeOf(buyWith(gate, passed, { key: null, body }))).toBe('challenge-failed')
  })

  it('is valid once over all instances of the gate, also for concurrent requests', async () => {
    const gate = open()
    const fleet = [gate, ...Array.from({ length: 4 }, () => openInstance(gate.store, time))]
    const passed = await proofFrom(gate, proof)
    const answers = await Promise.all(fleet.map((one, at) => buyWith(one, passed, { key: `try-${at}` })))
    expect(answers.filter((answer) => 'uri' in answer)).toHaveLength(1)
  })

  it('is valid for its shopper and its sale alone, until it expires', async () => {
    const gate = open()
    const refused = async (passed: string, change = {}) =>
      expect(await codeOf(buyWith(gate, passed, change))).toBe('challenge-failed')
    const passed = await proofFrom(gate, proof)
    await refused(await proofFrom(gate, proof, ofBob))
    await refused(await proofFrom(gate, proof, ofOther))
    await refused(passed, { uri: `/api/sales/${otherSale}/orders` })
    time.now += 600_000
    await refused(passed)
  })

  it('is remembered for longer than an instance with a lagging clock would accept it', async () => {
    const gate = open()
    const firstUse = vi.spyOn(gate.store, 'firstUse')
    const passed = await proofFrom(gate, proof)
    time.now += 240_000
    forwardedOf(await buyWith(gate, passed))
    const id = expect.stringMatching(/^[0-9a-f]{32}$/)
    expect(firstUse).toHaveBeenCalledExactlyOnceWith(saleId, id, 'first', 360_000 + 60_000)
  })

  it('that was used before keeps no admission: it goes to the next shopper (G5)', async () => {
    const gate = open()
    const used = await proofFrom(gate, proof)
    forwardedOf(await buyWith(gate, used))
    time.now += 120_000
    gate.store.replenish(saleId, 2)
    const asked = gate.store.asks.length
    for (const key of ['other-1', 'other-2'])
      expect(await codeOf(buyWith(gate, used, { key }))).toBe('challenge-failed')
    forwardedOf(await buyWith(gate, await proofFrom(gate, proof), { key: 'third' }))
    expect(await codeOf(buyWith(gate, await proofFrom(gate, proof), { key: 'fourth' }))).toBe('at-capacity')
    expect(gate.store.asks.length - asked, 'one spent, the others given back').toBeLessThanOrEqual(3)
  })

  it('is asked for again when the store does not answer, and keeps no admission either (I6)', async () => {
    const gate = open()
    gate.store.replenish(saleId, 1)
    const passed = await proofFrom(gate, proof)
    const outage = new Error('the store is unavailable')
    const firstUse = vi.spyOn(gate.store, 'firstUse').mockRejectedValueOnce(outage)
    const refusal = refusalOf(await buyWith(gate, passed))
    expect(refusal).toMatchObject({ status: 503, code: 'unavailable' })
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(firstUse).toHaveBeenCalledTimes(1)
    expect(gate.reports).toHaveLength(1)
    forwardedOf(await buyWith(gate, passed))
  })

  it('is verified before any request to the store', async () => {
    const gate = open()
    const firstUse = vi.spyOn(gate.store, 'firstUse')
    expect(await codeOf(buyWith(gate, 'bm90IGEgY2hhbGxlbmdl'))).toBe('challenge-failed')
    expect(refusalOf(await gate.handler(await buyEvent(time.now))).code).toBe('challenge-required')
    expect(firstUse).not.toHaveBeenCalled()
    expect(gate.store.asks).toEqual([])
  })

  it('is not taken in a sale with the other check', async () => {
    const other = proof === 'pow' ? 'turnstile' : 'pow'
    const passed = await proofFrom(open(), proof)
    expect(await codeOf(buyWith(openChecked(other), passed))).toBe('challenge-failed')
  })
})

it('a sale without challenges asks for no challenge, issues none, and sends the store no first use', async () => {
  const gate = openGate()
  const firstUse = vi.spyOn(gate.store, 'firstUse')
  forwardedOf(await buyWith(gate, 'bm90IGEgY2hhbGxlbmdl'))
  forwardedOf(await gate.buy())
  const refusal = refusalOf(await gate.fetchChallenge())
  expect(refusal).toMatchObject({ status: 409, code: 'conflict' })
  expect(firstUse).not.toHaveBeenCalled()
})

it('an answer with a challenge is JSON for the page, never cached, and differs each time', async () => {
  const gate = openChecked('pow')
  const answers = [await ask(gate, {}), await ask(gate, '', { settings: gateSettings() })]
  for (const { status, headers, body } of answers) {
    expect(status).toBe('200')
    expect(headers['content-type']?.[0]?.value).toMatch(/^application\/json/)
    expect(headers['cache-control']?.[0]?.value).toBe('no-store')
    expect(headers['x-request-id']?.[0]?.value).toMatch(/^4TyzHTaY/)
    expect(body).toMatchObject({
      parameters: { algorithm: 'PBKDF2/SHA-256', cost: 20, expiresAt: time.now / 1000 + 600 },
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(JSON.stringify(body)).not.toContain('the secret that signs')
  }
  expect(answers[0]?.body).not.toEqual(answers[1]?.body)
})
