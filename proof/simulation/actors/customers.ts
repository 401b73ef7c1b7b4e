/**
 * The shop's own customers, who buy with tokens that their shop has signed. Meanwhile the shop rotates its key, and a
 * marketer blocks the former key and one of the customers. An impostor signs tokens in their names.
 */
import { createPublicKey, type KeyObject } from 'node:crypto'
import type { ShopperId } from '../../../core/ids.ts'
import { customerId } from '../../../core/people/customer-keys.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { readCustomerKeys } from '../../../functions/lib/customer-jwks.ts'
import {
  type CustomerRecord,
  customerIssuer,
  customerSigningKey,
  customerToken,
  openCustomerGate,
} from '../parts/customer-gate.ts'
import type { World } from '../world.ts'
import { drawIntent, runShopper } from './shopper.ts'
import { askConsole, lateMs } from './staff.ts'

const keys = {
  former: customerSigningKey('former'),
  present: customerSigningKey('present'),
  foreign: customerSigningKey('foreign'),
}

const jwkOf = (key: KeyObject) => ({ ...createPublicKey(key).export({ format: 'jwk' }) })

/** Starts the customers, the rotation of the key and the blocks, in a sale of goods or coupons. */
export async function runCustomers(world: World, sale: Sale): Promise<void> {
  const { simulation } = world
  const { random, spawn, sleep } = simulation
  const names = Array.from({ length: random.whole(3, 8) }, (_, at) => `c-${at + 1}`)
  const subjects = new Map(names.map((subject) => [subject, world.newShopper(idOf(subject))]))
  const record: CustomerRecord = { subjects, key: keys.former, blocked: {} }
  world.customers = record
  spawn('impostor', () => runImpostor(world, names))
  for (const [subject, shopperId] of subjects) {
    const intent = { ...drawIntent(world, shopperId, sale), passesGate: true, isDoubled: false }
    spawn(shopperId, () => runShopper(comingAs(world, record, subject), intent))
  }
  await publishKey(world, record, keys.former)
  await sleep(lateMs)
  await publishKey(world, record, keys.present)
  await sleep(lateMs)
  const [former] = keysOf(keys.former)
  await put(world, `blocklist/session-key/${former?.id}`)
  record.blocked.key = keys.former
  const subject = random.pick(names)
  await put(world, `blocklist/shopper/${idOf(subject)}`)
  record.blocked.subject = subject
}

function idOf(subject: string): ShopperId {
  const shopperId = customerId(customerIssuer.name, subject)
  if (shopperId === undefined) throw new Error('a customer needs an id')
  return shopperId
}

function keysOf(key: KeyObject) {
  const read = readCustomerKeys([jwkOf(key)])
  if ('failure' in read) throw new Error(`a key of the shop ${read.failure}`)
  return read
}

/** Publishes a key; the shop signs with it once the call is answered. */
async function publishKey(world: World, record: CustomerRecord, key: KeyObject): Promise<void> {
  const { name, url } = customerIssuer
  await put(world, `customer-issuers/${name}`, { issuer: url, jwks: { keys: [jwkOf(key)] } })
  world.visits.issuers.set(name, true)
  record.key = key
}

async function put(world: World, path: string, body?: object): Promise<void> {
  const { statusCode } = await askConsole(world, path, { method: 'PUT', ...(body !== undefined && { body }) })
  if (statusCode >= 300) world.violated(`PUT ${path} was answered ${statusCode} (console)`)
}

/** Returns the world with a gate that verifies a token of the customer at each request. */
function comingAs(world: World, record: CustomerRecord, subject: string): World {
  const { now } = world.simulation
  const pass: World['gate']['pass'] = async (variant) => {
    const shopperId = await world.customerGate.shopperOf(customerToken(record.key, subject, now()))
    if (shopperId === undefined) return undefined
    if (shopperId !== record.subjects.get(subject)) world.violated(`the token of ${subject} let ${shopperId} in (R1)`)
    return world.gate.pass(variant)
  }
  return { ...world, gate: { ...world.gate, pass } }
}

async function runImpostor(world: World, names: readonly string[]): Promise<void> {
  const { random, sleep, now } = world.simulation
  for (let tries = random.whole(2, 10); tries > 0; tries -= 1) {
    await sleep(random.spread(100, 20_000))
    const shopperId = await world.customerGate.shopperOf(customerToken(keys.foreign, random.pick(names), now()))
    if (shopperId !== undefined) world.violated(`a foreign key let ${shopperId} in (R1)`)
  }
}

/** Compares the tokens that a new instance of the gate accepts with those that it should accept. */
export async function checkCustomers({ customers, redis, simulation, violated }: World): Promise<void> {
  if (customers === undefined) return
  const { subjects, key, blocked } = customers
  const gate = openCustomerGate(redis, simulation.now)
  for (const [subject, shopperId] of subjects) {
    const accepted = await gate.shopperOf(customerToken(key, subject, simulation.now()))
    const expected = subject === blocked.subject ? undefined : shopperId
    if (accepted !== expected) violated(`the token of ${subject} lets ${accepted} in at rest, not ${expected} (R8)`)
    if (blocked.key === undefined) continue
    const late = await gate.shopperOf(customerToken(blocked.key, subject, simulation.now()))
    if (late !== undefined) violated(`a blocked key lets ${late} in at rest (R8)`)
  }
}
