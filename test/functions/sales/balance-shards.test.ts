/** Checks what the gate learns about a stock over two shards, and in which order. */

import { expect, it } from 'vitest'
import { replenishAdmissions } from '../../../functions/sales/admissions.ts'
import { balanceShards } from '../../../functions/sales/balance-shards.ts'
import { createBalancer } from '../../../functions/sales/balancer.ts'
import { releaseAll } from '../../../redis/orders/release.ts'
import { orderIdOf, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { phone } from '../../world/stock-record.ts'
import { world } from '../../world/world.ts'
import { shoppersOf } from './split-rig.ts'

const server = useRedis()

/** A sale of two units, and what balances its shards once. */
async function openSplit() {
  const rig = await world({ redis: server, databases: 2 })
  await rig.open({ shards: 2, stock: 2, admissionRatio: 1, limitPerShopper: 1, maxPerOrder: 1 })
  const balancer = createBalancer(rig.ports)
  const balance = async () => balanceShards(rig.ports, balancer, await rig.sale(), rig.clock.now + 1000)
  return { rig, balance }
}

it('a split stock that has units again has admissions for them before the gate lets shoppers ask (G7)', async () => {
  const { rig, balance } = await openSplit()
  const [first = 0, second = 0] = shoppersOf(0, 2, 2)
  for (const shopper of [first, second]) {
    await rig.reserve(shopper).catch(async () => {
      await balance()
      await rig.reserve(shopper)
    })
  }
  await balance()
  await replenishAdmissions(rig.ports, phone)
  expect(await rig.facts()).toMatchObject({ soldOut: true })
  expect((await rig.truth())?.remaining).toBe(0)
  const remaining: unknown[] = []
  rig.gate.before('publish-stock', async () => {
    remaining.push((await rig.truth())?.remaining)
  })
  const order = { orderId: orderIdOf(phone, first, 1), shopperId: shopperIdOf(first) }
  // The function that released it was cut off before the gate learned of it.
  expect(await releaseAll(rig.ports.stock, phone, [order])).toMatchObject({ kind: 'released', orders: 1 })
  await balance()
  expect(await rig.facts()).toMatchObject({ soldOut: false })
  expect(remaining).toEqual([1])
})
