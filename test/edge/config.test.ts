import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createDoor } from '../../edge/door.ts'
import {
  buy,
  eventOf,
  fakeStore,
  forwardedOf,
  keys,
  openGate,
  openSale,
  refusalOf,
  saleId,
  settings,
  startOfTests,
} from './support.ts'

async function problemsOf(change: Record<string, string>) {
  const { handler, reports, time } = openGate()
  const answer = await handler(await buy(time.now, { settings: { ...settings, ...change } }))
  expect(refusalOf(answer)).toMatchObject({ status: 503, code: 'unavailable' })
  expect(reports).toHaveLength(1)
  return reports[0]?.details.problems
}

describe('the configuration of the gate', () => {
  it('names everything that is missing at once, in one line, and lets nobody in (I6)', async () => {
    const { handler, store, reports, time } = openGate()
    for (let i = 0; i < 3; i++) {
      const answer = await handler(await buy(time.now, { settings: {} }))
      expect(refusalOf(answer)).toMatchObject({ status: 503, code: 'unavailable' })
    }
    expect(reports).toHaveLength(1)
    expect(reports[0]?.details.problems).toEqual(Object.keys(settings).map((name) => `${name} is missing`))
    expect(store.reads).toEqual([])
  })

  const privateJwk = JSON.stringify(keys.privateKey.export({ format: 'jwk' }))
  const otherCurve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' })
  const notOnCurve = JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' })

  it.each([
    ['x-sluice-gate-url', 'gate.example'],
    ['x-sluice-gate-url', 'redis://gate.example'],
    ['x-sluice-gate-token', ''],
    ['x-sluice-public-key', '{'],
    ['x-sluice-public-key', privateJwk],
    ['x-sluice-public-key', JSON.stringify(otherCurve)],
    ['x-sluice-public-key', notOnCurve],
    ['x-sluice-public-key', JSON.stringify({ kty: 'oct', k: 'AAAA' })],
    ['x-sluice-origins', '*'],
    ['x-sluice-origins', 'https://shop.example/'],
    ['x-sluice-origins', 'https://shop.example,'],
    ['x-sluice-origins', 'https://shop.example,itself'],
    ['x-sluice-origins', 'SELF'],
    ['x-sluice-challenge-key', ''],
    ['x-sluice-challenge-cost', '0'],
    ['x-sluice-challenge-cost', '1000001'],
    ['x-sluice-challenge-cost', '1e3'],
    ['x-sluice-challenge-cost', '20 iterations'],
    ['x-sluice-challenge-cost', '9'.repeat(400)],
  ])('refuses %s = %j, and does not repeat the value in the log', async (name, value) => {
    const problems = await problemsOf({ [name]: value })
    expect(problems).toHaveLength(1)
    expect(String(problems)).toContain(name)
    if (value.length > 3) expect(String(problems)).not.toContain(value)
  })

  it.each(['1', '1000000'])('takes a cost of %s for a challenge', async (cost) => {
    const { handler, time } = openGate()
    const event = await buy(time.now, { settings: { ...settings, 'x-sluice-challenge-cost': cost } })
    forwardedOf(await handler(event))
  })

  it('does not come from the client: the same headers on the request count for nothing', async () => {
    const { handler, time } = openGate()
    const event = await buy(time.now, { settings: {}, headers: settings })
    expect(refusalOf(await handler(event)).code).toBe('unavailable')
  })

  it('refuses what is malformed even where it is broken', async () => {
    const { handler } = openGate()
    expect(refusalOf(await handler(eventOf({ uri: '/x', settings: {} }))).code).toBe('not-found')
  })

  it('is opened once for all requests that carry it, and anew for a changed one', async () => {
    const opened: string[] = []
    const handler = createDoor({
      openStore: ({ url }) => {
        opened.push(url)
        return fakeStore({ [saleId]: openSale })
      },
      clock: () => startOfTests,
      report: () => undefined,
    })
    const moved = { ...settings, 'x-sluice-gate-url': 'https://other.example' }
    for (const use of [settings, settings, moved, settings, moved]) {
      forwardedOf(await handler(await buy(startOfTests, { settings: use })))
    }
    expect(opened).toEqual(['https://gate.example', 'https://other.example'])
  })
})
