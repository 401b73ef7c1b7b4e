import crypto from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { dayOf, type PassKeys, passKeysText, passLifeSeconds } from '../../../core/gate/pass.ts'
import { shopperHashOf } from '../../../edge/memory/passes.ts'
import { turnMs } from '../../../edge/turn.ts'
import {
  eventOf,
  forwardedOf,
  gateSettings,
  openGate,
  openInstance,
  passOf,
  publicJwk,
  refusalOf,
  ruled,
  shopperIdOf,
  startOfTests,
  startToken,
  tokenAt,
} from '../support.ts'

const keys: PassKeys = new Map([[dayOf(startOfTests / 1000 + passLifeSeconds), 'key']])

/** A gate of a sale that requires passes, and Ann's click with the pass of `owner`. */
async function clickWithPassOf(owner: string | undefined) {
  const gate = openGate(ruled({ requirePass: 'on' }))
  gate.store.setPassKeys(passKeysText(keys))
  const headers: Record<string, string> =
    owner === undefined ? {} : { 'x-sluice-pass': passOf(keys, startOfTests, owner) }
  return gate.buy({ headers })
}

describe('a sale that requires passes', () => {
  it('lets a shopper buy with a pass of their own', async () => {
    forwardedOf(await clickWithPassOf('ann'))
  })

  it.each([
    ['the valid pass of another shopper', 'bob'],
    ['no pass', undefined],
  ])('refuses a session with %s (R8, L6)', async (_, owner) => {
    expect(refusalOf(await clickWithPassOf(owner))).toMatchObject({
      ...{ status: 401, code: 'sign-in-required' },
      body: { field: 'pass' },
    })
  })

  it('takes two passes in one header for none, and a pass with anything behind it (R8, L6)', async () => {
    const pass = passOf(keys, startOfTests)
    const gate = openGate(ruled({ requirePass: 'on' }))
    gate.store.setPassKeys(passKeysText(keys))
    for (const sent of [`${pass}, ${pass}`, `${pass} `, `${pass}.a.b`, `${pass},`, `${pass}\n`, `x${pass}`])
      expect(refusalOf(await gate.buy({ headers: { 'x-sluice-pass': sent } })), sent).toMatchObject({
        ...{ code: 'sign-in-required', body: { field: 'pass' } },
      })
  })

  it('refuses a pass of a former key within two seconds of its rotation, and gives a new one that buys (L6)', async () => {
    const gate = openGate(ruled({ requirePass: 'on' }))
    gate.store.setPassKeys(passKeysText(keys))
    const leaked = () => gate.buy({ headers: { 'x-sluice-pass': passOf(keys, gate.time.now) } })
    forwardedOf(await leaked())
    gate.store.setPassKeys(passKeysText(new Map([...keys.keys()].map((day) => [day, 'another key']))))
    // Clicks go on meanwhile, as in a sale.
    const answers = []
    for (const until = gate.time.now + 2000; gate.time.now < until; gate.time.now += 500) answers.push(await leaked())
    expect(answers.some((answer) => 'uri' in answer)).toBe(true)
    expect(refusalOf(await leaked())).toMatchObject({ code: 'sign-in-required', body: { field: 'pass' } })
    const headers = { authorization: `Bearer ${await tokenAt(gate.time.now)}` }
    const given = refusalOf(await gate.handler(eventOf({ method: 'GET', uri: '/api/pass', headers })))
    expect(given.status).toBe(200)
    forwardedOf(await gate.buy({ headers: { 'x-sluice-pass': String(given.body.pass) } }))
  })
})

describe('the session behind a pass', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  /** Ann's token with the pass that one instance gave for it, and another instance, which has seen neither. */
  async function passedOn() {
    const first = openGate(ruled({ requirePass: 'on' }))
    first.store.setPassKeys(passKeysText(keys))
    const token = await tokenAt(startOfTests)
    const event = eventOf({ uri: '/api/pass', headers: { authorization: `Bearer ${token}` } })
    const pass = String(refusalOf(await first.handler(event)).body.pass)
    const other = openInstance(first.store, first.time)
    const click = (with_: { pass?: string; token?: string } = {}) =>
      other.buy({ token: with_.token ?? token, headers: { 'x-sluice-pass': with_.pass ?? pass } })
    return { ...first, token, pass, click, checks: vi.spyOn(crypto, 'verify') }
  }

  it('is verified once for all instances: its proof in the pass stands for its signature (R8)', async () => {
    const { click, checks } = await passedOn()
    forwardedOf(await click())
    expect(checks).not.toHaveBeenCalled()
  })

  it('is verified again where the proof is cut or left out', async () => {
    const { click, pass, checks } = await passedOn()
    forwardedOf(await click({ pass: pass.slice(0, -1) }))
    expect(checks).toHaveBeenCalledTimes(1)
    const { click: clickAgain, ...again } = await passedOn()
    forwardedOf(await clickAgain({ pass: again.pass.slice(0, again.pass.lastIndexOf('.')) }))
    expect(again.checks).toHaveBeenCalled()
  })

  it('is refused when its claims or its signature are not those that were verified (R8, L6)', async () => {
    const { click, token } = await passedOn()
    const [head = '', body = '', signature = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const raised = Buffer.from(JSON.stringify({ ...claims, level: 9 })).toString('base64url')
    for (const forged of [`${head}.${raised}.${signature}`, `${head}.${body}.${'A'.repeat(86)}`])
      expect(refusalOf(await click({ token: forged }))).toMatchObject({ code: 'sign-in-required' })
  })

  it('is refused with the good token of another shopper, whose signature is verified', async () => {
    const { click, checks } = await passedOn()
    const bobs = await tokenAt(startOfTests, { claims: { sub: 'bob' } })
    expect(refusalOf(await click({ token: bobs }))).toMatchObject({ body: { field: 'pass' } })
    const signed = bobs.slice(0, bobs.lastIndexOf('.'))
    expect(checks.mock.calls.filter(([, data]) => String(data) === signed)).toHaveLength(1)
  })

  it('ends with its token, before the pass does', async () => {
    const { click, time } = await passedOn()
    time.now += 606_000
    expect(refusalOf(await click())).toMatchObject({ status: 401, code: 'sign-in-required' })
  })

  it.each([
    ['the key that signed it', async () => `session-key ${await calculateJwkThumbprint(publicJwk)}`],
    ['its shopper', async () => 'shopper ann'],
  ])('is refused by the block list for %s as without a proof (R8)', async (_, field) => {
    const { click, store } = await passedOn()
    store.block(await field())
    expect([401, 403]).toContain(refusalOf(await click()).status)
  })

  it('is refused when its key is no longer one of the gate', async () => {
    const { store, time, token, pass } = await passedOn()
    const { publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const settings = gateSettings({ publicKeys: [publicKey.export({ format: 'jwk' })] })
    const later = openInstance(store, time)
    const answer = await later.buy({ token, settings, headers: { 'x-sluice-pass': pass } })
    expect(refusalOf(answer)).toMatchObject({ code: 'sign-in-required' })
  })
})

const spreadSeconds = 300

function turnOf(shopper: string): number {
  return turnMs(startToken, shopperHashOf(shopperIdOf(shopper)), spreadSeconds)
}

/** A shopper whose turn comes when no early request of the first seconds counts any more. */
function shopperWithTurnAfter(ms: number): string {
  for (let number = 0; ; number += 1) {
    if (turnOf(`shopper-${number}`) > ms) return `shopper-${number}`
  }
}

describe('the turn of a shopper', () => {
  const shopper = shopperWithTurnAfter(60_000)
  const openAtStart = () => openGate({ ...ruled({ requirePass: 'on', spreadSeconds }), startsAt: startOfTests })

  async function clicker() {
    const gate = openAtStart()
    const token = await tokenAt(startOfTests, { claims: { sub: shopper } })
    const clickAt = async (ms: number) => {
      gate.time.now = startOfTests + ms
      return gate.buy({ token })
    }
    return { clickAt }
  }

  it('is waited for as Retry-After says, and then the shopper may buy (R8)', async () => {
    const { clickAt } = await clicker()
    const { code, headers } = refusalOf(await clickAt(0))
    const waitMs = Number(headers['retry-after']) * 1000
    expect(code).toBe('not-your-turn')
    expect(waitMs).toBe(Math.ceil(turnOf(shopper) / 1000) * 1000)
    expect(refusalOf(await clickAt(turnOf(shopper) - 1)).code).toBe('not-your-turn')
    forwardedOf(await clickAt(waitMs))
  })

  it('does not help a script that clicks until it comes (R2, R4)', async () => {
    const { clickAt } = await clicker()
    const turn = turnOf(shopper)
    for (const before of [400, 300, 200, 100]) await clickAt(turn - before)
    const { code, headers } = refusalOf(await clickAt(turn))
    expect([code, headers['retry-after']]).toEqual(['too-many-requests', '60'])
    forwardedOf(await clickAt(turn + 60_000))
  })
})
