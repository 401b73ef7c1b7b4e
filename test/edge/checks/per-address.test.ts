import { beforeAll, describe, expect, it } from 'vitest'
import {
  buyEvent,
  type challengeEvent,
  forwardedOf,
  openGate,
  openSaleFacts,
  refusalOf,
  saleId,
  startOfTests,
  startToken,
  throttled,
  tokenAt,
} from '../support.ts'

const office = '198.51.100.20'
const attacker = '198.51.100.66'
const tokens = new Map<string, string>()

/** One token per shopper, shared by all tests: signing them is slow. */
async function tokenOf(sub: string): Promise<string> {
  const token = tokens.get(sub) ?? (await tokenAt(startOfTests, { claims: { sub } }))
  tokens.set(sub, token)
  return token
}

type Gate = ReturnType<typeof openGate>
const request = async ({ buy }: Gate, sub: string, clientIp: string) => buy({ token: await tokenOf(sub), clientIp })

beforeAll(async () => {
  await Promise.all(Array.from({ length: 500 }, (_, index) => tokenOf(`worker-${index}`)))
})

describe('the limit per address', () => {
  it('admits an office of 500 people behind one address, each with one to five requests a minute (R3)', async () => {
    const gate = openGate()
    // Every worker sends when the page allows it: ten seconds after the last answer, or after the requested wait.
    const requests = Array.from({ length: 500 }, (_, index) => ({
      sub: `worker-${index}`,
      at: startOfTests + ((index * 7919) % 10_000),
      left: 1 + (index % 5),
    }))
    let forwarded = 0
    while (requests.length > 0) {
      requests.sort((one, other) => one.at - other.at)
      const [next] = requests
      if (next === undefined) break
      gate.time.now = next.at
      forwardedOf(await request(gate, next.sub, office))
      forwarded += 1
      next.left -= 1
      next.at += 10_000
      if (next.left === 0) requests.shift()
    }
    expect(forwarded).toBe(1500)
    expect(gate.time.now - startOfTests).toBeLessThan(60_000)
  })

  it('admits an office in which all shoppers use up their limit, and some are impatient (R3)', async () => {
    const gate = openGate()
    const workers = Array.from({ length: 500 }, (_, index) => `worker-${index}`)
    for (let round = 0; round < 5; round++) {
      for (const sub of workers) forwardedOf(await request(gate, sub, office))
      gate.time.now += 10_000
    }
    for (const sub of workers.slice(0, 15)) {
      for (let i = 0; i < 10; i++) {
        const { headers } = refusalOf(await request(gate, sub, office))
        expect(headers['retry-after'], 'their own limit and not the address’s').toBe('10')
      }
    }
    gate.time.now += 10_000
    forwardedOf(await request(gate, 'worker-0', office))
  })

  it('refuses a hundred scripts that do not wait, and no shopper elsewhere (R1, R3)', async () => {
    const gate = openGate()
    const scripts = Array.from({ length: 100 }, (_, index) => `worker-${index}`)
    for (let i = 0; i < 8; i++) {
      for (const sub of scripts) await request(gate, sub, attacker)
      gate.time.now += 100
    }
    const refusal = refusalOf(await request(gate, 'worker-499', attacker))
    expect(refusal, 'an own limit is not met').toMatchObject({
      status: 429,
      code: 'too-many-requests',
      headers: { 'retry-after': '60' },
      body: { retryAfterSeconds: 60 },
    })
    forwardedOf(await request(gate, 'worker-499', office))
    gate.time.now = startOfTests + 60_000 - 1
    expect(refusalOf(await request(gate, 'worker-498', attacker)).headers['retry-after']).toBe('1')
    gate.time.now += 1
    forwardedOf(await request(gate, 'worker-498', attacker))
  })

  it.each(['not.a.token', 'no token'])(
    'verifies ten unknown tokens a second after 300 forged ones, and refuses no known shopper: %s (R3)',
    async (token) => {
      const gate = openGate()
      const forge = async () => refusalOf(await gate.buy({ token, clientIp: attacker }))
      forwardedOf(await request(gate, 'worker-0', attacker))
      for (let i = 0; i < 300; i++) expect((await forge()).code).toBe('sign-in-required')
      for (let i = 1; i <= 10; i++) forwardedOf(await request(gate, `worker-${i}`, attacker))
      const { code, headers } = refusalOf(await request(gate, 'worker-11', attacker))
      expect(code).toBe('too-many-requests')
      expect(headers['retry-after']).toBe('1')
      forwardedOf(await request(gate, 'worker-0', attacker))
      forwardedOf(await request(gate, 'worker-11', office))
      gate.time.now += 1000
      forwardedOf(await request(gate, 'worker-12', attacker))
    },
  )

  it('gives an address no points for expired sessions (R3)', async () => {
    const gate = openGate()
    const token = await tokenAt(startOfTests - 3_600_000)
    for (let i = 0; i < 400; i++) {
      const answer = await gate.buy({ token, clientIp: office })
      expect(refusalOf(answer).code).toBe('sign-in-required')
    }
    for (let i = 0; i < 50; i++) forwardedOf(await request(gate, `worker-${i}`, office))
  })

  it('counts a script’s requests before the start against that script, and against no colleague (R1, R3, G2)', async () => {
    const gate = openGate({ flag: 'off', startToken: null })
    const early = (sub: string) => request(gate, sub, attacker)
    for (let i = 0; i < 100; i++) {
      expect(refusalOf(await early('worker-0')).code).toBe('not-started')
      gate.time.now += 100
    }
    for (let i = 0; i < 3; i++) expect(refusalOf(await early('worker-1')).code).toBe('not-started')
    const sale = gate.store.sales[saleId]
    if (sale === undefined) throw new Error('the sale is there')
    gate.store.sales[saleId] = { ...sale, flag: 'on', startToken }
    gate.time.now += 1001
    const { code, headers } = refusalOf(await early('worker-0'))
    expect([code, headers['retry-after']]).toEqual(['too-many-requests', '49'])
    forwardedOf(await early('worker-1'))
    forwardedOf(await early('worker-2'))
    gate.time.now += 49_000
    forwardedOf(await early('worker-0'))
  })

  it('counts nothing where the sale is sold out: those answers come before', async () => {
    const gate = openGate({ soldOut: true, ...throttled({ perIp: { limit: 1, windowSeconds: 60 } }) })
    for (let i = 0; i < 10; i++) expect(refusalOf(await request(gate, 'worker-0', office)).code).toBe('sold-out')
    for (const sale of Object.values(gate.store.sales)) sale.soldOut = false
    gate.time.now += 1001
    forwardedOf(await request(gate, 'worker-0', office))
  })

  it('treats the 64 bits of an IPv6 network as one address, and an IPv4 address as itself, however it is written (R3)', async () => {
    const gate = openGate(throttled({ perIp: { limit: 2, windowSeconds: 60 } }))
    forwardedOf(await request(gate, 'worker-1', '2001:db8:1:2::1'))
    forwardedOf(await request(gate, 'worker-2', '2001:0db8:0001:0002:ffff:ffff:ffff:ffff'))
    expect(refusalOf(await request(gate, 'worker-3', '2001:db8:1:2:a::')).code).toBe('too-many-requests')
    forwardedOf(await request(gate, 'worker-3', '2001:db8:1:3::1'))
    forwardedOf(await request(gate, 'worker-4', '203.0.113.1'))
    forwardedOf(await request(gate, 'worker-5', '203.0.113.2'))
    forwardedOf(await request(gate, 'worker-6', '::ffff:203.0.113.1'))
    expect(refusalOf(await request(gate, 'worker-7', '0:0:0:0:0:FFFF:cb00:7101')).code).toBe('too-many-requests')
  })

  it('counts each sale separately', async () => {
    const gate = openGate(throttled({ perIp: { limit: 1, windowSeconds: 60 } }))
    gate.store.sales['other-sale'] = { ...openSaleFacts, ...throttled({ perIp: { limit: 1, windowSeconds: 60 } }) }
    forwardedOf(await request(gate, 'worker-1', office))
    const uri = '/api/sales/other-sale/orders'
    const event = await buyEvent(gate.time.now, { uri, token: await tokenOf('worker-1'), clientIp: office })
    forwardedOf(await gate.handler(event))
    expect(refusalOf(await request(gate, 'worker-2', office)).code).toBe('too-many-requests')
  })

  it('adds no points for fetching a challenge, and verifies unknown tokens there too (R3, R5)', async () => {
    const rules = { ...throttled({ perIp: { limit: 10, windowSeconds: 60 } }).rules, challenge: 'pow' as const }
    const gate = openGate({ rules })
    const fetch = async (change: Parameters<typeof challengeEvent>[1]) =>
      gate.fetchChallenge({ clientIp: office, ...change })
    for (let i = 0; i < 20; i++) {
      expect(await fetch({ token: await tokenOf(`worker-${i}`) })).toMatchObject({ status: '200' })
    }
    expect(refusalOf(await fetch({ token: 'not.a.token' })).code).toBe('sign-in-required')
    for (let i = 20; i < 30; i++) await fetch({ token: await tokenOf(`worker-${i}`) })
    expect(refusalOf(await fetch({ token: await tokenOf('worker-30') })).code).toBe('too-many-requests')
    expect(await fetch({ token: await tokenOf('worker-0') })).toMatchObject({ status: '200' })
  })
})
