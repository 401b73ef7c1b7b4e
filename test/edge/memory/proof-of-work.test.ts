import { createChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { beforeAll, describe, expect, it } from 'vitest'
import { maxClickBytes } from '../../../core/body-limits.ts'
import { buyRequest } from '../../../core/buy/requests.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { createChallenges } from '../../../edge/memory/proof-of-work.ts'
import { pack, solve, unpack } from '../solve.ts'
import { saleId, saleIdOf, shopperIdOf, startOfTests } from '../support.ts'

const settings = { keys: ['the secret that signs challenges'], cost: 20 }
const tenMinutes = 600_000

const ann = shopperIdOf('ann')

/** `derivations` counts the derived keys, the only expensive part of a challenge. */
function openChallenges(change: Partial<typeof settings> = {}) {
  const time = { now: startOfTests }
  const counted = { derivations: 0 }
  const challenges = createChallenges(
    { ...settings, ...change },
    () => time.now,
    (...asked) => {
      counted.derivations += 1
      return deriveKey(...asked)
    },
  )
  return { challenges, time, counted }
}
const { challenges } = openChallenges()
let solved = ''
beforeAll(async () => {
  solved = await solve(await challenges.issue(saleId, ann))
})

describe('a challenge (R5)', () => {
  it('is passed by its solution, and says until when it is valid', async () => {
    const passed = await challenges.verify(solved, saleId, ann)
    expect(passed).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), expiresAt: startOfTests + tenMinutes })
  })

  it('has one id for every solution, and no two challenges have the same', async () => {
    const challenge = await challenges.issue(saleId, ann)
    const first = await challenges.verify(await solve(challenge), saleId, ann)
    const again = await challenges.verify(await solve(challenge), saleId, ann)
    expect(again?.id).toBe(first?.id)
    const other = await challenges.verify(solved, saleId, ann)
    expect(other?.id).not.toBe(first?.id)
  })

  it('is valid on every instance with the same key, and on none with another', async () => {
    expect(await openChallenges().challenges.verify(solved, saleId, ann)).toBeDefined()
    const foreign = openChallenges({ keys: ['another secret'] }).challenges
    expect(await foreign.verify(solved, saleId, ann)).toBeUndefined()
  })

  it('outlives a rotation of the key that signed it, which no longer signs new ones', async () => {
    const rotated = openChallenges({ keys: ['another secret', ...settings.keys] })
    expect(await rotated.challenges.verify(solved, saleId, ann)).toBeDefined()
    expect(rotated.counted.derivations).toBe(1)
    const fresh = await solve(await rotated.challenges.issue(saleId, ann))
    const former = openChallenges().challenges
    expect(await former.verify(fresh, saleId, ann)).toBeUndefined()
  })

  it('is refused when its cost has been changed since', async () => {
    const dearer = openChallenges({ cost: 21 }).challenges
    expect(await dearer.verify(solved, saleId, ann)).toBeUndefined()
  })

  it('costs a derivation to check, and none to issue', async () => {
    const { challenges, counted } = openChallenges()
    const text = await solve(await challenges.issue(saleId, ann))
    expect(counted.derivations).toBe(0)
    expect(await challenges.verify(text, saleId, ann)).toBeDefined()
    expect(counted.derivations).toBe(1)
  })

  it('leaves room in a buy request, also for the longest names', async () => {
    const longestSale = saleIdOf(`a${'b'.repeat(38)}c`)
    const longestShopper = shopperIdOf('|'.repeat(128))
    const dear = openChallenges({ cost: 1_000_000 }).challenges
    const challenge = await dear.issue(longestSale, longestShopper)
    const solution = { counter: 2 ** 32 - 1, derivedKey: 'f'.repeat(64), time: 123_456_789.1 }
    const text = pack({ challenge, solution })
    expect(text.length).toBeLessThan(900)
    const body = JSON.stringify({ quantity: 1000, startToken: 'x'.repeat(64), challenge: text })
    expect(readJson(buyRequest, body)).toMatchObject({ ok: true })
    expect(Buffer.byteLength(body)).toBeLessThan(maxClickBytes / 2)
  })
})

type Change = (text: string) => string

/** Sets each value in the payload at its path, like `challenge.signature`; undefined removes it. */
const altered =
  (change: Record<string, unknown>): Change =>
  (text) => {
    const payload = unpack(text)
    for (const [path, value] of Object.entries(change)) {
      const names = path.split('.')
      const last = names.pop() ?? ''
      let part: unknown = payload
      for (const name of names) part = Reflect.get(Object(part), name)
      Reflect.set(Object(part), last, value)
    }
    return pack(payload)
  }

describe('a payload that is not a proof (R5)', () => {
  const claimedKey = `00${'a'.repeat(62)}`

  it('differs from a proof in one alteration only', async () => {
    expect(await challenges.verify(altered({})(solved), saleId, ann)).toBeDefined()
  })

  it.each<[string, Change]>([
    ['is empty', () => ''],
    ['is not base64', () => '????'],
    ['is not JSON', () => btoa('{nonce')],
    ['is not UTF-8', () => btoa('"\xff\xfe"')],
    ['is null', () => pack(null)],
    ['is a list', () => pack([])],
    ['is a text', () => pack('solved')],
    ['is of ALTCHA’s test mode', () => pack({ challenge: null, solution: null, test: true })],
    ['is of the library’s first version', () => pack({ algorithm: 'SHA-256', challenge: 'a', number: 1, salt: 'b' })],
    ['is nested as deep as possible', () => btoa('['.repeat(1300))],
    ['has no challenge', altered({ challenge: undefined })],
    ['has no solution', altered({ solution: undefined })],
    ['has no parameters', altered({ 'challenge.parameters': undefined })],
    ['has its parameters on a prototype', (text) => btoa(atob(text).replace('"parameters":', '"__proto__":'))],
    ['has no signature', altered({ 'challenge.signature': undefined })],
    ['has an empty signature', altered({ 'challenge.signature': '' })],
    ['has a list for a signature', altered({ 'challenge.signature': Array.from({ length: 64 }, () => 'a') })],
    ['has another signature', altered({ 'challenge.signature': 'a'.repeat(64) })],
    ['has another nonce', altered({ 'challenge.parameters.nonce': 'a'.repeat(32) })],
    ['has another salt', altered({ 'challenge.parameters.salt': 'a'.repeat(32) })],
    ['has no nonce', altered({ 'challenge.parameters.nonce': undefined })],
    ['lives longer', altered({ 'challenge.parameters.expiresAt': startOfTests })],
    ['never expires', altered({ 'challenge.parameters.expiresAt': undefined })],
    ['expires at a text', altered({ 'challenge.parameters.expiresAt': '9999999999' })],
    ['costs less', altered({ 'challenge.parameters.cost': 1 })],
    ['costs an hour', altered({ 'challenge.parameters.cost': 4_000_000_000 })],
    ['costs a text', altered({ 'challenge.parameters.cost': '20' })],
    ['wants a longer key', altered({ 'challenge.parameters.keyLength': 1e9 })],
    ['wants another prefix', altered({ 'challenge.parameters.keyPrefix': '' })],
    ['uses another algorithm', altered({ 'challenge.parameters.algorithm': 'SHA-256' })],
    ['uses an algorithm of a prototype', altered({ 'challenge.parameters.algorithm': 'constructor' })],
    ['names another sale', altered({ 'challenge.parameters.data.sale': 'phone-43' })],
    ['names another shopper', altered({ 'challenge.parameters.data.shopper': 'bob' })],
    ['names no shopper', altered({ 'challenge.parameters.data': undefined })],
    ['has a counter in a text', altered({ 'solution.counter': '1' })],
    ['has a negative counter', altered({ 'solution.counter': -1 })],
    ['has a counter beyond 32 bits', altered({ 'solution.counter': 2 ** 32 })],
    ['has an infinite counter', (text) => btoa(atob(text).replace(/"counter":\d+/, '"counter":1e999'))],
    ['has a key in capital letters', altered({ 'solution.derivedKey': `00${'A'.repeat(62)}` })],
    ['has a key that does not begin as asked', altered({ 'solution.derivedKey': 'f'.repeat(64) })],
    ['has no key', altered({ 'solution.derivedKey': undefined })],
  ])('is refused at once when it %s: no key is derived for it', async (_what, change) => {
    const { challenges, counted } = openChallenges()
    expect(await challenges.verify(change(solved), saleId, ann)).toBeUndefined()
    expect(counted.derivations).toBe(0)
  })

  it('is refused when its key is invented, or another counter’s', async () => {
    const made = altered({ 'solution.derivedKey': claimedKey })
    expect(await challenges.verify(made(solved), saleId, ann)).toBeUndefined()
    const other = altered({ 'solution.counter': 100_000 })
    expect(await challenges.verify(other(solved), saleId, ann)).toBeUndefined()
  })

  it('is refused when it was signed with the sender’s own key', async () => {
    const forged = await createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: settings.cost,
      deriveKey,
      keyPrefix: '00',
      expiresAt: (startOfTests + tenMinutes) / 1000,
      data: { sale: saleId, shopper: ann },
      hmacSignatureSecret: 'a guess',
    })
    expect(await challenges.verify(await solve(forged), saleId, ann)).toBeUndefined()
  })
})
