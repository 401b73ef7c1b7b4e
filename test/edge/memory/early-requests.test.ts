import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, refusalOf, saleId, startToken, tokenAt, unthrottled } from '../support.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The order of P-256 (FIPS 186-5): `s` and `order - s` are both valid signatures. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Every text that base64url decodes to the bytes of the token's signature. */
function spellingsOf(token: string): string[] {
  const spare = 4
  const last = alphabet.indexOf(token.at(-1) ?? '')
  const canonical = last - (last % 2 ** spare)
  return [...alphabet.slice(canonical, canonical + 2 ** spare)].map((letter) => token.slice(0, -1) + letter)
}

/** Another signature of the same text that is just as valid. */
function negated(token: string): string {
  const [header, payload, signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`)
  const other = (order - s).toString(16).padStart(64, '0')
  const changed = Buffer.concat([bytes.subarray(0, 32), Buffer.from(other, 'hex')])
  return `${header}.${payload}.${changed.toString('base64url')}`
}

describe('requests before the start', () => {
  it('count against every spelling of a token that can buy', async () => {
    const gate = openGate({ ...unthrottled, flag: 'off', startToken: null })
    const token = await tokenAt(gate.time.now)
    const spellings = spellingsOf(token)
    expect(spellings).toContain(token)
    const click = async (text: string) => gate.buy({ token: text })
    for (const spelling of spellings) {
      expect(refusalOf(await click(spelling)).code).toBe('not-started')
    }
    for (const twin of [negated(token), negated(token), negated(token), negated(token)]) {
      expect(refusalOf(await click(twin)).code).toBe('not-started')
    }
    const sale = gate.store.sales[saleId]
    if (sale === undefined) throw new Error('the sale is there')
    gate.store.sales[saleId] = { ...sale, flag: 'on', startToken }
    gate.time.now += 1001
    const codes: unknown[] = []
    for (const spelling of [...spellings, negated(token)]) codes.push(refusalOf(await click(spelling)).code)
    expect(new Set(codes)).toEqual(new Set(['sign-in-required', 'too-many-requests']))
    expect(codes.filter((code) => code === 'too-many-requests')).toHaveLength(2)
  })

  it('do not count against a token that sent none', async () => {
    const gate = openGate(unthrottled)
    const token = await tokenAt(gate.time.now)
    forwardedOf(await gate.buy({ token }))
    forwardedOf(await gate.buy({ token: negated(token) }))
  })
})
