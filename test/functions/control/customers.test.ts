/** `/api/control/customer-issuers`: saving, reading, rejecting and removing issuers, and what the gate then knows. */
import { generateKeyPairSync, generatePrimeSync } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { maxIssuers } from '../../../core/people/customer-issuer.ts'
import { refreshCustomerKeys } from '../../../functions/gate/customer-keys.ts'
import { countRefusedTokens } from '../../../redis/gate/demand.ts'
import { readCustomers, readListVersions } from '../../../redis/gate/shared-lists.ts'
import { allKeys, crm, jwksOf, published, shopKeys } from '../../edge/customer-tokens.ts'
import { raw } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { countedTable } from '../../world/table.ts'
import { useWorld } from '../../world/world.ts'

const server = useRedis()
const rig = useWorld({ redis: server })

const jwksUrl = `${crm}/jwks.json`
const minute = 60_000
const pasted = { issuer: crm, jwks: allKeys }
const withKeys = (...keys: object[]) => ({ issuer: crm, jwks: jwksOf(...keys) })
const rsa = (change: object) => published(shopKeys.RS256.publicKey, change)
const byAddress = { issuer: crm, jwksUrl, signInUrl: `${crm}/login` }
const es256 = jwksOf(published(shopKeys.ES256.publicKey, { kid: 'first' }))
const eddsa = jwksOf(published(shopKeys.EdDSA.publicKey, { kid: 'second' }))

const save = (body: unknown, name = 'crm') => rig.ask('PUT', `/customer-issuers/${name}`, body)
const remove = (name = 'crm') => rig.ask('DELETE', `/customer-issuers/${name}`)
const list = async () => (await rig.ask('GET', '/customer-issuers')).body.issuers
const keep = () => refreshCustomerKeys(rig.ports)
const audited = () => rig.audit().filter(({ what }) => what.endsWith('-customer-issuer'))
const version = async () => (await readListVersions(rig.ports.gate)).customers

/** Reads the customers at the gate; undefined before the first publication. */
async function gateKnows() {
  const present = await version()
  const text = present === '' ? undefined : await readCustomers(rig.ports.gate, present)
  return text === undefined ? undefined : JSON.parse(text)
}
const kidsAtGate = async () => (await gateKnows())[0].keys.map(({ kid }: { kid: string }) => kid)

describe('an issuer of customers', () => {
  it('is saved with pasted keys, and known to the gate with the answer', async () => {
    expect(await list()).toEqual([])
    const { status, body } = await save(pasted)
    const none = { jwksUrl: null, signInUrl: null, checkedAt: null, failure: null, failedSince: null }
    expect({ status, body }).toMatchObject({ status: 200, body: { name: 'crm', issuer: crm, ...none } })
    expect(body.keys.map(({ alg }: { alg: string }) => alg)).toEqual(['ES256', 'RS256', 'EdDSA'])
    expect(await list()).toEqual([body])
    expect(await gateKnows()).toMatchObject([
      { name: 'crm', issuer: crm, keys: body.keys.map(({ id }: { id: string }) => ({ id })) },
    ])
    expect(audited()).toMatchObject([
      { what: 'save-customer-issuer', before: null, after: { issuerName: 'crm', issuer: crm } },
    ])
  })

  it('has one key for all spellings of it, so the block list ends them all', async () => {
    const { x = '', ...others } = published(shopKeys.ES256.publicKey)
    const { n = '', ...ofRsa } = published(shopKeys.RS256.publicKey)
    const zero = Buffer.concat([Buffer.of(0), Buffer.from(n, 'base64url')]).toString('base64url')
    const spelled = [
      { ...others, x: `${x}=` },
      { ...others, x },
      { ...others, x: `${x}\n` },
      { ...ofRsa, n: zero },
    ]
    const ids = (answer: Awaited<ReturnType<typeof save>>) => answer.body.keys.map(({ id }: { id: string }) => id)
    expect(ids(await save(withKeys(...spelled)))).toEqual(ids(await save(withKeys({ ...others, x }, { ...ofRsa, n }))))
  })

  it('is listed with the tokens that the gate refused in the last day', async () => {
    await save(pasted)
    const { gate, clock } = rig.ports
    await countRefusedTokens(gate, 'crm', new Map([['future', 12]]), clock())
    await countRefusedTokens(gate, 'other', new Map([['key', 1]]), clock())
    const lastAt = Math.floor(clock() / 3_600_000) * 3_600_000
    expect(await list()).toMatchObject([{ refused: [{ reason: 'future', count: 12, lastAt }] }])
  })

  it('is read once in a run of the repair while none of its keys is due', async () => {
    await save(pasted)
    const { table, asked } = countedTable(rig.ports.table)
    await refreshCustomerKeys({ ...rig.ports, table })
    expect(asked).toEqual(['QueryCommand'])
    expect(await gateKnows()).toHaveLength(1)
  })

  it('is saved with the keys at its address, and its page for signing in', async () => {
    rig.documents.set(jwksUrl, es256)
    expect((await save(byAddress)).body).toMatchObject({
      jwksUrl,
      signInUrl: `${crm}/login`,
      checkedAt: rig.clock.now,
    })
    expect(await gateKnows()).toMatchObject([{ signInUrl: `${crm}/login`, keys: [{ kid: 'first' }] }])
  })

  it('is taken back, and taking it back again is the same', async () => {
    await save(pasted)
    for (let times = 0; times < 2; times += 1) {
      expect(await remove()).toMatchObject({ status: 200, body: { name: 'crm' } })
      expect(await list()).toEqual([])
      expect(await gateKnows()).toEqual([])
    }
    expect(audited().map(({ what }) => what)).toEqual(['save-customer-issuer', 'delete-customer-issuer'])
  })

  it('loses its former keys at once when it gets another issuer, which is another shop system', async () => {
    await save({ issuer: crm, jwks: es256 })
    await save({ issuer: 'https://new.example', jwks: eddsa })
    expect(await kidsAtGate()).toEqual(['second'])
  })
})

describe('an issuer is refused, and nothing is stored,', () => {
  const shared = { kty: 'oct', k: 'c2VjcmV0' }
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
  const { n: modulus = '', e = '' } = shopKeys.RS256.publicKey.export({ format: 'jwk' })
  const numberIn = (text: string) => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`)
  const textOf = (number: bigint) => Buffer.from(number.toString(16).padStart(512, '0'), 'hex').toString('base64url')
  /** Keys with which anybody can sign, or work out the private half. */
  const forgeable = {
    'an exponent of 1': { kty: 'RSA', n: modulus, e: 'AQ' },
    'an even exponent': { kty: 'RSA', n: modulus, e: 'AQAA' },
    'a short exponent': { kty: 'RSA', n: modulus, e: 'Aw' },
    'a modulus that is even': { kty: 'RSA', n: textOf(numberIn(modulus) - 1n), e },
    'a modulus with a small factor': { kty: 'RSA', n: textOf((numberIn(modulus) / 751n / 2n) * 2n * 751n + 751n), e },
    'a modulus that is a prime': { kty: 'RSA', n: textOf(generatePrimeSync(2048, { bigint: true })), e },
    // The points of small order on Ed25519, and the neutral one written as a number over the field’s.
    ...Object.fromEntries(
      ED25519_TORSION_SUBGROUP.map((hex) => [
        `the point ${hex.slice(0, 8)}… of small order`,
        { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(hex, 'hex').toString('base64url') },
      ]),
    ),
    'a point over the field': {
      ...{ kty: 'OKP', crv: 'Ed25519', x: Buffer.from(`ee${'ff'.repeat(30)}7f`, 'hex').toString('base64url') },
    },
  }
  it.each(Object.entries(forgeable))('with a key with which anybody could sign: %s', async (_, key) => {
    expect(await save(withKeys(key))).toMatchObject({ status: 400, body: { field: 'jwks' } })
    rig.documents.set(jwksUrl, jwksOf(key))
    expect(await save(byAddress), 'read from an address').toMatchObject({ status: 400, body: { field: 'jwksUrl' } })
    expect(await gateKnows()).toBeUndefined()
  })

  const many = Array.from({ length: 9 }, () => published(generateKeyPairSync('ed25519').publicKey))

  it.each([
    ['without keys', { issuer: crm }, 'jwksUrl'],
    ['with both kinds of keys', { ...pasted, jwksUrl }, 'jwksUrl'],
    ['without an issuer', { jwks: allKeys }, 'issuer'],
    ['with a space in its issuer', { ...pasted, issuer: 'a b' }, 'issuer'],
    ['with a field that is not known', { ...pasted, secret: 'x' }, 'secret'],
    ['with an address without TLS', { issuer: crm, jwksUrl: 'http://crm.example/jwks.json' }, 'jwksUrl'],
    ['with a password in its address', { issuer: crm, jwksUrl: 'https://a:b@crm.example/' }, 'jwksUrl'],
    ['with a page that is a script', { ...pasted, signInUrl: 'javascript:alert(1)' }, 'signInUrl'],
    ['with keys that are no list', { issuer: crm, jwks: { keys: 'x' } }, 'jwks.keys'],
    ['with an empty set of keys', withKeys(), 'jwks'],
    ['with a private key', withKeys(published(shopKeys.ES256.privateKey)), 'jwks'],
    ['with a shared key', withKeys(shared), 'jwks'],
    ['with a weak key alone', withKeys(published(weak)), 'jwks'],
    ['with a key of another curve alone', withKeys(published(otherCurve)), 'jwks'],
    ['with a key for encryption alone', withKeys(rsa({ use: 'enc' })), 'jwks'],
    ['with a key for another algorithm alone', withKeys(rsa({ alg: 'PS256' })), 'jwks'],
    ['with a point that is not on its curve', withKeys({ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }), 'jwks'],
    ['with more keys than there may be', withKeys(...many), 'jwks'],
    ['with an algorithm in a list alone', withKeys(rsa({ alg: ['RS256'] })), 'jwks'],
    ['with uses that are no list alone', withKeys(rsa({ key_ops: 'sign' })), 'jwks'],
    [
      'with a good key beside one that anybody can sign with',
      withKeys(rsa({}), forgeable['a modulus that is a prime']),
      'jwks',
    ],
  ])('%s', async (_, body, field) => {
    const answer = await save(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(JSON.stringify(answer.body)).not.toContain('c2VjcmV0')
    expect(await list()).toEqual([])
    expect(await gateKnows()).toBeUndefined()
    expect(audited()).toEqual([])
  })

  it.each([
    ['cannot be reached', undefined, 'jwksUrl cannot be read: it cannot be reached (ENOTFOUND)'],
    ['has no set of keys', { hello: 1 }, 'jwksUrl is no set of keys: keys must be a list'],
  ])('whose address %s', async (_, document, detail) => {
    if (document !== undefined) rig.documents.set(jwksUrl, document)
    expect(await save(byAddress)).toMatchObject({ status: 400, body: { field: 'jwksUrl', detail } })
    expect(await list()).toEqual([])
  })

  it('under an invalid name', async () => {
    for (const name of ['CRM', '1crm', 'a'.repeat(17)])
      expect(await save(pasted, name)).toMatchObject({ status: 400, body: { field: 'name' } })
  })

  it('that another entry has, and beyond the most there may be', async () => {
    await save(pasted)
    expect(await save(pasted, 'second')).toMatchObject({
      status: 409,
      body: { reason: 'issuer-taken', values: { name: 'crm' }, field: 'issuer' },
    })
    for (let nth = 2; nth <= maxIssuers; nth += 1) {
      expect((await save({ ...pasted, issuer: `${crm}/${nth}` }, `crm-${nth}`)).status).toBe(200)
    }
    expect(await save({ ...pasted, issuer: `${crm}/more` }, 'more')).toMatchObject({
      status: 409,
      body: { reason: 'issuers-full', values: { limit: maxIssuers } },
    })
  })
})

describe('the schedule', () => {
  beforeEach(async () => {
    rig.documents.set(jwksUrl, es256)
    await save(byAddress)
  })

  it('reads an address again after ten minutes, and a rotation leaves no gap', async () => {
    rig.documents.set(jwksUrl, eddsa)
    rig.clock.now += 9 * minute
    await keep()
    expect(await kidsAtGate()).toEqual(['first'])
    rig.clock.now += minute
    await keep()
    expect(await kidsAtGate()).toEqual(['second', 'first'])
    const [{ keys }] = await gateKnows()
    expect(keys[1].until).toBe(rig.clock.now + 60 * minute)
    for (let times = 0; times < 6; times += 1) {
      rig.clock.now += 10 * minute
      await keep()
    }
    expect(await kidsAtGate()).toEqual(['second'])
  })

  it('keeps the keys of an address that fails, says so, and goes on when it answers', async () => {
    rig.documents.delete(jwksUrl)
    rig.clock.now += 10 * minute
    const failedSince = rig.clock.now
    await keep()
    const failed = { failure: 'cannot be read: it cannot be reached (ENOTFOUND)', failedSince }
    expect(await list()).toMatchObject([{ checkedAt: failedSince, ...failed }])
    rig.clock.now += 10 * minute
    await keep()
    expect(await list()).toMatchObject([{ checkedAt: rig.clock.now, ...failed }])
    expect(await kidsAtGate()).toEqual(['first'])
    rig.documents.set(jwksUrl, eddsa)
    rig.clock.now += 10 * minute
    await keep()
    expect(await list()).toMatchObject([{ checkedAt: rig.clock.now, failure: null, failedSince: null }])
    expect(await kidsAtGate()).toEqual(['second', 'first'])
  })

  it('writes nothing while nothing changes', async () => {
    const present = await version()
    await raw(server, 'CONFIG', 'RESETSTAT')
    await keep()
    expect(await version()).toBe(present)
    expect(await raw(server, 'INFO', 'commandstats')).not.toMatch(/cmdstat_(?:set|hset|del):/)
  })

  it('publishes again what the gate has lost, also when only the text is gone', async () => {
    const known = await gateKnows()
    await raw(server, 'DEL', `gate:{-}:customers:${await version()}`)
    await keep()
    expect(await gateKnows()).toEqual(known)
    await raw(server, 'FLUSHALL')
    await keep()
    expect(await gateKnows()).toEqual(known)
  })

  it('does not bring back keys that a marketer replaced while they were read', async () => {
    rig.clock.now += 10 * minute
    const { readPublicJson } = rig.ports
    rig.ports.readPublicJson = async (url) => {
      rig.ports.readPublicJson = readPublicJson
      await save({ issuer: 'https://new.example', jwks: eddsa })
      return readPublicJson(url)
    }
    await keep()
    expect(await kidsAtGate()).toEqual(['second'])
  })
})
