import { describe, expect, it } from 'vitest'
import { dayOf, type PassKeys, passKeysText, passLifeSeconds } from '../../../core/gate/pass.ts'
import {
  eventOf,
  forwardedOf,
  openGate,
  passOf,
  refusalOf,
  ruled,
  startOfTests,
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
  it('refuses a pass of a former key within two seconds of its rotation, and gives a new one that buys (L6)', async () => {
    const gate = openGate(ruled({ requirePass: 'on' }))
    gate.store.setPassKeys(passKeysText(keys))
    const leaked = () => gate.buy({ headers: { 'x-sluice-pass': passOf(keys, gate.time.now) } })
    forwardedOf(await leaked())
    gate.store.setPassKeys(passKeysText(new Map([...keys.keys()].map((day) => [day, 'another key']))))
    // Clicks go on meanwhile, as in a sale.
    const answers = []
    for (const until = gate.time.now + 2000; gate.time.now < until; gate.time.now += 500)
      answers.push(await leaked())
    expect(answers.some((answer) => 'uri' in answer)).toBe(true)
    expect(refusalOf(await leaked())).toMatchObject({ code: 'sign-in-required', body: { field: 'pass' } })
    const headers = { authorization: `Bearer ${await tokenAt(gate.time.now)}` }
    const given = refusalOf(await gate.handler(eventOf({ method: 'GET', uri: '/api/pass', headers })))
    expect(given.status).toBe(200)
    forwardedOf(await gate.buy({ headers: { 'x-sluice-pass': String(given.body.pass) } }))
  })
})
