import { describe, expect, it } from 'vitest'
import { dayOf, type PassKeys, passKeysText, passLifeSeconds } from '../../../core/pass.ts'
import { forwardedOf, openGate, passOf, refusalOf, ruled, startOfTests } from '../support.ts'

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
})
