import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { configHeader, encodeConfig, parseConfig, problemsOfSecrets } from '../../edge/config.ts'
import { createGate } from '../../edge/gate.ts'
import { packSecrets } from '../../edge/packed-secrets.ts'
import { openSettingsLength, secretSettingsLength } from '../../infra/gate-header.ts'
import { httpFunctions } from '../../system/functions.ts'
import {
  buyEvent,
  config,
  eventOf,
  fakeStore,
  forwardedOf,
  gateSettings,
  keys,
  openGate,
  openSaleFacts,
  publicJwk,
  refusalOf,
  saleId,
  settings,
  startOfTests,
} from './support.ts'

async function problemsOf(use: Record<string, string>) {
  const { buy, reports } = openGate()
  const answer = await buy({ settings: use })
  expect(refusalOf(answer)).toMatchObject({ status: 503, code: 'unavailable' })
  expect(reports).toHaveLength(1)
  return reports[0]?.details.problems
}

describe('the configuration of the gate', () => {
  it('is reported in one line with all that is missing, and serves no request (I6)', async () => {
    const { buy, store, reports } = openGate()
    const nothing = { [configHeader]: encodeConfig({}) }
    for (let i = 0; i < 3; i++) {
      const answer = await buy({ settings: nothing })
      expect(refusalOf(answer)).toMatchObject({ status: 503, code: 'unavailable' })
    }
    expect(reports).toHaveLength(1)
    expect(reports[0]?.details.problems).toEqual(Object.keys(config).map((name) => `${name} is missing`))
    expect(store.reads).toEqual([])
  })

  it('is one header, and reports when that is missing, empty or not JSON in base64url', async () => {
    expect(await problemsOf({})).toEqual(['x-sluice-config is missing'])
    expect(await problemsOf({ [configHeader]: '' })).toEqual(['x-sluice-config is empty'])
    const [first] = (settings[configHeader] ?? '').split('~')
    expect(await problemsOf({ [configHeader]: `${first}~eyJ` })).toEqual([
      'part 2 of x-sluice-config is not JSON of settings in base64url',
    ])
    expect(await problemsOf({ [configHeader]: Buffer.from('1').toString('base64url') })).toContain(
      'part 1 of x-sluice-config is not JSON of settings in base64url',
    )
  })

  it('may come in two parts, of which a template shows one', async () => {
    const { buy } = openGate()
    const { issuer, audience, origins, challengeCost, ...secrets } = config
    const open = { issuer, audience, origins, challengeCost, secretsRevision: 7 }
    const use = { [configHeader]: encodeConfig(open, secrets) }
    forwardedOf(await buy({ settings: use }))
  })

  it('needs no quotes, spaces or line breaks in its header, for any value', () => {
    const value = encodeConfig({ ...config, issuer: 'say "秒杀"\n', audience: 'x'.repeat(99) })
    expect(value).toMatch(/^[A-Za-z0-9_~-]+$/)
  })

  it('fits into the headers of all origins together with a key in use, its successor, and the keys of Turnstile', () => {
    const publicKeys = [newKey(), newKey()].map((key) => ({ ...key, kid: thumbprintOf(key) }))
    const challengeKeys = ['x'.repeat(44), 'y'.repeat(44)]
    // The lengths of Cloudflare's keys, and of tokens of Upstash, with some more.
    const turnstile = { siteKey: '0x4'.padEnd(28, 'A'), secret: '0x4'.padEnd(40, 'A') }
    const tokens = { readerToken: 'r'.repeat(100), writerToken: 'w'.repeat(100) }
    const gateUrl = 'https://eu1-verified-quagga-12345.upstash.io'
    const secrets = encodeConfig(packSecrets({ gateUrl, ...tokens, publicKeys, challengeKeys, turnstile }))
    expect(secrets.length).toBeLessThanOrEqual(secretSettingsLength)
    const longest = configHeader.length + openSettingsLength + 1 + secretSettingsLength
    expect(httpFunctions.length * longest).toBeLessThanOrEqual(10_240)
    expect(longest - configHeader.length).toBeLessThanOrEqual(1783)
    const parsed = parseConfig(['shop.example', `${encodeConfig(openOf(config))}~${secrets}`])
    if (!parsed.ok) throw new Error(parsed.problems.join())
    expect(parsed.config).toMatchObject({ gateUrl, ...tokens, challengeKeys, turnstile })
  })

  it.each([
    ['its thumbprint', (key: PublicJwk) => thumbprintOf(key)],
    ['another kid', () => 'key.of-2026'],
    ['no kid', () => undefined],
  ])('has a packed key with %s as the key that it was', (_, kidOf) => {
    for (let round = 0; round < 20; round += 1) {
      const key = newKey()
      const kid = kidOf(key)
      const { publicKeys: _keys, ...others } = config
      const secrets = packSecrets({ ...others, publicKeys: [{ ...key, ...(kid !== undefined && { kid }) }] })
      const parsed = parseConfig(['shop.example', encodeConfig(openOf(config), secrets)])
      if (!parsed.ok) throw new Error(parsed.problems.join())
      const [read] = parsed.config.publicKeys
      expect(read?.kid).toBe(kid)
      expect(read?.key.export({ format: 'jwk' })).toEqual({ kty: 'EC', crv: 'P-256', x: key.x, y: key.y })
    }
  })

  it('may lack the keys of Turnstile alone, and asks Cloudflare unless it names another address (N4)', () => {
    const keys = { siteKey: 'site', secret: 'secret' }
    const read = (turnstile: unknown) => {
      const parsed = parseConfig([
        'd111111abcdef8.cloudfront.net',
        encodeConfig({ ...config, ...(turnstile !== undefined && { turnstile }) }),
      ])
      return parsed.ok ? parsed.config.turnstile : parsed.problems
    }
    expect(read(undefined)).toBeUndefined()
    expect(read(keys)).toEqual({ ...keys, verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify' })
    expect(read({ ...keys, verifyUrl: 'http://127.0.0.1:9/' })).toEqual({ ...keys, verifyUrl: 'http://127.0.0.1:9/' })
    expect(problemsOfSecrets({ turnstile: { siteKey: 'site' } })).toContain(
      'turnstile is not an object with siteKey and secret',
    )
  })

  const withKid = (kid: unknown) => ({ ...publicJwk, kid })
  const openOf = ({ issuer, audience, origins, challengeCost }: typeof config) => ({
    ...{ issuer, audience, origins, challengeCost },
  })
  type PublicJwk = { x: string; y: string }
  const newKey = (): PublicJwk => {
    const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
    return { x, y }
  }
  const thumbprintOf = ({ x, y }: PublicJwk) =>
    createHash('sha256')
      .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
      .digest('base64url')
  const privateJwk = keys.privateKey.export({ format: 'jwk' })
  const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })
  const notOnCurve = { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }

  it.each<[string, unknown]>([
    ['gateUrl', 'gate.example'],
    ['gateUrl', 'redis://gate.example'],
    ['readerToken', ''],
    ['writerToken', 42],
    ['publicKeys', []],
    ['publicKeys', publicJwk],
    ['publicKeys', [privateJwk]],
    ['publicKeys', [otherCurve]],
    ['publicKeys', [notOnCurve]],
    ['publicKeys', [{ kty: 'oct', k: 'AAAA' }]],
    ['publicKeys', [withKid(1)]],
    ['publicKeys', ['']],
    ['publicKeys', ['AAAA']],
    ['publicKeys', ['A'.repeat(44)]],
    ['publicKeys', [withKid('one'), withKid('one')]],
    ['publicKeys', [withKid('one'), publicJwk]],
    ['publicKeys', ['a', 'b', 'c', 'd'].map(withKid)],
    ['challengeKeys', []],
    ['challengeKeys', ['the challenge secret', '']],
    ['challengeKeys', 'the challenge secret'],
    ['turnstile', 'site key'],
    ['turnstile', ['site key', 'password']],
    ['turnstile', { siteKey: 'site key' }],
    ['turnstile', { siteKey: 'site key', secret: '' }],
    ['turnstile', { siteKey: 'site key', secret: 'secret', verifyUrl: 'siteverify' }],
    ['turnstile', { siteKey: 'site key', secret: 'secret', sitekey: 'again' }],
    ['origins', []],
    ['origins', 'https://shop.example'],
    ['origins', ['*']],
    ['origins', ['https://shop.example/']],
    ['origins', ['https://shop.example', '']],
    ['origins', ['https://shop.example', 'itself']],
    ['origins', ['SELF']],
    ['issuer', ''],
    ['audience', ['one']],
    ['challengeCost', 0],
    ['challengeCost', 1_000_001],
    ['challengeCost', 1.5],
    ['challengeCost', '20'],
  ])('refuses %s = %j, and does not repeat the value in the log', async (name, value) => {
    const problems = await problemsOf(gateSettings({ [name]: value }))
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name} is not `))])
    const values = [value].flat().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    for (const one of values) if (one.length > 4) expect(String(problems)).not.toContain(one)
  })

  it.each([1, 1_000_000])('accepts a cost of %s for a challenge', async (challengeCost) => {
    const { buy } = openGate()
    forwardedOf(await buy({ settings: gateSettings({ challengeCost }) }))
  })

  it('is never read from the client’s headers', async () => {
    const { handler, time } = openGate()
    const event = await buyEvent(time.now, { settings: {}, headers: settings })
    expect(refusalOf(await handler(event)).code).toBe('unavailable')
  })

  it('refuses malformed requests even where it is invalid', async () => {
    const { handler } = openGate()
    expect(refusalOf(await handler(eventOf({ uri: '/x', settings: {} }))).code).toBe('not-found')
  })

  it('is parsed once for all requests that carry it, and anew for a changed one', async () => {
    const opened: string[] = []
    const handler = createGate({
      openStore: ({ gateUrl }) => {
        opened.push(gateUrl)
        return fakeStore({ [saleId]: openSaleFacts })
      },
      clock: () => startOfTests,
      report: () => undefined,
    })
    const moved = gateSettings({ gateUrl: 'https://other.example' })
    for (const use of [settings, settings, moved, settings, moved]) {
      forwardedOf(await handler(await buyEvent(startOfTests, { settings: use })))
    }
    expect(opened).toEqual(['https://gate.example', 'https://other.example'])
    // Eight are kept at the same time, the latest ones.
    const nth = (n: number) => gateSettings({ gateUrl: `https://gate-${n}.example` })
    for (let n = 3; n <= 8; n += 1) await handler(await buyEvent(startOfTests, { settings: nth(n) }))
    await handler(await buyEvent(startOfTests, { settings }))
    expect(opened).toHaveLength(8)
    for (const use of [nth(9), settings]) await handler(await buyEvent(startOfTests, { settings: use }))
    expect(opened.slice(8)).toEqual(['https://gate-9.example', 'https://gate.example'])
  })
})
