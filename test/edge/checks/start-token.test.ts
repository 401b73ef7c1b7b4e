import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, refusalOf, startToken } from '../support.ts'

describe('the start token check', () => {
  const body = (token: string) => JSON.stringify({ quantity: 1, startToken: token })

  it('admits a page of the current epoch (C6)', async () => {
    const { buy } = openGate()
    forwardedOf(await buy())
  })

  it.each([
    ['of an earlier epoch', startToken.replace('Z', 'Y')],
    ['that is cut off', startToken.slice(0, -1)],
    ['that has extra characters', `${startToken}A`],
    ['in another case', startToken.toLowerCase()],
  ])('asks a page with a token %s to reload (C6)', async (_what, token) => {
    const { buy } = openGate()
    const refusal = refusalOf(await buy({ body: body(token) }))
    expect(refusal).toMatchObject({ status: 409, code: 'stale-page' })
    expect(JSON.stringify(refusal)).not.toContain(startToken)
  })

  it('refuses every request where the epoch has no token', async () => {
    const { buy } = openGate({ startToken: null })
    expect(refusalOf(await buy()).code).toBe('stale-page')
  })

  it('does not let a guess of the right token open a sale that has not started (C6, G2)', async () => {
    const { buy } = openGate({ flag: 'off' })
    expect(refusalOf(await buy()).code).toBe('not-started')
  })
})
