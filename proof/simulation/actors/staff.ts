/**
 * The shop's staff: they place orders for shoppers, report shipments, and after a sale search orders and change brand,
 * lists and drafts. Each change is repeated until it is answered.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { controlApi } from '../../../core/api/control-answers.ts'
import { shipmentStatuses } from '../../../core/api/shipment-lines.ts'
import { type OrderId, parseSaleId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import { type SaleDefinition, saleDefinition } from '../../../core/sale/sale.ts'
import { controlApp } from '../../../functions/control/routes.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { personalControlApp } from '../../../functions/people/personal-data-routes.ts'
import { customersPk } from '../../../functions/table/keys.ts'
import { forwardedRequest, isFinal, member, sendRequest } from '../parts/requests.ts'
import { issuerKey } from '../shared-ports.ts'
import type { World } from '../world.ts'
import { sendCommand, sendCommandUntilFinal } from './marketer.ts'
import { drawUnits } from './shopper.ts'

/** A write that timed out may take effect up to this many ms later. Staff wait that long before they undo a change. */
export const lateMs = 25_000

type Asked = { method?: string; body?: object }

/** Calls that the function with personal data answers. */
const personal = /^(?:sales\/[^/]+\/orders\.csv|orders(?:\/find)?)(?:\?|$)/

/** Reasons of a refusal because of a concurrent call. */
const transientReasons: readonly unknown[] = ['stock-busy', 'changed-meanwhile']

/** Repeats a marketer's call until its answer is final and not a refusal because of a concurrent call. */
export async function askConsole(
  world: World,
  path: string,
  { method = 'GET', body }: Asked = {},
): Promise<HttpAnswer> {
  const { simulation, functions } = world
  const request = forwardedRequest('marketer', method, `/api/control/${path}`, body, { 'x-shopper-roles': 'marketer' })
  for (;;) {
    const answer = personal.test(path)
      ? await sendRequest(simulation, functions.delivery, (ports) => personalControlApp(ports, []), request)
      : await sendRequest(simulation, functions.control, controlApp, request)
    if (isFinal(answer) && (answer.statusCode !== 409 || !transientReasons.includes(member(answer, 'reason'))))
      return answer
    await simulation.sleep(simulation.random.spread(500, 5000))
  }
}

/** Returns the JSON of an answer that must be a success. */
async function askJson(world: World, path: string, asked?: Asked): Promise<unknown> {
  const answer = await askConsole(world, path, asked)
  if (answer.statusCode >= 300) {
    world.violated(`${asked?.method ?? 'GET'} ${path} was answered ${answer.statusCode} ${answer.body} (console)`)
    return undefined
  }
  return JSON.parse(answer.body)
}

/** `name` is unique to the visitor, so no other changes the same objects. */
type Task = (world: World, name: string) => Promise<void>

const tasks: readonly Task[] = [renameShop, draft, block, addIssuer, readConsole, findPlacedOrder]

export async function runStaff(world: World, desk: number): Promise<void> {
  const { random, sleep } = world.simulation
  for (let left = random.whole(2, 5); left > 0; left -= 1) {
    await sleep(random.spread(100, 20_000))
    await random.pick(tasks)(world, `${desk}-${left}`)
  }
}

/** Renames the shop; after a conflict with another marketer it reads the brand again. */
async function renameShop(world: World, name: string): Promise<void> {
  const { brands } = world.visits
  for (let tries = 0; tries < 3; tries += 1) {
    const { revision, brand } = controlApi.getBrand.answer.parse(await askJson(world, 'brand'))
    const body = { revision, brand: { ...brand, name: `Shop ${name}` } }
    const answer = await askConsole(world, 'brand', { method: 'PUT', body })
    if (answer.statusCode === 200) return void brands.set(revision + 1, `Shop ${name}`)
    // A change whose answer was lost may have taken effect, so it is sent again.
    if (answer.statusCode !== 409) return void (await askJson(world, 'brand', { method: 'PUT', body }))
  }
}

/** Creates a sale that never starts, and sometimes deletes it; its id cannot be used again. */
async function draft(world: World, name: string): Promise<void> {
  const { simulation, visits } = world
  const { random, sleep } = simulation
  const definition = await draftOf(world, name)
  const { saleId } = definition
  await askJson(world, 'sales', { method: 'POST', body: definition })
  visits.sales.set(saleId, true)
  if (random.chance(0.5)) await askJson(world, `sales/${saleId}`, { method: 'PATCH', body: { title: 'A desk' } })
  if (random.chance(0.4)) return
  await sleep(lateMs)
  await askJson(world, `sales/${saleId}`, { method: 'DELETE' })
  visits.sales.set(saleId, false)
  const again = await askConsole(world, 'sales', { method: 'POST', body: definition })
  if (again.statusCode < 300) world.violated(`${saleId} was deleted and created again (console)`)
}

async function draftOf(world: World, name: string): Promise<SaleDefinition> {
  const saleId = parseSaleId(`${world.saleId}-draft-${name}`)
  if (saleId === undefined) throw new Error('a sale needs an id')
  return goodsSale(world, saleId, { startsAt: world.simulation.now() + 3_600_000 })
}

/** Defines a sale of few goods for a month. */
export function goodsSale(world: World, saleId: SaleId, change: Partial<SaleDefinition>): SaleDefinition {
  const { startsAt = world.simulation.now() } = change
  return saleDefinition.parse({
    ...{ kind: 'goods', saleId, title: 'A table', description: 'For later.', currency: 'EUR', price: 100 },
    ...{ stock: 5, limitPerShopper: 1, maxPerOrder: 1, startsAt, endsAt: startsAt + 30 * 86_400_000 },
    pictures: [{ src: '/assets/lamp.svg', alt: 'The product' }],
    ...change,
  })
}

async function block(world: World, name: string): Promise<void> {
  const { simulation, visits } = world
  const shopper = `rude-${name}`
  for (const isBlocked of simulation.random.pick([[true], [true, true], [true, false], [false]])) {
    await askJson(world, `blocklist/shopper/${shopper}`, { method: isBlocked ? 'PUT' : 'DELETE' })
    visits.blocked.set(shopper, isBlocked)
    await simulation.sleep(lateMs)
  }
}

/** Older than the maximum age of keys that were read at an address. */
const hourMs = 3_600_000

/**
 * Adds an issuer of customers, with its keys or with an address whose keys are due to be read again, and sometimes
 * deletes it. A 409 means that others have added the maximum.
 */
async function addIssuer(world: World, name: string): Promise<void> {
  const { simulation, visits } = world
  const issuer = `crm-${name}`
  const url = `https://${issuer}.example`
  const isPasted = simulation.now() % 2 === 0
  const keys = isPasted ? { jwks: { keys: [issuerKey] } } : { jwksUrl: `${url}/keys` }
  const body = { issuer: url, ...keys }
  const { statusCode } = await askConsole(world, `customer-issuers/${issuer}`, { method: 'PUT', body })
  if (statusCode === 409) return
  if (statusCode !== 200) return world.violated(`${issuer} was answered ${statusCode} (console)`)
  visits.issuers.set(issuer, true)
  if (!isPasted) await simulation.runExclusively(() => makeKeysDue(world, issuer))
  if (simulation.random.chance(0.5)) return
  await simulation.sleep(lateMs)
  await askJson(world, `customer-issuers/${issuer}`, { method: 'DELETE' })
  visits.issuers.set(issuer, false)
}

async function makeKeysDue({ truth, simulation }: World, issuer: string): Promise<void> {
  const { client, name: TableName } = truth.table
  const UpdateExpression = 'SET savedAt = :before, checkedAt = :before'
  const ExpressionAttributeValues = { ':before': simulation.now() - hourMs }
  const Key = { pk: customersPk, sk: issuer }
  await client.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }))
}

/** Reads the first screens of the console. Their exact content is checked at rest. */
async function readConsole(world: World): Promise<void> {
  const { saleId, violated } = world
  const live = controlApi.getLive.answer.parse(await askJson(world, `sales/${saleId}/live`))
  if (live.sale.saleId !== saleId) violated(`the live numbers of ${saleId} are those of ${live.sale.saleId} (console)`)
  const { sales } = controlApi.listSales.answer.parse(await askJson(world, `sales?find=${saleId}`))
  if (!sales.some((sale) => sale.saleId === saleId)) violated(`a search does not find ${saleId} (console)`)
  for (const path of ['me', 'databases', 'blocklist', 'audit']) await askJson(world, path)
}

/** Searches an order by its id and by its shopper; orders of packets by id only. */
async function findPlacedOrder(world: World): Promise<void> {
  const { simulation, truth, saleId, violated } = world
  const orders = truth.orders(saleId)
  if (orders.length === 0) return
  const { orderId, shopperId, packet } = simulation.random.pick(orders)
  for (const find of packet ? [orderId] : [orderId, shopperId]) {
    const found = controlApi.findOrders.answer.parse(
      await askJson(world, 'orders/find', { method: 'POST', body: { find } }),
    )
    // The list of a shopper lags by seconds, and this order is older.
    const isFound = (id: OrderId) => found.orders.some((order) => order.orderId === id)
    if (!isFound(orderId) && found.next === null) violated(`a search for ${find} does not find ${orderId} (console)`)
  }
}

/** Sometimes more than the sale has units. */
const maxOrders = 12

/** Places each order once or twice; some share one key. */
export async function runStaffOrders(world: World): Promise<void> {
  const { simulation, saleId, reservations } = world
  const { random, sleep } = simulation
  await sleep(random.spread(1, 20_000))
  const sale = await world.sale()
  for (let at = random.whole(1, maxOrders); at > 0; at -= 1) {
    const shopperId = drawShopper(world)
    const key = `staff-${random.chance(0.9) ? at : 0}`
    const wanted = drawUnits(random, sale, random.whole(1, sale.maxPerOrder))
    const order = { shopperId, key, ...wanted }
    for (let calls = random.pick([1, 1, 2]); calls > 0; calls -= 1) {
      for (let tries = 0; tries < 6; tries += 1) {
        const answer = await sendCommand(world, `sales/${saleId}/orders`, order, {
          onAnswer: (heard) => reservations.recordPlaced(shopperId, key, heard, wanted),
        })
        if (answer !== undefined && answer.statusCode < 500) break
        await sleep(random.spread(500, 10_000))
      }
    }
  }
}

/** Draws a new shopper, or sometimes one who is buying at the same time. */
function drawShopper(world: World): ShopperId {
  const { random } = world.simulation
  return random.chance(0.8) || world.shoppers.length === 0 ? world.newShopper() : random.pick(world.shoppers)
}

/** Maximum lines of a report. */
const maxLines = 6

/** Reports shipments up to six times while the sale runs; an order may be refunded at the same time. */
export async function runWarehouse(world: World): Promise<void> {
  const { simulation, saleId, reservations } = world
  const { random, sleep } = simulation
  for (let reports = random.whole(2, 6); reports > 0; reports -= 1) {
    await sleep(random.spread(2000, 100_000))
    const orderIds = [...reservations.reserved.keys()]
    if (orderIds.length === 0) continue
    const lines = Array.from({ length: random.whole(1, maxLines) }, () => ({
      orderId: random.pick(orderIds),
      carrier: random.pick(['DHL', 'SF Express']),
      ...(random.chance(0.9) && { tracking: `N${random.whole(1, 2)}` }),
      status: random.pick(shipmentStatuses),
    }))
    const report = () => sendCommandUntilFinal(world, `sales/${saleId}/shipments`, { lines })
    const refund = () => sendCommandUntilFinal(world, `orders/${random.pick(lines).orderId}/refund`)
    if (random.chance(0.4)) await Promise.all([report(), refund()])
    else await report()
    if (random.chance(0.2)) await report()
    if (random.chance(0.3)) await refund()
  }
}
