/** Ends a sale that is at rest: new shoppers buy the remaining units, or the sale ends before. */
import { ownValue } from '../../../core/lib/own-value.ts'
import { hasEnded, type Sale } from '../../../core/sale/sale.ts'
import type { OrderUnits } from '../../../core/sale/variants.ts'
import { unitsOfSale } from '../../../core/stock/escrow.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import type { Random } from '../engine/random.ts'
import { maxSkewMs } from '../shared-ports.ts'
import { availableUnits } from '../units-left.ts'
import type { World } from '../world.ts'
import { addShopper } from './arrivals.ts'
import { claimUntilAnswered } from './claimer.ts'
import { sendCommand, sendCommandUntilFinal } from './marketer.ts'
import { scheduleEveryMs } from './reconcile.ts'
import { buyUnits, payFor, type ShopperIntent } from './shopper.ts'

/** One step of the ending; false when it failed and recorded a violation. */
type End = (world: World) => Promise<boolean>

/** Draws the end of a sale of red packets: all packets are claimed, or some are left. */
export function drawEnds(random: Random): readonly End[] {
  return random.pick([[sellRemaining], [sellRemaining, endPacketSale], [endPacketSale], [endPacketSale]])
}

const patientShopper = { arrivesAfterMs: 0, patience: 100, isDoubled: false, passesGate: true }

/** New shoppers buy all remaining units and pay at once. */
export async function sellRemaining(world: World): Promise<boolean> {
  const { saleId, simulation, stocks, truth, violated } = world
  const isOver = async () => hasEnded(await world.sale(), simulation.now())
  while ((await world.sale()).flag === 'paused' && !(await isOver())) {
    await sendCommandUntilFinal(world, `sales/${saleId}/resume`)
  }
  // The last window opens by its schedule.
  while ((await world.sale()).flag === 'off') await simulation.sleep(scheduleEveryMs)
  // Another function's clock may be behind.
  await simulation.sleep(maxSkewMs)
  const sale = await world.sale()
  if (sale.stock === -1 || (await isOver())) return true
  for (;;) {
    const available = await simulation.runExclusively(() => availableUnits(stocks, truth.table, saleId))
    if (available === 0) return true
    const isTaken =
      sale.kind === 'red-packet'
        ? await claimUntilAnswered(world, { ...patientShopper, shopperId: world.newShopper() })
        : await buyAndPay(world, await remainingOf(world, sale, Math.min(available, sale.maxPerOrder)))
    if (isTaken) continue
    violated(`${available} units are left and cannot be bought (I1)`)
    return false
  }
}

/** Returns at most `quantity` units of a variant that has units left, including units that no shard has yet. */
async function remainingOf(
  { simulation, stocks, truth, saleId }: World,
  { variants }: Sale,
  quantity: number,
): Promise<OrderUnits> {
  if (variants === undefined) return { quantity }
  const [stock, escrow] = await simulation.runExclusively(() =>
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
  const intent: ShopperIntent = { ...patientShopper, ...wanted, shopperId, keys: 1, afterwards: 'pays' }
  const orderId = await buyUnits(world, intent, 'key')
  if (orderId !== undefined) await payFor(world, intent, orderId)
  return orderId !== undefined
}

/**
 * The marketer closes the sale or moves its end to now, while shoppers still claim and other runs already compare the
 * stores.
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
