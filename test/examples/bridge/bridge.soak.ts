/** The seed of a play is printed; `SEED=…` plays it again. */
import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))
const inventoryItem = 'gid://shopify/InventoryItem'

describe(`a thousand orders, with lost answers, repeats and a bridge that is killed (SEED=${seed})`, () => {
  it('are in Shopify once each, within its points', async () => {
    const { shopify, killed, alive, ended, gone, took } = await play('shopify', {
      ...{ count: 1000, kills: 8, seed, speed: 25 },
    })
    if (!shopify) throw new Error('not played against Shopify')
    const { orders, available, counts, hurt } = shopify
    console.log('shopify', { killed, made: orders.size, ...counts, hurt, seconds: took / 1000 })
    const made = [...orders.values()]
    const idsOf = (among: typeof made) => among.map(({ sluiceId }) => sluiceId).toSorted()
    expect(killed).toBe(8)
    expect(idsOf(made.filter(({ cancelledAt }) => cancelledAt === null))).toEqual(alive.toSorted())
    const cancelled = idsOf(made.filter(({ cancelledAt }) => cancelledAt !== null))
    expect(new Set(cancelled).size).toBe(cancelled.length)
    expect(ended).toEqual(expect.arrayContaining(cancelled))
    expect(Object.fromEntries(available)).toEqual({
      [`${inventoryItem}/1`]: 2000 - gone.mug,
      [`${inventoryItem}/2`]: 1000 - gone.red,
      [`${inventoryItem}/3`]: 1000 - gone.blue,
    })
    expect(counts.spent).toBeLessThanOrEqual(shopify.allowed())
    expect(counts.throttled).toBe(0)
    for (const fault of ['never-arrives', 'answer-lost', 'late-effect', 'busy', 'slow'])
      expect(hurt[fault]).toBeGreaterThan(0)
  })

  it('are in WooCommerce once each', async () => {
    const { woo, killed, alive, ended, gone, took } = await play('woocommerce', {
      ...{ count: 1000, kills: 8, seed, speed: 25 },
    })
    if (!woo) throw new Error('not played against WooCommerce')
    const { hurt, products } = woo
    const listed = woo.listed()
    const drafts = woo.orders.size - listed.length
    console.log('woocommerce', { killed, made: listed.length, drafts, hurt, seconds: took / 1000 })
    const idsOf = (among: typeof listed) => among.map(({ meta_data }) => meta_data[0]?.value ?? '').toSorted()
    expect(killed).toBe(8)
    expect(idsOf(listed.filter(({ status }) => status === 'processing'))).toEqual(alive.toSorted())
    const over = idsOf(listed.filter(({ status }) => status !== 'processing'))
    expect(new Set(over).size).toBe(over.length)
    expect(ended).toEqual(expect.arrayContaining(over))
    const stock = Object.fromEntries([...products].map(([name, { stock_quantity }]) => [name, stock_quantity]))
    expect(stock).toEqual({ '1': 2000 - gone.mug, '7/2': 1000 - gone.red, '7/3': 1000 - gone.blue })
    for (const fault of ['never-arrives', 'answer-lost', 'late-effect', 'busy', 'slow'])
      expect(hurt[fault]).toBeGreaterThan(0)
  })
})
