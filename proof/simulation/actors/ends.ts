/** How a sale ends once it is at rest: new shoppers take what is left, or the sale ends before. */
import { ownValue } from '../../../core/lib/own-value.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import type { OrderUnits } from '../../../core/sale/variants.ts'
import { unitsOfSale } from '../../../core/stock/escrow.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import type { Random } from '../engine/random.ts'
import { longestSkewMs } from '../shared-ports.ts'
import { availableUnits } from '../units-left.ts'
import type { World } from '../world.ts'
import { addShopper } from './arrivals.ts'
import { claimUntilAnswered } from './claimer.ts'
import { sendCommand, sendCommandUntilFinal } from './marketer.ts'
import { everyMs } from './reconcile.ts'
import { buyUnits, payFor, type ShopperIntent } from './shopper.ts'

/** One step of the ending; false when it failed, and then a violation is recorded. */
type End = (world: World) => Promise<boolean>

/** How a sale of red packets ends: all packets are claimed, or some are left at the end. */
export function drawEnds(random: Random): readonly End[] {
  return random.pick([[sellRemaining], [sellRemaining, endPacketSale], [endPacketSale], [endPacketSale]])
}

const steady = { arrivesAfterMs: 0, patience: 100, isDoubled: false, passesGate: true }

/** New shoppers take all that is left and pay at once. */
export async function sellRemaining(world: World): Promise<boolean> {
  const { saleId, simulation, stocks, truth, violated } = world
  const isOver = async () => hasEnded(await world.sale(), simulation.now())
  while ((await world.sale()).flag === 'paused' && !(await isOver())) {
    await sendCommandUntilFinal(world, `sales/${saleId}/resume`)
  }
  // The last window opens by its schedule.
  while ((await world.sale()).flag === 'off') await simulation.sleep(everyMs)
  // By the clock of another function it may open a moment later.
  await simulation.sleep(longestSkewMs)
  const sale = await world.sale()
  if (sale.stock === -1 || (await isOver())) return true
  for (;;) {
    const available = await simulation.aside(() => availableUnits(stocks, truth.table, saleId))
    if (available === 0) return true
    const isTaken =
      sale.kind === 'red-packet'
        ? await claimUntilAnswered(world, { ...steady, shopperId: world.newShopper() })
        : await buyAndPay(world, await remainingOf(world, sale, Math.min(available, sale.maxPerOrder)))
    if (isTaken) continue
    violated(`${available} units are left and cannot be bought (I1)`)
    return false
  }
}

/** At most `quantity` units, in a sale with variants of one that is left, also where no shard has them yet. */
async function remainingOf(
  { simulation, stocks, truth, saleId }: World,
  { variants }: Sale,
  quantity: number,
): Promise<OrderUnits> {
  if (variants === undefined) return { quantity }
  const [stock, escrow] = await simulation.aside(() =>
    Promise.all([readStock(stocks, saleId), findEscrow(truth.table, saleId)]),
  )
  const all = escrow && unitsOfSale(escrow)
  for (const [variant, { left, total }] of Object.entries(stock?.variants ?? {})) {
    const beyondShards = (ownValue(all, variant) ?? total) - total
    const units = Math.min(left + beyondShards, quantity)
    if (units > 0) return { quantity: units, variant }
  }
  return { quantity: 0 }
}

async function buyAndPay(world: World, wanted: OrderUnits): Promise<boolean> {
  const shopperId = world.newShopper()
  const intent: ShopperIntent = { ...steady, ...wanted, shopperId, keys: 1, afterwards: 'pays' }
  const orderId = await buyUnits(world, intent, 'key')
  if (orderId !== undefined) await payFor(world, intent, orderId)
  return orderId !== undefined
}

/**
 * The marketer closes the sale or moves its end to now, while shoppers still claim and other runs
 * already compare what is left.
 */
async function endPacketSale(world: World): Promise<boolean> {
  const { saleId, simulation } = world
  const { random, spawn, sleep, now } = simulation
  const sale = await world.sale()
  for (let left = random.whole(0, 5); left > 0; left -= 1) addShopper(world, sale, { isHurried: true })
  for (let left = random.whole(0, 3); left > 0; left -= 1) {
    spawn('counter', async () => {
      await sleep(random.spread(1, 2000))
      await sendCommand(world, `sales/${saleId}/reconcile`)
    })
  }
  await sleep(random.spread(1, 2000))
  if (sale.windows.length > 0 || random.chance(0.5)) await sendCommandUntilFinal(world, `sales/${saleId}/close`)
  else await sendCommandUntilFinal(world, `sales/${saleId}`, { endsAt: now() + random.spread(1, 2000) }, 'PATCH')
  return true
}
