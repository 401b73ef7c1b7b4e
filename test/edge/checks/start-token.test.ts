import { describe, expect, it } from 'vitest'
import { buyEvent, forwardedOf, openGate, refusalOf, startToken } from '../support.ts'

describe('the start token check', () => {
  const body = (token: string) => JSON.stringify({ quantity: 1, startToken: token })

  it('admits a page of the current epoch (C6)', async () => {
    const { handler, time } = openGate()
    forwardedOf(await handler(await buyEvent(time.now)))
  })

  it.each([
    ['of an earlier epoch', startToken.replace('Z', 'Y')],
    ['that is cut off', startToken.slice(0, -1)],
    ['that has extra characters', `${startToken}A`],
    ['in another case', startToken.toLowerCase()],
  ])('asks a page with a token %s to reload (C6)', async (_what, token) => {
    const { handler, time } = openGate()
    const refusal = refusalOf(await handler(await buyEvent(time.now, { body: body(token) })))
    expect(refusal).toMatchObject({ status: 409, code: 'stale-page' })
    expect(JSON.stringify(refusal)).not.toContain(startToken)
  })

  it('refuses every request where the epoch has no token', async () => {
    const { handler, time } = openGate({ startToken: null })
    expect(refusalOf(await handler(await buyEvent(time.now))).code).toBe('stale-page')
  })

  it('does not let a guess of the right token open a sale that has not started (C6, G2)', async () => {
    const { handler, time } = openGate({ flag: 'off' })
    expect(refusalOf(await handler(await buyEvent(time.now))).code).toBe('not-started')
  })
})
