/** The next sale of the shop: its shoppers say where to send their orders before they pay. */
import { parseSaleId } from '../../../core/ids.ts'
import type { SaleDefinition } from '../../../core/sale/sale.ts'
import { besides, type World } from '../world.ts'
import { sendAddress } from './account.ts'
import { buyUnits, drawIntent, payFor } from './shopper.ts'
import { ask, goodsSale } from './staff.ts'

/** Creates and starts the sale, and sells its few units. */
export async function runParcels(world: World): Promise<void> {
  const { simulation, visits, newShopper } = world
  const { random, spawn, sleep, now } = simulation
  const definition = await parcelsOf(world)
  const { saleId } = definition
  const other = besides(world, saleId)
  await ask(world, 'sales', { method: 'POST', body: definition })
  visits.sales.set(saleId, true)
  world.others.push(other)
  const started = await ask(world, `sales/${saleId}/start`, { method: 'POST', body: { now: true } })
  if (started.statusCode !== 200) return world.violated(`${saleId} was not started: ${started.body} (console)`)
  const sale = await other.sale()
  for (let left = definition.stock + 2; left > 0; left -= 1) {
    const intent = {
      ...drawIntent(random, newShopper(), sale),
      patience: 6,
      arrivesAfterMs: random.spread(1, 5000),
    }
    const { shopperId } = intent
    spawn(shopperId, async () => {
      await sleep(intent.arrivesAfterMs)
      const orderId = await buyUnits(other, intent, 'key')
      if (orderId === undefined) return
      // Some forget the address, and cannot pay; others come back when their time is over.
      const leavesAt = now() + random.spread(1000, 30_000)
      const isKept = random.chance(0.8) && (await sendAddress(other, shopperId, orderId))
      if (now() < leavesAt || isKept) await payFor(other, intent, orderId)
    })
  }
}

async function parcelsOf(world: World): Promise<SaleDefinition> {
  const saleId = parseSaleId(`sent-${world.saleId}`)
  if (saleId === undefined) throw new Error('a sale needs an id')
  const { whole } = world.simulation.random
  const paying = { paymentWindowSeconds: whole(30, 900), paymentGraceSeconds: 30 }
  return goodsSale(world, saleId, { stock: whole(2, 4), delivery: { countries: ['DE', 'CN'] }, ...paying })
}
