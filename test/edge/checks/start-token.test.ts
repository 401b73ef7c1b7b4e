import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bodyBytes } from '../../../edge/cloudfront.ts'
import { armedForMs, armedTokenOf } from '../../../redis/gate/armed-token.ts'
import {
  fakeStore,
  forwardedOf,
  openGate,
  openInstance,
  openSaleFacts,
  refusalOf,
  saleId,
  startOfTests,
  startToken,
} from '../support.ts'

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

  describe('with the parameter of a page from before the start', () => {
    const armed = body(armedTokenOf(startToken))
    const startsAt = startOfTests
    const gateAt = (now: number) => openInstance(fakeStore({ [saleId]: { ...openSaleFacts, startsAt } }), { now })

    it.each([0, armedForMs - 1])('forwards the token in its place, %d ms after the start (C6)', async (sinceMs) => {
      const forwarded = forwardedOf(await gateAt(startsAt + sinceMs).buy({ body: armed }))
      expect(forwarded.body?.action).toBe('replace')
      const bytes = bodyBytes(forwarded.body)
      expect(JSON.parse(bytes.toString())).toEqual({ quantity: 1, startToken })
      expect(forwarded.headers['x-amz-content-sha256']?.[0]?.value).toBe(hash('sha256', bytes, 'hex'))
    })

    it('refuses it before the start (C6, G2)', async () => {
      expect(refusalOf(await gateAt(startsAt - 1).buy({ body: armed })).code).toBe('not-started')
    })

    it('asks for a reload ten seconds after the start (C6)', async () => {
      expect(refusalOf(await gateAt(startsAt + armedForMs).buy({ body: armed })).code).toBe('stale-page')
    })

    it('reads the store no more than for the token itself', async () => {
      const gate = gateAt(startsAt + 5)
      await gate.buy({ body: body(startToken) })
      const reads = gate.store.reads
      await gate.buy({ body: armed })
      expect(gate.store.reads).toBe(reads)
    })
  })

  it('does not let a guess of the right token open a sale that has not started (C6, G2)', async () => {
    const { buy } = openGate({ flag: 'off' })
    expect(refusalOf(await buy()).code).toBe('not-started')
  })
})
