import { afterEach, describe, expect, it, vi } from 'vitest'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { type FakeStore, openGate, refusalOf, saleId, startOfTests, tokenAt, unthrottled } from '../support.ts'

afterEach(() => vi.restoreAllMocks())

/** A client, by its choice of the time of its next try, epoch ms, after a refusal. */
type Client = { token: string; next(now: number, retryAfterSeconds: number): number }

/**
 * Runs clients against one instance of the gate, while a unit becomes free every `everyMs` and its
 * order is made at once. Returns how many admissions each client got.
 */
async function compete(clients: readonly Client[], { places, everyMs }: { places: number; everyMs: number }) {
  const gate = openGate(unthrottled)
  const { buy, store, time } = gate
  const won = clients.map(() => 0)
  const due = clients.map(() => startOfTests)
  let freed = 0
  const release = unitsOf(store)
  const end = startOfTests + places * everyMs
  for (; time.now < end; time.now += 10) {
    while (time.now >= startOfTests + (freed + 1) * everyMs) release(++freed)
    for (const [index, client] of clients.entries()) {
      if (time.now < (due[index] ?? 0)) continue
      const answer = await buy({ token: client.token })
      if ('uri' in answer) {
        won[index] = (won[index] ?? 0) + 1
        // The order is made, and the shopper returns for another one.
        due[index] = time.now + 1000
        continue
      }
      const { code, body } = refusalOf(answer)
      expect(code).toBe('at-capacity')
      due[index] = client.next(time.now, Number(body.retryAfterSeconds))
    }
  }
  return won
}

/** Publishes to the store that one more unit than before may be sold; those before are sold. */
function unitsOf(store: FakeStore) {
  store.replenish(saleId, 0)
  return (freed: number) => store.replenish(saleId, freed)
}

describe('while the sale is at capacity', () => {
  it('a client that waits as asked gets the free admissions, and one that hammers gets none', async () => {
    vi.spyOn(Math, 'random').mockImplementation(seededRandom(13))
    const patient: Client = {
      token: await tokenAt(startOfTests, { claims: { sub: 'patient' } }),
      next: (now, seconds) => now + seconds * 1000 + 100,
    }
    const hammering: Client = {
      token: await tokenAt(startOfTests, { claims: { sub: 'hammering' } }),
      next: (now) => now + 50,
    }
    const [byHammering = 0, byPatient = 0] = await compete([hammering, patient], { places: 30, everyMs: 5000 })
    expect(byHammering).toBe(0)
    expect(byPatient).toBeGreaterThanOrEqual(28)
  })

  it('the wait of a client that returns too early starts anew, and ends when it then waits', async () => {
    const { buy, store, time } = openGate(unthrottled)
    store.replenish(saleId, 0)
    const ann = await tokenAt(time.now, { claims: { sub: 'ann' } })
    const bob = await tokenAt(time.now, { claims: { sub: 'bob' } })
    const request = async (token: string) => buy({ token })
    await request(ann)
    store.replenish(saleId, 5)
    for (let i = 0; i < 40; i++) {
      time.now += 900
      expect(refusalOf(await request(ann))).toMatchObject({ status: 429, code: 'at-capacity' })
    }
    expect(await request(bob), 'places are free all the while').toHaveProperty('uri')
    time.now += 2000
    expect(await request(ann)).toHaveProperty('uri')
  })

  it('a wait is for one sale only, and does not outlast a clock that is set back', async () => {
    const { buy, store, time } = openGate(unthrottled)
    store.replenish(saleId, 0)
    const other = 'other-sale'
    const sale = store.sales[saleId]
    if (sale === undefined) throw new Error('the sale is there')
    store.sales[other] = sale
    const token = await tokenAt(time.now)
    refusalOf(await buy({ token }))
    expect(await buy({ token, uri: `/api/sales/${other}/orders` })).toHaveProperty('uri')
    store.replenish(saleId, 5)
    time.now -= 30_000
    expect(await buy({ token })).toHaveProperty('uri')
  })
})
