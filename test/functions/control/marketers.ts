/** Two marketers of one sale, each with a function of their own over the stores of one rig. */

import { countdownOf, countdownPath, countdownSource, pointerOf, pointerPath } from '../../../core/sale/pointer.ts'
import { allUnits, variantsSoldOut } from '../../../core/sale/variants.ts'
import { stockParts } from '../../../core/stock/divided-units.ts'
import { isFree, unitsOfSale } from '../../../core/stock/escrow.ts'
import type { ControlRoutePorts } from '../../../functions/control/routes.ts'
import { controlApp } from '../../../functions/control/routes.ts'
import { reconcile } from '../../../functions/repair/reconcile.ts'
import { createPublisher } from '../../../functions/sales/publishing/publisher.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { findDeletedSale, findSale } from '../../../functions/table/sale/sales.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { itemsOf, onWireAt, verbOf } from '../../../proof/simulation/dynamodb/wire.ts'
import { nameOfCommand } from '../../../proof/simulation/parts/redis.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { withPool } from '../../../proof/stock-counts.ts'
import type { Commander, Stocks } from '../../../redis/command.ts'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'
import { gateFactsOf } from '../../../redis/gate/gate.ts'
import { readSaleIds } from '../../../redis/gate/shared-lists.ts'
import { hasReturnableUnits, readStock } from '../../../redis/stock/stock.ts'
import { stockDefinition } from '../../../redis/stock/stock-definition.ts'
import type { ReplayedRedis } from '../../redis/replayed.ts'
import { phone } from '../../world/stock-record.ts'
import { type World, world } from '../../world/world.ts'
import type { Played, Schedule } from './schedules.ts'

const hour = 3_600_000

/** The state of the sale before the two begin. */
const beginnings = {
  'no sale': async () => undefined,
  'a draft': async (rig) => void (await rig.create(twoEach)),
  'a warmed sale': async (rig) => {
    await rig.create(twoEach)
    await rig.act('warm')
  },
  'an open sale': async (rig) => void (await rig.open(twoEach)),
  'a paused sale': async (rig) => {
    await rig.open(twoEach)
    await rig.act('pause')
  },
  'a sold out sale': async (rig) => {
    await rig.open({ ...twoEach, stock: 1 })
    await rig.sell(1)
    await reconcileOnce(rig)
  },
  'an open sale that Redis has lost': async (rig) => {
    await rig.open(twoEach)
    await rig.sell(1)
    await rig.loseStock()
  },
  'a sale between two windows': async (rig) => {
    const { now } = rig.clock
    const windows = [0, 3].map((later) => ({
      ...{ startsAt: now + later * hour, endsAt: now + (later + 1) * hour },
      stock: 10,
    }))
    await rig.open({ ...twoEach, ...windows[0], windows })
    rig.clock.now += 2 * hour
    await reconcileOnce(rig)
  },
  'an open sale with variants': async (rig) => {
    await rig.open({ ...twoEach, stock: undefined, variants: [{ ...s, stock: 1 }, m] })
    await rig.buy(1, { quantity: 1, variant: 's' })
    await rig.deliver()
    await reconcileOnce(rig)
  },
  'an open split sale': async (rig) => {
    await rig.open({ ...twoEach, shards: 2 })
    await rig.sell(1)
    await reconcileOnce(rig)
  },
} satisfies Record<string, (rig: World) => Promise<void>>

export type Beginning = keyof typeof beginnings

const twoEach = { limitPerShopper: 2, maxPerOrder: 2 }

const s = { id: 's', name: 'Small', stock: 4 }
const m = { id: 'm', name: 'Medium', stock: 6 }

type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

/** `nth` distinguishes the two when their requests differ. */
export const actions = {
  create: (ask, rig) => ask('POST', '/sales', rig.definition(twoEach)),
  patch: async (ask, rig, nth) => {
    const isStarted = ((await rig.stockRecord())?.epoch ?? 0) > 0
    const throttle = { perShopper: { limit: 7 + nth, windowSeconds: 60 } }
    const limits = isStarted ? {} : { limitPerShopper: 1, maxPerOrder: 1 }
    return ask('PATCH', '/sales/phone', { ...limits, throttle, minLevel: 1 + nth })
  },
  warm: (ask) => ask('POST', '/sales/phone/warm'),
  start: (ask) => ask('POST', '/sales/phone/start', { now: true }),
  pause: (ask) => ask('POST', '/sales/phone/pause'),
  resume: (ask) => ask('POST', '/sales/phone/resume'),
  close: (ask) => ask('POST', '/sales/phone/close'),
  stock: async (ask, rig, nth) => {
    const variant = (await findSale(rig.table, phone))?.sale.variants?.[0]?.id
    return ask('POST', '/sales/phone/stock', { delta: nth === 0 ? 5 : -1, variant })
  },
  recover: (ask) => ask('POST', '/sales/phone/recover'),
  delete: (ask) => ask('DELETE', '/sales/phone'),
  'pause all': (ask) => ask('POST', '/pause', {}),
  'resume all': (ask) => ask('POST', '/resume', {}),
} satisfies Record<string, (ask: Ask, rig: World, nth: number) => Promise<unknown>>

export type Action = keyof typeof actions

/** The first marketer's process dies at that call, counted from 0; `reached` is whether there was one. */
export type Crash = { at: number; reached: boolean }

/** `schedule` in which the first marketer crashes. */
function crashing(schedule: Schedule, crash: Crash): Schedule {
  let calls = 0
  return {
    ...schedule,
    gated(actor, name, call, isReady) {
      // A lock of the dead process is never released.
      const mayGo: typeof isReady = (...args) => crash.reached || (isReady?.(...args) ?? true)
      const waiting = schedule.gated(actor, name, call, mayGo)
      return async (...args) => {
        if (actor !== 0) return waiting(...args)
        calls += 1
        if (calls <= crash.at) return waiting(...args)
        crash.reached = true
        return schedule.crash(actor)
      }
    },
  }
}

/** A world in which both act at once. `check` is called at the end of every schedule. */
export async function openWorld(
  redis: ReplayedRedis,
  plain: Schedule,
  beginning: Beginning,
  both: readonly Action[],
  check: (rig: World, path: readonly string[]) => Promise<void>,
  crash?: Crash,
): Promise<Played> {
  const schedule = crash === undefined ? plain : crashing(plain, crash)
  const rig = await world({ redis, databases: beginning === 'an open split sale' ? 2 : 1 })
  // The list of sales is kept, and no filter of it is published: that draws a key.
  rig.gate.replace('hmget:versions', ['1', '1', '1'])
  await beginnings[beginning](rig)
  for (const [nth, action] of both.entries()) {
    const ports = portsOf(schedule, rig, nth)
    const ask: Ask = async (method, path, body) => {
      const headers = { 'x-shopper-roles': 'marketer', 'idempotency-key': `change-${nth}` }
      const { statusCode } = await answerTo(
        controlApp(ports),
        forwardedRequest('mia', method, `/api/control${path}`, body, headers),
      )
      return statusCode
    }
    schedule.begin(nth, () => actions[action](ask, rig, nth))
  }
  const atEnd = (path: readonly string[]) => {
    rig.clock.now += laterMs
    return check(rig, path)
  }
  return { stores: () => storesOf(rig, redis), atEnd, settled: redis.settled }
}

/** The commands that wait for the schedule. */
const stockCommands = new Set(['warm', 'add-stock', 'unlink:stock', 'hmget:stock', 'freeze', 'recount', 'unfreeze'])
const gateCommands = new Set(['gate', 'publish-stock', 'hmget:gate'])

/**
 * The ports as one function has them. The calls that wait for the schedule are those that read or write the sale, its stock,
 * the gate, the pointer and the lock. Left out are those whose outcome no other part of an action depends on: pages, the
 * catalogue (though it is kept), admissions and the queue, which have their own tests. Each function has its own clock, which
 * only its own sleep moves, and names that do not depend on the other's.
 */
function portsOf({ gated, forgetting }: Schedule, rig: World, nth: number): ControlRoutePorts {
  const { ports } = rig
  let slept = 0
  let made = 0
  const nextId = (what: string) => {
    made += 1
    return `${what}-${nth}-${made}`
  }
  const clock = () => rig.clock.now + slept
  const stock: Stocks = {
    ...ports.stock,
    exec: (command) => {
      const name = nameOfCommand(command)
      return stockCommands.has(name) ? gated(nth, name, ports.stock.exec)(command) : ports.stock.exec(command)
    },
  }
  const gateStore: Commander = {
    async exec(command) {
      const name = nameOfCommand(command)
      // A caller that times out changes nothing; one that gets the lock continues after the other.
      if (name === 'set:lock') return gated(nth, name, ports.gate.exec, () => rig.lockHolder() === undefined)(command)
      if (gateCommands.has(name)) return gated(nth, name, ports.gate.exec)(command)
      const reply = await ports.gate.exec(command)
      // No action waits until every gate has a new sale: a changed list (1) is replied as an unchanged one (2).
      if (name !== 'list-sale' || !Array.isArray(reply) || reply[0] !== 1) return reply
      const [, , filter, list] = reply
      return [2, list, filter]
    },
  }
  const table = onWireAt(ports.table, /^(?:get|transact) (?:SALE|ESCROW)\b|^query SALES$/, (send, command) =>
    gated(nth, `${verbOf(command)} ${itemsOf(command)[0]}`, send)(),
  )
  const publisher = createPublisher({
    // Two publishers of an entry at once: edge-entries.test.ts.
    ...{ edgeStore: ports.edgeStore, gate: ports.gate, meter: ports.meter, log: ports.log },
    site: {
      ...rig.site,
      put: (object) =>
        object.path === pointerPath(phone) ? gated(nth, 'site.put', rig.site.put)(object) : rig.site.put(object),
      remove: (path) =>
        path === pointerPath(phone) ? gated(nth, 'site.remove', rig.site.remove)(path) : rig.site.remove(path),
    },
    stock,
    table,
    templates: {
      salePage: () => '',
      indexPage: () => '',
      stablePage: () => '',
    },
    clock,
  })
  return {
    ...ports,
    table,
    stock,
    gate: gateStore,
    publisher: {
      ...publisher,
      pointer: (saleId) => forgetting(nth, 'pointer', async () => void (await publisher.pointer(saleId))),
      page: async () => undefined,
      index: async () => undefined,
    },
    newToken: () => nextId('token').padEnd(43, '_'),
    newId: () => nextId('id'),
    clock,
    sleep: async (milliseconds) => {
      slept += milliseconds
    },
  }
}

/** Admissions, and the versions of lists, make no difference to an action; a lock expires by the clock of the rig. */
const isLeftOut = (key: string) => /:admissions$|^lock:|:versions$/.test(key)

/** All that an action can read from the stores, as text. */
async function storesOf(rig: World, redis: ReplayedRedis): Promise<string> {
  return JSON.stringify([
    await findSale(rig.table, phone),
    await saleTotals(rig.table.table, phone),
    await findEscrow(rig.ports.table, phone),
    redis.text(isLeftOut),
    rig.lockHolder(),
    rig.site.objects.get(pointerPath(phone))?.body,
    [...rig.site.objects.keys()].length,
  ])
}

/** Longer than any sleep. */
const laterMs = 60_000

/** `isTurn`: each sale is compared in full, as happens once in ten minutes. */
export const reconcileOnce = (rig: World, { isTurn } = { isTurn: false }) =>
  reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: 900_000, full: isTurn }, rig.clock.now + 25_000)

/** How the other stores differ from the table: empty when all agree. */
export async function disagreements(rig: World): Promise<string[]> {
  const found: string[] = []
  const same = (what: string, is: unknown, wanted: unknown) => {
    const [seen, expected] = [JSON.stringify(is), JSON.stringify(wanted)]
    if (seen !== expected) found.push(`${what} is ${seen} and not ${expected}`)
  }
  const record = await findSale(rig.table, phone)
  const stock = await readStock(rig.stocks, phone)
  const facts = await rig.facts()
  if (record === undefined) {
    const isGone = (await findDeletedSale(rig.table, phone)) !== undefined
    same('the stock of no sale', stock, undefined)
    same('the flag of no sale at the gate', facts?.flag, isGone ? 'closed' : undefined)
    same('the pointer of no sale', rig.site.objects.get(pointerPath(phone))?.body, undefined)
    same('its place in the catalogue', (await readSaleIds(rig.redis)).includes(phone), false)
    return found
  }
  const { sale, pendingStock } = record
  const escrow = await findEscrow(rig.ports.table, phone)
  const inPool = allUnits(escrow?.pool ?? {})
  const available = stock === undefined ? (sale.warmed ? 0 : sale.stock) : stock.available + inPool
  same('the change under way', pendingStock, undefined)
  if (sale.warmed) {
    same('the stock', stock?.definition, stockDefinition(sale))
    same('the total', stock && stock.total + inPool, sale.stock)
    if (escrow !== undefined) same('the units in the escrow', unitsOfSale(escrow), stockParts(sale))
    same('shards that are not free', escrow?.shards.filter((shard) => !isFree(shard)) ?? [], [])
    same('sold out at the gate', facts?.soldOut, available === 0)
    const totals = await saleTotals(rig.table.table, phone)
    same('the cap', totals?.remaining, sale.stock - (totals?.sold ?? 0))
  } else {
    same('the stock of a draft', stock, undefined)
  }
  if (sale.warmed || facts !== undefined) {
    const { saleId, ...expected } = gateFactsOf(sale, { frozen: false })
    const { soldOut, soldOutRevision, restockedRevision, freezes, soldOutVariants, ...published } = facts ?? {}
    same('the gate', published, expected)
    const gone = facts === undefined ? [] : variantsSoldOut({ ...facts, soldOutVariants })
    const counted = stock && withPool(stock, escrow?.pool).variants
    const there = gone.filter((id) => counted?.[id]?.left !== 0)
    same('variants called sold out at the gate while there are some', there, [])
  }
  const body = JSON.parse(rig.site.objects.get(pointerPath(phone))?.body ?? 'null')
  const shown = stock && withPool(stock, escrow?.pool).variants
  const variants = shown && Object.fromEntries(Object.entries(shown).map(([id, { left }]) => [id, Math.max(0, left)]))
  const mayRestock = stock !== undefined && hasReturnableUnits(stock)
  const pointer = pointerOf(sale, rig.clock.now, available, { variants, mayRestock })
  same('the pointer', body, { ...pointer, at: body?.at })
  const countdown = rig.site.objects.get(countdownPath(phone, sale.version))?.body
  same('the countdown', countdown, countdownSource(countdownOf(sale, armedTokenOf)))
  return found
}
