/** Shoppers after a sale: each reads their orders and wallet, and enters the delivery address of an order. */
import { deliveryApi } from '../../../core/api/delivery.ts'
import { type OrderView, shopApi } from '../../../core/api/shop.ts'
import { type Wallet, walletApi } from '../../../core/api/wallet.ts'
import type { OrderId, ShopperId } from '../../../core/ids.ts'
import type { DeliveryRequest } from '../../../core/people/delivery.ts'
import { unsubscribePath } from '../../../core/people/mail.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import type { HttpApp } from '../../../functions/lib/http/app.ts'
import { unsubscribeSeal } from '../../../functions/lib/sealer.ts'
import { ordersApp } from '../../../functions/orders/orders-http.ts'
import { walletApp } from '../../../functions/packets/wallet.ts'
import { deliveryApp, unsubscribeApp } from '../../../functions/people/delivery.ts'
import type { Environments, Simulation } from '../engine/simulation.ts'
import { forwardedRequest, type HttpRequest, isFinal, sendRequest } from '../parts/requests.ts'
import { personalData } from '../shared-ports.ts'
import type { World } from '../world.ts'
import { lateMs } from './staff.ts'

/** Repeats a request until its answer is final. */
async function askUntilAnswered<Ports>(
  simulation: Simulation,
  fleet: Environments<Ports>,
  app: (ports: Ports) => HttpApp,
  request: HttpRequest,
): Promise<HttpAnswer> {
  for (;;) {
    const answer = await sendRequest(simulation, fleet, app, request)
    if (isFinal(answer)) return answer
    await simulation.sleep(simulation.random.spread(200, 5000))
  }
}

/** Reads all pages of the shopper's orders, of this sale or of all. */
export async function readOwnOrders(
  { simulation, functions, saleId }: World,
  shopperId: ShopperId,
  { limit, ofSale }: { limit: number; ofSale: boolean },
): Promise<readonly OrderView[]> {
  const orders: OrderView[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query = new URLSearchParams({
      limit: String(limit),
      ...(ofSale && { sale: saleId }),
      ...(after !== '' && { after }),
    })
    const request = forwardedRequest(shopperId, 'GET', `/api/orders?${query}`)
    const answer = await askUntilAnswered(simulation, functions.orders, ordersApp, request)
    const page = shopApi.listOrders.answer.parse(JSON.parse(answer.body))
    orders.push(...page.orders)
    after = page.next
  }
  return orders
}

/** Reads the list a few times. A stale list may lack the newest orders, but must not show those of other shoppers. */
export async function runReader(world: World, shopperId: ShopperId): Promise<void> {
  const { simulation, truth, saleId, violated } = world
  const { random, sleep } = simulation
  for (let reads = random.whole(1, 3); reads > 0; reads -= 1) {
    await sleep(random.spread(100, 20_000))
    const shown = await readOwnOrders(world, shopperId, { limit: random.whole(1, 3), ofSale: random.chance(0.5) })
    const owners = new Map(truth.orders(saleId).map((order) => [order.orderId, order.shopperId]))
    for (const { orderId } of shown) {
      const owner = owners.get(orderId) ?? shopperId
      if (owner !== shopperId) violated(`${shopperId} sees ${orderId} of ${owner} (I2)`)
    }
  }
}

async function readOwnWallet({ simulation, functions }: World, shopperId: ShopperId): Promise<Wallet> {
  const request = forwardedRequest(shopperId, 'GET', '/api/wallet?credits=all')
  const answer = await askUntilAnswered(simulation, functions.wallet, walletApp, request)
  return walletApi.getWallet.answer.parse(JSON.parse(answer.body))
}

/** Finds the shopper's packet, as after a lost answer. */
export async function findOwnPacket(
  { simulation, functions, saleId }: World,
  shopperId: ShopperId,
): Promise<string | undefined> {
  const request = forwardedRequest(shopperId, 'GET', `/api/packets?sale=${saleId}`)
  const answer = await askUntilAnswered(simulation, functions.orders, ordersApp, request)
  return walletApi.findPacket.answer.parse(JSON.parse(answer.body)).packet?.packetId
}

/** Reads the wallet a few times. */
export async function runWalletReader(world: World, shopperId: ShopperId): Promise<void> {
  const { random, sleep } = world.simulation
  for (let left = random.whole(1, 3); left > 0; left -= 1) {
    await sleep(random.spread(100, 20_000))
    await readCheckedWallet(world, shopperId)
  }
}

/** Reads the credits of a wallet, and checks that they add up to its balance. */
export async function readCheckedWallet(world: World, shopperId: ShopperId): Promise<Wallet['credits']> {
  const { balances, credits } = await readOwnWallet(world, shopperId)
  const [sum, balance] = [credits, balances].map((all) => all.reduce((total, { amount }) => total + amount, 0))
  const newest = credits[0]?.balance ?? 0
  if (sum !== balance || sum !== newest) {
    world.violated(`the credits of ${shopperId} add up to ${sum}, the balance is ${balance}, shown as ${newest} (P8)`)
  }
  return credits
}

/** Enters the delivery address of an order, and sometimes erases it; true when the address stays. */
export async function sendAddress(world: World, shopperId: ShopperId, orderId: OrderId): Promise<boolean> {
  const { simulation, visits } = world
  const { random, sleep } = simulation
  const path = `/api/orders/${orderId}/delivery`
  const name = `Ann ${random.whole(1, 1000)}`
  const email = `${shopperId}@example.com`
  // The order is written a moment after it is reserved.
  for (let tries = 0; ; tries += 1) {
    const saved = await askForDelivery(world, forwardedRequest(shopperId, 'PUT', path, { ...berlin, name, email }))
    if (saved.statusCode === 200) break
    if (saved.statusCode !== 404 || tries === 20) return false
    await sleep(random.spread(500, 5000))
  }
  visits.recipients.set(orderId, name)
  visits.emails.set(shopperId, email)
  if (random.chance(0.2)) await unsubscribe(world, shopperId)
  if (random.chance(0.7)) return true
  await sleep(lateMs)
  const erased = await askForDelivery(world, forwardedRequest(shopperId, 'DELETE', path))
  if (erased.statusCode !== 200) return true
  visits.recipients.set(orderId, undefined)
  if (random.chance(0.5)) return false
  await askForDelivery(world, forwardedRequest(shopperId, 'DELETE', '/api/contact'))
  visits.emails.set(shopperId, undefined)
  return false
}

/** Unsubscribes by the link of an email, without a session. */
async function unsubscribe(world: World, shopperId: ShopperId): Promise<void> {
  const token = await personalData(world.simulation.now).sealer.seal(unsubscribeSeal, { shopperId })
  const request = forwardedRequest(undefined, 'POST', unsubscribePath(token))
  await askUntilAnswered(world.simulation, world.functions.delivery, unsubscribeApp, request)
}

export async function readAddress(world: World, shopperId: ShopperId, orderId: OrderId) {
  const answer = await askForDelivery(world, forwardedRequest(shopperId, 'GET', `/api/orders/${orderId}/delivery`))
  return deliveryApi.getDelivery.answer.parse(JSON.parse(answer.body))
}

function askForDelivery({ simulation, functions }: World, request: HttpRequest): Promise<HttpAnswer> {
  return askUntilAnswered(simulation, functions.delivery, deliveryApp, request)
}

const berlin = {
  ...{ addressLines: ['Torstraße 1'], locality: 'Berlin', postalCode: '10119', postalCountry: 'DE' },
  ...{ phone: '030 8061 5040', language: 'en' },
} satisfies Omit<DeliveryRequest, 'name' | 'email'>
