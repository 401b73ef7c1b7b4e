/**
 * The function before the gate with a store that is late in every direction, and a gate behind it:
 * nothing is sold that the gate would not sell, and no shopper is refused longer than docs/guide/gate.md says.
 */
import { describe, expect, it } from 'vitest'
import { entryKey, entryText, passKeysKey, soldOutForMs } from '../../core/gate/edge-entry.ts'
import { dayOf, type PassKeys, passKeysText, passLifeSeconds } from '../../core/gate/pass.ts'
import type { GateFacts } from '../../edge/memory/gate-store.ts'
import { entryOf } from '../../functions/sales/publishing/edge-entries.ts'
import { createKeyValueStore, type EdgeLocation } from '../../local/cdn/key-value-store.ts'
import { openRandom, type Random } from '../../proof/simulation/engine/random.ts'
import { openPreGate } from './pre-gate-visits.ts'
import {
  eventOf,
  fakeStore,
  openInstance,
  openSaleFacts,
  passOf,
  refusalOf,
  saleId,
  shopOrigin,
  startOfTests,
  startToken,
  tokenAt,
} from './support.ts'

const second = 1000
const delayMs = 5 * second
const newStartToken = 'YW5vdGhlci10b2tlbi1vZi10aGUtbmV4dC1lcG9jaA'

type Seen = { version: number; unitsAt: number }
type Click = { seen?: Seen; pass?: string; startToken?: string }

/** A sale that the gate sells, with an edge location that has every change `delay` later. */
async function openShop(change: Partial<GateFacts> = {}, delay = delayMs) {
  const time = { now: startOfTests }
  const token = await tokenAt(time.now, { claims: { exp: startOfTests / second + 86_400 } })
  const sale: GateFacts = { ...openSaleFacts, ...change }
  const gateStore = fakeStore({ [saleId]: sale })
  gateStore.publishFilter()
  const store = createKeyValueStore({ now: () => time.now, maxDelayMs: delay })
  const location = store.location(delay)
  let isReachable = true
  const reachable: EdgeLocation = {
    ...location,
    get(key) {
      if (!isReachable) throw new Error('the store does not answer')
      return location.get(key)
    },
  }
  const { refusal } = await openPreGate(reachable, () => time.now)
  const put = (key: string, value: string) => store.update(store.facts().etag, { puts: [{ key, value }], deletes: [] })
  const publish = () => put(entryKey(saleId), entryText(entryOf(sale, sale.soldOut ? time.now : null)))

  /** The problem's code, with the one who gave it; `forwarded` for a click that may buy. */
  async function click({ seen, pass, startToken: read = startToken }: Click = {}): Promise<string> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      origin: shopOrigin,
      ...(seen && { 'x-sluice-seen': `${seen.version}.${seen.unitsAt}` }),
      ...(pass && { 'x-sluice-pass': pass }),
    }
    const ask = { method: 'POST', uri: `/api/sales/${saleId}/orders`, headers }
    const early = await refusal(ask)
    if (early !== undefined) return `function: ${early.code}`
    // A new instance each time: its own memory is not what is late here.
    const { handler } = openInstance(gateStore, time)
    const answer = await handler(eventOf({ ...ask, body: JSON.stringify({ quantity: 1, startToken: read }) }))
    return 'uri' in answer ? 'forwarded' : `gate: ${refusalOf(answer).code}`
  }

  publish()
  time.now += delay
  return {
    ...{ time, sale, publish, click },
    setKeys(of: { gate?: PassKeys; store?: PassKeys }) {
      if (of.gate !== undefined) gateStore.setPassKeys(passKeysText(of.gate))
      if (of.store !== undefined) put(passKeysKey, passKeysText(of.store))
    },
    dropKeys: () => store.update(store.facts().etag, { puts: [], deletes: [passKeysKey] }),
    deleteEntry: () => store.update(store.facts().etag, { puts: [], deletes: [entryKey(saleId)] }),
    freeze: () => put(entryKey(saleId), entryText(entryOf({ ...sale, frozen: true }, null))),
    loseStore: () => {
      isReachable = false
    },
    /** Changes the sale like `control` does: with a new version. */
    alter(to: Partial<GateFacts>) {
      Object.assign(sale, to)
      sale.version += 1
    },
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>

/** Collects the answers to clicks without `x-sluice-seen`, one in each second from now. */
async function answersOver(shop: Shop, seconds: number): Promise<string[]> {
  const answers: string[] = []
  for (let at = 0; at < seconds; at += 1) {
    answers.push(await shop.click())
    shop.time.now += second
  }
  return answers
}

describe('a phase that the store has late', () => {
  it.each([
    ['off', 'function: not-started'],
    ['paused', 'function: paused'],
  ] as const)(
    'keeps clients without a pointer from a sale that was %s for the delay, and no page',
    async (flag, early) => {
      const shop = await openShop({ flag })
      const { version } = shop.sale
      shop.alter({ flag: 'on' })
      shop.publish()
      expect(await shop.click({ seen: { version, unitsAt: 0 } })).toBe(early)
      expect(await shop.click({ seen: { version: version + 1, unitsAt: 0 } })).toBe('forwarded')
      expect(await answersOver(shop, 6)).toEqual([...Array(5).fill(early), 'forwarded'])
    },
  )

  it.each([
    ['paused', 'gate: paused'],
    ['closed', 'gate: ended'],
    ['off', 'gate: not-started'],
  ] as const)('sells nothing of a sale that is %s by now (I6)', async (flag, late) => {
    const shop = await openShop()
    shop.alter({ flag })
    shop.publish()
    expect(await answersOver(shop, 6)).toEqual([...Array(5).fill(late), late.replace('gate', 'function')])
  })
})

describe('an epoch that the store has late', () => {
  it('gives no click with an old start token a unit, and lets those with the new one through (C6)', async () => {
    const shop = await openShop()
    shop.alter({ startToken: newStartToken, epoch: 2 })
    shop.publish()
    for (let at = 0; at <= delayMs; at += delayMs) {
      expect(await shop.click()).toBe('gate: stale-page')
      expect(await shop.click({ startToken: newStartToken })).toBe('forwarded')
      shop.time.now += delayMs
    }
  })

  it('keeps a page from no turn of the new epoch, and another client for the delay at most', async () => {
    const rules = { ...openSaleFacts.rules, requirePass: 'on' as const, spreadSeconds: 300 }
    const shop = await openShop({ rules, startsAt: startOfTests })
    const keys = keysOfDays('one')
    shop.setKeys({ gate: keys, store: keys })
    shop.time.now += delayMs
    const pass = passOf(keys, shop.time.now)
    expect(await shop.click({ pass })).toBe('function: not-your-turn')
    // The spread of the new epoch is over.
    shop.alter({ startToken: newStartToken, epoch: 2, startsAt: shop.time.now - 301 * second })
    shop.publish()
    const click = { pass, startToken: newStartToken }
    expect(await shop.click({ ...click, seen: { version: shop.sale.version, unitsAt: 0 } })).toBe('forwarded')
    expect(await shop.click(click)).toBe('function: not-your-turn')
    shop.time.now += delayMs
    expect(await shop.click(click)).toBe('forwarded')
  })
})

describe('a store without the entry, or without an answer', () => {
  it.each(['deleteEntry', 'loseStore', 'freeze'] as const)('leaves the decision to the gate: %s', async (fault) => {
    const shop = await openShop({ flag: 'paused' })
    shop[fault]()
    shop.time.now += delayMs
    expect(await shop.click()).toBe('gate: paused')
    shop.alter({ flag: 'on' })
    expect(await shop.click()).toBe('forwarded')
    shop.alter({ soldOut: true })
    expect(await shop.click()).toBe('gate: sold-out')
  })
})

describe('"sold out" that the store has late', () => {
  it('ends for a page with its pointer, and for other clients a delay after it was published (G7)', async () => {
    const shop = await openShop({ soldOut: true })
    shop.alter({ soldOut: false })
    shop.publish()
    const { version } = openSaleFacts
    const clickAfter = (unitsAt: number) => shop.click({ seen: { version, unitsAt } })
    expect(await clickAfter(startOfTests)).toBe('function: sold-out')
    expect(await clickAfter(startOfTests + 1)).toBe('forwarded')
    expect(await answersOver(shop, 6)).toEqual([...Array(5).fill('function: sold-out'), 'forwarded'])
  })

  it(`ends after ${soldOutForMs / second} s if publishing fails`, async () => {
    const shop = await openShop({ soldOut: true })
    shop.alter({ soldOut: false })
    shop.time.now = startOfTests + soldOutForMs - 1
    expect(await shop.click()).toBe('function: sold-out')
    shop.time.now += 1
    expect(await shop.click()).toBe('forwarded')
  })
})

describe('pass keys that gate and store do not have at the same time', () => {
  const rules = { ...openSaleFacts.rules, requirePass: 'on' as const }
  const [former, present] = [keysOfDays('former', -1), keysOfDays('present')]

  it.each([
    ['the gate signs with a key that the store will have', { gate: present, store: former }],
    ['the store has a key that the gate will have', { gate: former, store: present }],
    ['neither has the key', { gate: former, store: former }],
    ['the store has no keys', { gate: present }],
  ])('refuse no good pass: %s', async (_, has) => {
    const shop = await openShop({ rules })
    shop.setKeys(has)
    shop.time.now += delayMs
    expect(await shop.click({ pass: passOf(present, shop.time.now) })).toBe('forwarded')
  })

  it.each([
    ['the store has no key for it', { gate: present, store: former }, 'gate: sign-in-required'],
    ['the gate has no key for it', { gate: former, store: present }, 'function: sign-in-required'],
  ])('let no forged pass through: %s', async (_, has, refused) => {
    const shop = await openShop({ rules })
    shop.setKeys(has)
    shop.time.now += delayMs
    expect(await shop.click({ pass: passOf(keysOfDays('forged'), shop.time.now) })).toBe(refused)
  })

  it('refuse passes of a leaked key once it is rotated, and at no moment a pass that the gate gives then (L6)', async () => {
    const [leaked, rotated] = [keysOfDays('leaked'), keysOfDays('rotated')]
    const shop = await openShop({ rules })
    shop.setKeys({ gate: leaked, store: leaked })
    shop.time.now += delayMs
    const forged = () => shop.click({ pass: passOf(leaked, shop.time.now) })
    /** Collects the answers to a forged pass at each half second, while passes of the gate's present key are good. */
    const during = async (given: PassKeys, seconds: number) => {
      const answers = new Set<string>()
      for (let at = 0; at < seconds * 2; at += 1) {
        expect(await shop.click({ pass: passOf(given, shop.time.now) })).toBe('forwarded')
        answers.add(await forged())
        shop.time.now += second / 2
      }
      return [...answers]
    }
    // The steps of rotatePassKeys, and the next run of renewPassKeys.
    shop.dropKeys()
    expect(await during(leaked, 10)).toEqual(['forwarded'])
    shop.setKeys({ gate: rotated })
    expect(await during(rotated, 60)).toEqual(['gate: sign-in-required'])
    shop.setKeys({ store: rotated })
    expect(await during(rotated, 10)).toEqual(['gate: sign-in-required', 'function: sign-in-required'])
  })
})

describe('a random history of a sale', () => {
  const seed = Number(process.env.SEED ?? 20261122)

  it(`refuses no page that the gate lets through, and others for the delay and a tick, with seed ${seed} (G7)`, async () => {
    const delays = [0, 500, 5000, 10_000]
    for (const [run, delay] of delays.entries()) await playHistory(openRandom(seed + run), delay)
  })
})

const steps = 150
/** `reconcile` publishes once in this time. */
const tickMs = second

async function playHistory(random: Random, delay: number): Promise<void> {
  const shop = await openShop({}, delay)
  let changedAt = Number.NEGATIVE_INFINITY
  let tickAt = shop.time.now
  for (let step = 0; step < steps; step += 1) {
    shop.time.now += random.whole(1, 900)
    if (random.chance(0.1)) {
      shop.alter(random.pick([{ flag: 'on' }, { flag: 'paused' }, { soldOut: true }, { soldOut: false }]))
      changedAt = shop.time.now
    }
    if (shop.time.now >= tickAt) {
      shop.publish()
      tickAt = shop.time.now + tickMs
    }
    const unitsAt = shop.sale.soldOut ? 0 : shop.time.now
    const ofPage = await shop.click({ seen: { version: shop.sale.version, unitsAt } })
    const ofOther = await shop.click()
    const isOnSale = shop.sale.flag === 'on' && !shop.sale.soldOut
    if (isOnSale) expect([step, delay, ofPage]).toEqual([step, delay, 'forwarded'])
    else expect([ofPage, ofOther]).not.toContain('forwarded')
    // A step is up to 900 ms, so a tick may be so late.
    const isKnown = shop.time.now > changedAt + tickMs + 900 + delay
    if (isOnSale && isKnown) expect([step, delay, ofOther]).toEqual([step, delay, 'forwarded'])
  }
}

/** Keys of the days in which a pass of now expires, or of `days` others. */
function keysOfDays(name: string, days = 0): PassKeys {
  const day = dayOf(startOfTests / second + passLifeSeconds) + days
  return new Map([[day, `${name}-key`]])
}
