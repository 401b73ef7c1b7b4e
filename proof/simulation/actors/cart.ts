/**
 * The checkout of a shop: it takes the money for a reservation and confirms or releases the order, with a shop key.
 * Three in ten of its reports are lost or sent twice.
 */
import type { OrderId } from '../../../core/ids.ts'
import { shopKeyHeader } from '../../../core/orders/shop-key.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { reservationsApp } from '../../../functions/orders/reservations.ts'
import { keyOfTill } from '../functions.ts'
import { forwardedRequest, isFinal, sendRequest } from '../parts/requests.ts'
import type { Cart } from '../records.ts'
import type { World } from '../world.ts'

/** Pays the reservation; some customers are refunded a moment later. */
export async function payInShop(world: World, orderId: OrderId, { mayReturn }: { mayReturn: boolean }): Promise<void> {
  const { random, sleep } = world.simulation
  const cart = world.carts.open(orderId)
  const answer = await report(world, orderId, cart, 'confirm')
  if (answer.statusCode !== 200 || cart.orderId === undefined || !mayReturn || !random.chance(0.1)) return
  await sleep(random.spread(100, 20_000))
  await leaveShop(world, cart.orderId, cart)
}

/** Releases the reservation. */
export async function leaveShop(world: World, orderId: OrderId, cart: Cart = world.carts.open(orderId)): Promise<void> {
  const answer = await report(world, orderId, cart, 'release')
  if (answer.statusCode === 200) cart.isReleased = true
}

/** Sends a report until its answer is final, and returns that answer. */
async function report(
  { simulation, functions, carts }: World,
  orderId: OrderId,
  cart: Cart,
  verb: 'confirm' | 'release',
): Promise<HttpAnswer> {
  const { random, sleep } = simulation
  const body = verb === 'confirm' ? { reference: cart.reference } : {}
  const headers = { [shopKeyHeader]: keyOfTill('web') }
  const request = forwardedRequest(undefined, 'POST', `/api/control/reservations/${orderId}/${verb}`, body, headers)
  const send = () =>
    sendRequest(simulation, functions.orderChanges, reservationsApp, request, (answer) => {
      if (verb === 'confirm') carts.confirmed(cart, answer)
    })
  for (;;) {
    const copies = random.pick([0, 0, 0, 2, 2, 2, ...Array.from({ length: 14 }, () => 1)])
    const answers = await Promise.all(Array.from({ length: copies }, send))
    const final = answers.filter(isFinal)
    // When two answers are final, the shop uses the one with an order.
    const answer = final.find(({ statusCode }) => statusCode === 200) ?? final[0]
    if (answer !== undefined) return answer
    await sleep(random.spread(200, 5000))
  }
}
