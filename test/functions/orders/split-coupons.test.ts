/** Coupons of a stock over several databases: redeemed at the till, refunded, and kept through the loss of a shard. */

import { expect, it } from 'vitest'
import { redeemCoupon } from '../../../functions/orders/redeem.ts'
import { recover, recoveryPatienceMs } from '../../../functions/repair/stock/recover.ts'
import { readPaidOrders } from '../../../functions/table/orders/paid-orders.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { readShards } from '../../../redis/stock/stock.ts'
import { raw } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { phone } from '../../world/stock-record.ts'
import { keyOfRequest, undoMs } from '../../world/tills.ts'
import { world } from '../../world/world.ts'

const server = useRedis()

it('coupons of several databases are redeemed once, and only an unused one gives its unit back, to its own shard (S7, S14, I1, I4)', async () => {
  const rig = await world({ redis: server, databases: 3 })
  await rig.open({ kind: 'coupon', price: 0, stock: 90, shards: 3 })
  const { table, offers, ports, telemetry, stocks } = rig
  const till = { table: table.table, offers, undoMs, log: telemetry.log }
  const orders = await Promise.all((await rig.sell(12)).map((orderId) => table.find(orderId)))
  const booked = async () =>
    (await readShards(stocks, phone)).map((shard) => shard && 'booked' in shard && shard.booked - shard.heldBack)
  const start = await booked()
  expect(
    start.every((units) => Number(units) > 0),
    'every shard sold some',
  ).toBe(true)
  const redeem = async (at: number, key: string) => {
    const [code] = orders[at]?.coupons ?? []
    if (code === undefined) throw new Error('nothing was issued')
    const asked = { code, shop: 'till-1', key: keyOfRequest(key) }
    return (await redeemCoupon({ ...till, clock: ports.clock, sleep: ports.sleep }, asked)).kind
  }
  const refund = async (at: number) => (await rig.ask('POST', `/orders/${orders[at]?.orderId}/refund`)).status

  for (let at = 0; at < 6; at += 1) expect(await redeem(at, 'first')).toBe('done')
  for (let at = 0; at < 6; at += 1) expect(await redeem(at, 'second')).toBe('refused')
  for (let at = 0; at < 9; at += 1) expect(await refund(at)).toBe(at < 6 ? 409 : 200)
  expect(await redeem(6, 'late'), 'void').toBe('refused')
  const after = await booked()
  expect(after.reduce((sum: number, units) => sum + Number(units), 0)).toBe(9)
  expect(await saleTotals(table.table, phone)).toMatchObject({ sold: 9, remaining: 81 })

  for (const shard of [0, 1, 2]) await raw(server, 'DEL', ...Object.values(stockKeys(phone, shard)))
  const actor = { who: 'mia', requestId: 'r' }
  const recovered = await recover(ports, actor, phone, rig.clock.now + recoveryPatienceMs)
  expect(recovered).toMatchObject({ kind: 'recovered', orders: 9 })
  expect(await booked()).toEqual(after)
  for (let at = 0; at < 6; at += 1) expect(await redeem(at, 'first'), 'a repeat').toBe('done')
  expect((await readPaidOrders(table.table, phone)).redeemed).toBe(6)
})
