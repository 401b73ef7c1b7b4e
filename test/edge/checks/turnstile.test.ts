/** Turnstile at the gate, against a siteverify that judges, refuses, is silent or talks nonsense. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { challengeRequest } from '../../../core/gate/challenge-request.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { issueTicket, verifyTicket } from '../../../edge/memory/turnstile.ts'
import { otherSale, startProofs } from '../proofs.ts'
import { config, forwardedOf, gateSettings, refusalOf, saleId, shopperIdOf, startOfTests } from '../support.ts'

const { time, turnstile, openChecked, ask, token, termsFor, proofFrom, buyWith } = await startProofs()
const { siteKey, secret, verifyUrl } = turnstile
afterAll(() => turnstile.stop())
beforeEach(() => {
  time.now = startOfTests
  turnstile.behave({ widget: 'pass', siteverify: 'judge' })
})

type Gate = ReturnType<typeof openChecked>
const ticketFrom = (gate: Gate) => proofFrom(gate, 'turnstile')
const ofOther = { uri: `/api/sales/${otherSale}/challenge` }
const ofBob = { claims: { sub: 'bob' } }
const failed = { status: '403', body: { code: 'challenge-failed' } }
const unavailable = { status: '503', body: { code: 'unavailable' } }

describe('a sale that checks shoppers by Turnstile (N4)', () => {
  it('gives the page what the widget needs, and no secret, without asking Turnstile', async () => {
    const before = turnstile.verifyCalls().times
    const { status, body, headers } = await ask(openChecked(), {})
    expect(status).toBe('200')
    expect(body).toEqual({ turnstile: { siteKey, action: 'buy', cData: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) } })
    expect(JSON.stringify(body)).not.toContain(secret)
    expect(headers['cache-control']?.[0]?.value).toBe('no-store')
    expect(turnstile.verifyCalls().times).toBe(before)
  })

  it('gives a ticket for a token, valid for ten minutes, whose click asks only the store', async () => {
    const gate = openChecked()
    const { body } = await ask(gate, { token: await token(await termsFor(gate)) })
    expect(body).toEqual({ ticket: expect.any(String), expiresAt: startOfTests + 600_000 })
    const before = turnstile.verifyCalls().times
    forwardedOf(await buyWith(gate, body.ticket))
    expect(turnstile.verifyCalls().times).toBe(before)
  })

  it('counts both requests of a check against its throttle, which bounds the calls of siteverify', async () => {
    const gate = openChecked()
    const before = turnstile.verifyCalls().times
    const codes: unknown[] = []
    for (let i = 0; i < 14; i++) codes.push((await ask(gate, { token: 'made.up' })).body.code)
    expect(codes.filter((code) => code === 'too-many-requests')).toHaveLength(4)
    expect(turnstile.verifyCalls().times).toBe(before + 10)
  })
})

describe('a token is refused (N4)', () => {
  it('when it was sent before', async () => {
    const gate = openChecked()
    const used = await token(await termsFor(gate))
    expect(await ask(gate, { token: used })).toMatchObject({ status: '200' })
    expect(await ask(gate, { token: used })).toMatchObject(failed)
  })

  it.each([
    ['another sale', ofOther],
    ['another shopper', ofBob],
  ])('when the widget ran for %s', async (_, change) => {
    const gate = openChecked()
    const given = await token(await termsFor(gate, change))
    expect(await ask(gate, { token: given })).toMatchObject(failed)
  })

  it.each([
    ['on another site', { hostname: 'evil.example' }],
    ['on a site whose name ends like ours', { hostname: 'not-shop.example' }],
    ['with another action', { action: 'log-in' }],
    ['without data', { cData: '' }],
    ['with invented data', { cData: 'A'.repeat(43) }],
  ])('when the widget ran %s', async (_, change) => {
    const gate = openChecked()
    const given = await token(await termsFor(gate), change)
    expect(await ask(gate, { token: given })).toMatchObject(failed)
  })
})

describe('the body of a request for a challenge', () => {
  it.each([
    ['is a list', '[]', 'body'],
    ['is no JSON', '{token', 'body'],
    ['is null', 'null', 'body'],
    ['has another field', '{"sale":"x"}', 'sale'],
    ['has a number for a token', '{"token":1}', 'token'],
    ['has an empty token', '{"token":""}', 'token'],
    ['has a token with spaces', '{"token":"a b"}', 'token'],
    ['has a token in other letters', '{"token":"令牌"}', 'token'],
  ])('is refused when it %s, without asking Turnstile', async (_, body, field) => {
    const before = turnstile.verifyCalls().times
    expect(await ask(openChecked(), body)).toMatchObject({ status: '400', body: { code: 'invalid-request', field } })
    expect(turnstile.verifyCalls().times).toBe(before)
  })

  it('may be absent, which begins a check', async () => {
    const { body } = await ask(openChecked(), '')
    expect(body).toHaveProperty('turnstile')
  })

  it('holds a token of 2,048 characters, the longest of Turnstile, and no longer one', async () => {
    const longest = JSON.stringify({ token: 'x'.repeat(2048) })
    expect(readJson(challengeRequest, Buffer.from(longest)).ok).toBe(true)
    expect(await ask(openChecked(), longest)).toMatchObject(failed)
    const longer = JSON.stringify({ token: 'x'.repeat(2049) })
    expect(await ask(openChecked(), longer)).toMatchObject({ status: '400' })
    expect(await ask(openChecked(), ' '.repeat(2113))).toMatchObject({ status: '413' })
  })
})

describe('a ticket is refused (N4)', () => {
  const refused = async (gate: Gate, ticket: string) =>
    expect(refusalOf(await buyWith(gate, ticket)).code).toBe('challenge-failed')

  it('when another key has signed it', async () => {
    const ann = { saleId, shopperId: shopperIdOf('ann') }
    const { ticket } = issueTicket('another key', ann, time.now)
    await refused(openChecked(), ticket)
    expect(verifyTicket(ticket, ['another key'], ann, time.now)).toBeDefined()
    expect(verifyTicket(ticket, config.challengeKeys, ann, time.now)).toBeUndefined()
    const rotated = issueTicket('the former key', ann, time.now)
    expect(verifyTicket(rotated.ticket, ['a new key', 'the former key'], ann, time.now)).toBeDefined()
  })

  it.each<[string, (ticket: string) => string]>([
    ['has another nonce', (text) => `${'a'.repeat(32)}${text.slice(32)}`],
    ['lives longer', (text) => `${text.slice(0, 33)}9999999999${text.slice(43)}`],
    ['has another signature', (text) => `${text.slice(0, 44)}${'A'.repeat(43)}`],
    ['has no signature', (text) => text.slice(0, 44)],
    ['is cut off', (text) => text.slice(0, -1)],
    ['is longer', (text) => `${text}A`],
    ['is a token of the widget', () => '0-token'],
  ])('when it %s', async (_, change) => {
    const gate = openChecked()
    await refused(gate, change(await ticketFrom(gate)))
  })

  it('when it is a signature that the widget was given', async () => {
    const gate = openChecked()
    const { cData = '' } = await termsFor(gate)
    await refused(gate, `${'a'.repeat(32)}_${time.now / 1000 + 600}_${cData}`)
  })

  it('but a page of before gets a proof of work for its token, once the sale asks for one', async () => {
    const given = await token(await termsFor(openChecked()))
    const before = turnstile.verifyCalls().times
    const { body } = await ask(openChecked('pow'), { token: given })
    expect(body).toMatchObject({ parameters: { algorithm: 'PBKDF2/SHA-256' } })
    expect(turnstile.verifyCalls().times).toBe(before)
  })
})

describe('while Turnstile gives no verdict, no shopper passes (I6)', () => {
  it.each(['broken', 'garbage'] as const)(
    'when it is %s: it is asked twice with one key, and the shopper may try again',
    async (siteverify) => {
      const gate = openChecked()
      const given = await token(await termsFor(gate))
      turnstile.behave({ siteverify })
      const before = turnstile.verifyCalls()
      const answer = await ask(gate, { token: given })
      expect(answer).toMatchObject(unavailable)
      expect(Number(answer.headers['retry-after']?.[0]?.value)).toBeGreaterThanOrEqual(1)
      const after = turnstile.verifyCalls()
      expect([after.times - before.times, after.keys - before.keys]).toEqual([2, 1])
      expect(gate.reports).toEqual([{ message: 'Turnstile gave no verdict', details: expect.anything() }])
      expect(JSON.stringify(gate.reports)).not.toContain(given)
      // The token was not verified, so it is good once Turnstile is back.
      turnstile.behave({ siteverify: 'judge' })
      expect(await ask(gate, { token: given })).toMatchObject({ status: '200' })
    },
  )

  it('when its secret is wrong, and says so in the log', async () => {
    const gate = openChecked()
    const given = await token(await termsFor(gate))
    const wrong = gateSettings({ turnstile: { siteKey, secret: 'another', verifyUrl } })
    expect(await ask(gate, { token: given }, { settings: wrong })).toMatchObject(unavailable)
    expect(gate.reports).toEqual([
      { message: 'Turnstile gave no verdict', details: { reason: 'invalid-input-secret' } },
    ])
  })

  it('when this stage has no keys of it', async () => {
    const gate = openChecked()
    const without = { settings: gateSettings() }
    expect(await ask(gate, {}, without)).toMatchObject(unavailable)
    const ticket = await ticketFrom(gate)
    expect(refusalOf(await buyWith(gate, ticket, without)).code).toBe('unavailable')
  })
})
