/**
 * The client and the page report the outcome that the shop has: no unit twice, no win lost, however requests and
 * answers fail, the page is stale, the pass is missing, or the program is restarted (I2, I5).
 */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type ClickOptions, createClient, type Unwon } from '../../client/client.ts'
import { buy, checkPendingClick } from '../../static/buy/buy.ts'
import { pendingClick } from '../../static/buy/click.ts'
import { tabStore } from '../static/shop-of-answers.ts'
import { clickFaults, faultsOf, modelledShop, readFaults, saleId } from './modelled-shop.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** After this many failures all is well, so that each play has an end. */
const most = 12

const anyShop = fc.record({
  clicks: faultsOf(clickFaults, most),
  reads: faultsOf(readFaults, most),
  stock: fc.constantFrom(1, 2, 5),
  skewMs: fc.constantFrom(0, 3_600_000, -3_600_000),
  hasOlder: fc.boolean(),
})
const random = fc.double({ min: 0, max: 0.99, noNaN: true })
/** For each start of the program: the number of waits after which it dies. */
const anyLives = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 })
const patience = fc.constantFrom(0, 4000, 60_000)

type Shop = ReturnType<typeof modelledShop>

/** Time passes, and what was on its way arrives. */
async function pass(shop: Shop, milliseconds: number): Promise<void> {
  vi.setSystemTime(Date.now() + Math.max(0, milliseconds))
  shop.arrive()
}

/**
 * A program that keeps key and time before it clicks, dies in the waits that `lives` names, and is started again until it
 * knows the outcome.
 */
async function program<BuyOutcome extends { kind: string }>(
  shop: Shop,
  { lives, chance }: { lives: readonly number[]; chance: number },
  click: (client: ReturnType<typeof createClient>, how: ClickOptions) => Promise<BuyOutcome | Unwon>,
): Promise<Exclude<BuyOutcome | Unwon, { kind: 'unsure' }>> {
  let before: ClickOptions = { key: 'key-1' }
  for (let starts = 0; ; starts += 1) {
    const dying = new AbortController()
    let waits = lives[starts] ?? Number.POSITIVE_INFINITY
    const client = createClient({
      url: 'https://shop.example',
      token: () => 'session',
      fetch: shop.fetchWith(false),
      random: () => chance,
      async sleep(milliseconds, signal) {
        waits -= 1
        if (waits < 0) dying.abort()
        signal?.throwIfAborted()
        await pass(shop, milliseconds)
      },
    })
    await client.countdown(saleId)
    const since = client.now()
    try {
      const outcome = await click(client, { ...before, signal: dying.signal })
      if (outcome.kind !== 'unsure') return outcome as Exclude<BuyOutcome | Unwon, { kind: 'unsure' }>
      const { key, since } = outcome as Extract<Unwon, { kind: 'unsure' }>
      before = { key, since }
    } catch (failure) {
      if (!dying.signal.aborted) throw failure
      before = { since, ...before }
    }
    await pass(shop, 1000)
    if (starts > most) shop.heal()
  }
}

it('a program that buys has one order when it says so, and none when it was refused', async () => {
  await fc.assert(
    fc.asyncProperty(anyShop, anyLives, random, patience, async (facts, lives, chance, patienceMs) => {
      const shop = modelledShop(facts)
      const outcome = await program(shop, { lives, chance }, (client, how) =>
        client.buy(saleId, { ...how, patienceMs }),
      )
      expect(shop.held()).toEqual(outcome.kind === 'won' ? [outcome.orderId] : [])
      expect(shop.made().length).toBeLessThanOrEqual(1)
      if (outcome.kind === 'gone') expect(shop.made()).toEqual([outcome.orderId])
    }),
    { numRuns: 1000 },
  )
})

it('a program that claims has the packet that it says, and none when it was refused (P3)', async () => {
  await fc.assert(
    fc.asyncProperty(anyShop, anyLives, random, patience, async (facts, lives, chance, patienceMs) => {
      const shop = modelledShop(facts)
      const outcome = await program(shop, { lives, chance }, (client, how) =>
        client.claim(saleId, { ...how, patienceMs }),
      )
      if (outcome.kind === 'won') expect(outcome).toMatchObject(shop.packet() ?? {})
      expect(shop.packet() !== undefined).toBe(outcome.kind === 'won')
    }),
    { numRuns: 1000 },
  )
})

it('a shopper on the page has one order when the page says so, and none when the click is settled without', async () => {
  /** Presses the button, or loads the page again, until the page knows the outcome of the click. */
  async function press(shop: Shop, reloads: readonly boolean[], chance: number) {
    const store = tabStore()
    const ports = {
      ...{ fetch: shop.fetchWith(true), store, onChecking: () => {}, online: () => true },
      wait: (milliseconds: number) => pass(shop, milliseconds),
      random: () => chance,
    }
    for (let presses = 0; ; presses += 1) {
      const isReload = reloads[presses] === true && pendingClick(store, saleId) !== undefined
      const now = shop.now()
      const outcome = isReload
        ? await checkPendingClick(ports, saleId, now)
        : await buy(ports, {
            ...{ saleId, startToken: shop.startToken(), seen: '1.0', challenge: undefined },
            ...{ units: { quantity: 1 }, key: `key-${presses}`, now },
          })
      // A refusal counts once the client searched for the order; without a session it could not.
      const isKnown = outcome?.kind === 'refused' && outcome.code !== 'sign-in-required'
      if (outcome && (isKnown || pendingClick(store, saleId) === undefined)) return outcome
      await pass(shop, 10_000)
      if (presses > most) shop.heal()
    }
  }
  await fc.assert(
    fc.asyncProperty(anyShop, fc.array(fc.boolean()), random, async (facts, reloads, chance) => {
      const shop = modelledShop(facts)
      const outcome = await press(shop, reloads, chance)
      expect(shop.held()).toEqual(outcome.kind === 'won' ? [outcome.orderId] : [])
      expect(shop.made().length).toBeLessThanOrEqual(1)
    }),
    { numRuns: 1000 },
  )
})
