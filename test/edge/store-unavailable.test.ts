import { describe, expect, it } from 'vitest'
import { forwardedOf, openGate, openInstance, refusalOf, saleId, unthrottled } from './support.ts'

/** A gate in the middle of a sale, with a filter, a block list and a limited stock, and its answers. */
async function openBusyGate() {
  const gate = openGate(unthrottled)
  gate.store.replenish(saleId, 1000)
  gate.store.block('ip 192.0.2.0/24')
  gate.store.publishFilter()
  forwardedOf(await gate.buy())
  return gate
}
type Gate = Awaited<ReturnType<typeof openBusyGate>>

async function verdict({ buy }: Pick<Gate, 'buy'>) {
  const answer = await buy()
  if ('uri' in answer) return 'forwarded'
  const { status, headers, body } = refusalOf(answer)
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'unavailable' })
  expect(['1', '2', '3']).toContain(headers['retry-after'])
  expect(headers['retry-after']).toBe(String(body.retryAfterSeconds))
  return `again in ${headers['retry-after']} s`
}

describe('with the gate’s store unavailable', () => {
  it('no request is admitted, and every answer asks to retry in one to three seconds (I6)', async () => {
    const gate = await openBusyGate()
    gate.store.goDown()
    gate.time.now += 1001
    const verdicts = new Set<string>()
    for (let i = 0; i < 200; i++) {
      verdicts.add(await verdict(gate))
      gate.time.now += 50
    }
    expect([...verdicts].sort()).toEqual(['again in 1 s', 'again in 2 s', 'again in 3 s'])
  })

  it('no new instance admits a request either (I6)', async () => {
    const { store, time } = await openBusyGate()
    store.goDown()
    const fresh = openInstance(store, time)
    for (let i = 0; i < 20; i++) {
      expect(await verdict(fresh)).toMatch(/^again/)
      time.now += 100
    }
  })

  it('it sells again by itself within two seconds of its return, with its block list (I6, R8)', async () => {
    const gate = await openBusyGate()
    const { buy, store, time } = gate
    store.goDown()
    for (let i = 0; i < 100; i++) {
      await verdict(gate)
      time.now += 37
    }
    store.comeUp()
    store.block('ip 198.51.100.0/24')
    const backAt = time.now
    while ((await verdict(gate)) !== 'forwarded') time.now += 10
    expect(time.now - backAt).toBeLessThanOrEqual(2000)
    for (const clientIp of ['192.0.2.1', '198.51.100.1']) {
      expect(refusalOf(await buy({ clientIp })).code).toBe('blocked')
    }
  })

  it('for admissions only, no request is admitted beyond the lease, and it recovers as fast (I6, G5)', async () => {
    const gate = await openBusyGate()
    const { store, time } = gate
    const { admit } = store
    store.admit = async (id, ask) => {
      store.asks.push(ask)
      throw new Error(`no admission to ${id}`)
    }
    const before = store.asks.length
    let admitted = 0
    for (let i = 0; i < 300; i++) {
      if ((await verdict(gate)) === 'forwarded') admitted += 1
      time.now += 10
    }
    expect(admitted, 'what was left of four').toBe(3)
    expect(store.asks.length - before).toBeLessThanOrEqual(3 * 4)
    store.admit = admit
    const backAt = time.now
    while ((await verdict(gate)) !== 'forwarded') time.now += 10
    expect(time.now - backAt).toBeLessThanOrEqual(2000)
  })
})
