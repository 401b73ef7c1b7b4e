/** The e-mails of sales with other settings: each step of each order has its one e-mail. */
import { expect, it } from 'vitest'
import type { Order } from '../../../core/orders/order.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { range } from '../../contract/table-rig.ts'
import { aSale, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { world } from '../../world/world.ts'
import { mailRig, recordOfOrder, stepped } from './mail-rig.ts'

const redis = useRedis()

const coupons = { kind: 'coupon', price: 0 }
const variants = ['s', 'm'].map((id) => ({ id, name: id.toUpperCase(), stock: 20 }))

it.each([
  ['of coupons', coupons, 'Order confirmed'],
  ['with variants', { variants, stock: 40, limitPerShopper: 3, maxPerOrder: 3 }, 'Pay to complete'],
  ['over three databases', { shards: 3 }, 'Pay to complete'],
  ['of coupons over three databases', { ...coupons, shards: 3 }, 'Order confirmed'],
])(
  'a sale %s has one e-mail for each shopper and step, with no code in it (S7, I5)',
  async (name, changes, subject) => {
    const shop = await world({ redis, databases: 3 })
    await shop.open({ stock: 20, ...changes })
    const hasVariants = name === 'with variants'
    const ids = []
    for (const shopper of range(6)) ids.push(await shop.buy(shopper, hasVariants ? { quantity: 2, variant: 'm' } : {}))
    await shop.deliver()
    const orders: Order[] = [...(await shop.table.findMany(ids)).values()]
    expect(orders).toHaveLength(6)

    const rig = mailRig()
    rig.time.now = shop.clock.now
    for (const shopper of range(6))
      rig.contacts.set(shopperIdOf(shopper), { email: `${shopper}@example.com`, language: 'en' })
    rig.ports.saleOf = async () => ({ ...aSale(changes as Partial<Sale>), title: 'Mug', description: '', variants })
    const records = orders.map(recordOfOrder)
    for (const _ of [1, 2]) expect(await rig.deliver(...records, ...records)).toEqual([])
    expect(rig.sent.map(({ to }) => to).toSorted()).toEqual(range(6).map((shopper) => `${shopper}@example.com`))
    for (const { subject: line } of rig.sent) expect(line).toMatch(new RegExp(`^${subject}.*: Mug$`))
    const text = JSON.stringify(rig.sent)
    for (const code of orders.flatMap(({ coupons = [] }) => coupons)) expect(text).not.toContain(code)
    expect(text.includes('Options: 2 × M'), 'options').toBe(hasVariants)

    // Neither a redemption nor its undoing is a step that a shopper is written about.
    const redeemed = orders.map((order) => stepped(order, 'redeemed', order.status))
    if (orders[0]?.coupons !== undefined) await rig.deliver(...redeemed.map(recordOfOrder))
    expect(rig.sent).toHaveLength(6)
    const ended = orders.map((order) => stepped(order, 'refunded-by-marketer', 'cancelled', { reason: 'by-marketer' }))
    await rig.deliver(...ended.map(recordOfOrder))
    expect(rig.sent).toHaveLength(12)
  },
)
