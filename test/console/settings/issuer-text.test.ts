import { describe, expect, it } from 'vitest'
import { emptyIssuer, issuerFieldAt, readIssuerText, textOfIssuer } from '../../../console/settings/customers-view.tsx'
import type { CustomerIssuerView } from '../../../core/people/customer-issuer.ts'

const byAddress = {
  ...emptyIssuer,
  name: ' shop ',
  issuer: 'https://shop.example',
  jwksUrl: ' https://shop.example/jwks.json ',
}
const pasted = { ...byAddress, source: 'paste', jwks: '{"keys":[{"kty":"OKP","x":"A"}]}' } as const

describe('what a marketer enters about an issuer of customers', () => {
  it('is what the API takes: the keys from one source, without what is left empty', () => {
    expect(readIssuerText(byAddress)).toEqual({
      ok: true,
      name: 'shop',
      input: { issuer: 'https://shop.example', jwksUrl: 'https://shop.example/jwks.json' },
    })
    const signInUrl = 'https://shop.example/login'
    expect(readIssuerText({ ...pasted, signInUrl })).toEqual({
      ok: true,
      name: 'shop',
      input: { issuer: 'https://shop.example', signInUrl, jwks: { keys: [{ kty: 'OKP', x: 'A' }] } },
    })
  })

  it.each([
    ['name', { name: 'Shop' }],
    ['issuer', { issuer: 'a shop' }],
    ['jwksUrl', { jwksUrl: '' }],
    ['jwksUrl', { jwksUrl: 'http://shop.example/jwks.json' }],
    ['signInUrl', { signInUrl: 'shop.example' }],
    ['jwks', { ...pasted, jwks: '' }],
    ['jwks', { ...pasted, jwks: '{"keys":{}}' }],
    ['jwks', { ...pasted, jwks: '{"keys":[1]}' }],
  ] as const)('is wrong at %s with %j', (field, change) => {
    expect(readIssuerText({ ...byAddress, ...change })).toMatchObject({ ok: false, field })
  })

  it.each(['{"keys":[{"kty":"OKP","d":"secret"}]}', '{"keys":[{"kty":"oct","k":"secret"}]}'])(
    'never sends a private key: %s',
    (jwks) => {
      expect(readIssuerText({ ...pasted, jwks })).toEqual({
        ok: false,
        field: 'jwks',
        words: 'customers.wrong.private',
      })
    },
  )

  it('begins with what is saved; pasted keys are pasted again', () => {
    const saved: CustomerIssuerView = {
      ...{ name: 'shop', issuer: 'https://shop.example', signInUrl: null, jwksUrl: null, keys: [] },
      ...{ savedAt: 1, checkedAt: null, failure: null, failedSince: null, refused: null },
    }
    expect(readIssuerText(textOfIssuer(saved))).toMatchObject({ ok: false, field: 'jwks' })
    const jwksUrl = 'https://shop.example/jwks.json'
    expect(readIssuerText(textOfIssuer({ ...saved, jwksUrl }))).toMatchObject({ ok: true, input: { jwksUrl } })
  })

  it('has a place for each complaint of the API', () => {
    expect(issuerFieldAt('issuer', emptyIssuer)).toBe('issuer')
    expect(issuerFieldAt('signInUrl', emptyIssuer)).toBe('signInUrl')
    expect(issuerFieldAt('jwks.keys.0', pasted)).toBe('jwks')
    expect(issuerFieldAt('jwksUrl', pasted)).toBe('jwks')
    expect(issuerFieldAt('body', emptyIssuer)).toBe('jwksUrl')
  })
})
