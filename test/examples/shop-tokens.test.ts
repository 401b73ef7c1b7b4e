/** The examples that sign tokens for the customers of a shop: the gate takes them, and only for a customer who is signed in. */
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { customersText } from '../../core/people/customer-keys.ts'
import { customersIn } from '../../edge/memory/customers.ts'
import { createSessionTokens } from '../../edge/memory/tokens.ts'
import { readCustomerKeys } from '../../functions/lib/customer-jwks.ts'
import { newFolder } from '../folders.ts'

const sale = 'https://sale.shop.example'
const issuer = 'https://shop.example'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')

/** The examples are plain JavaScript, so they have no types. */
const example = (path: string) => import(new URL(`../../examples/${path}`, import.meta.url).href)

function shopperOf(token: string) {
  const keys = readCustomerKeys([{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }])
  if ('failure' in keys) throw new Error(keys.failure)
  const { issuers } = customersIn(customersText([{ name: 'shop', issuer, keys }]), new Set([sale]))
  return createSessionTokens({ publicKeys: [], issuer: 'ours', audience: 'ours' }, Date.now).verify(token, issuers)
}

describe('the app proxy of examples/shopify-theme', async () => {
  const { answerTo, isSigned } = await example('shopify-theme/token.mjs')
  const store = 'my-shop.myshopify.com'
  const now = Math.floor(Date.now() / 1000)
  const settings = { secret: 'hush', store, sale, issuer, keyId: 'first', key: privateKey }
  const usual = { logged_in_customer_id: '4711', path_prefix: '/apps/sluice', shop: store, timestamp: String(now) }
  const signed = (change: Partial<typeof usual>, secret = 'hush') => {
    const query = { ...usual, ...change }
    const text = Object.entries(query)
      .map(([name, value]) => `${name}=${value}`)
      .sort()
      .join('')
    return new URLSearchParams({ ...query, signature: createHmac('sha256', secret).update(text).digest('hex') })
  }

  it('takes the signature that Shopify publishes as its example', () => {
    const query = new URLSearchParams(
      'extra=1&extra=2&shop=shop-name.myshopify.com&logged_in_customer_id=1&path_prefix=%2Fapps%2Fawesome_reviews&timestamp=1317327555&signature=4c68c8624d737112c91818c11017d24d334b524cb5c2b8ba08daa056f7395ddb',
    )
    expect(isSigned(query, 'hush')).toBe(true)
    query.set('logged_in_customer_id', '2')
    expect(isSigned(query, 'hush')).toBe(false)
  })

  it('signs a token for the customer, which the gate takes', () => {
    const [status, token] = answerTo(signed({}), settings, now)
    expect(status).toBe(200)
    expect(shopperOf(token)).toMatchObject({ shopperId: 'customer:shop|4711', roles: [] })
  })

  it.each([
    ['a guest', signed({ logged_in_customer_id: '' }), 401],
    ['a query with another secret', signed({}, 'guess'), 403],
    ['a query without a signature', new URLSearchParams(usual), 403],
    ['a query of another store', signed({ shop: 'other.myshopify.com' }), 403],
    ['a query that is two minutes old', signed({ timestamp: String(now - 120) }), 403],
  ])('has no token for %s', (_, query, status) => {
    expect(answerTo(query, settings, now)).toEqual([status, ''])
  })
})

describe('the route of examples/nextjs', async () => {
  const { customerToken } = await example('nextjs/app/sale-token/token.js')
  const file = join(newFolder('next'), 'key.pem')
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  afterAll(() => vi.unstubAllEnvs())

  it('signs a token for the customer, which the gate takes, and none without its settings', () => {
    vi.stubEnv('SLUICE_URL', sale)
    vi.stubEnv('SHOP_ISSUER', issuer)
    expect(() => customerToken('4711')).toThrow('SHOP_KEY_FILE')
    vi.stubEnv('SHOP_KEY_FILE', file)
    expect(shopperOf(customerToken('4711'))).toMatchObject({ shopperId: 'customer:shop|4711', roles: [] })
  })
})
