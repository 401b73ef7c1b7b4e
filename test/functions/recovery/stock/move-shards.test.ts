/** A database of a split sale is lost for good: its shard moves to another one, and no unit is lost or sold twice. */

import { beforeEach, describe, expect, it } from 'vitest'
import { admissionExpiryMs } from '../../../../core/gate/admission.ts'
import type { SaleId } from '../../../../core/ids.ts'
import { allUnits } from '../../../../core/sale/variants.ts'
import { shardNumberOf } from '../../../../core/stock/hash-slot.ts'
import { formerPlacementMs, placementCacheMs } from '../../../../core/stock/placement.ts'
import { recoverSale } from '../../../../functions/control/repair-actions.ts'
import { emptyQueueMs } from '../../../../functions/recovery/stock/held-back.ts'
import { reconcile } from '../../../../functions/repair/reconcile.ts'
import { replenishAdmissions } from '../../../../functions/sales/admissions.ts'
import { createBalancer } from '../../../../functions/sales/balancer.ts'
import { saleTotals } from '../../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../../functions/table/sale/sales.ts'
import { findEscrow } from '../../../../functions/table/stock/escrows.ts'
import { reserve } from '../../../../redis/buy/reserve.ts'
import type { Stocks } from '../../../../redis/command.ts'
import { joinDatabases } from '../../../../redis/databases.ts'
import { readDatabases } from '../../../../redis/gate/gate.ts'
import { admissionsKey, lockKey, stockKeys } from '../../../../redis/keys.ts'
import { acknowledgeOrders } from '../../../../redis/orders/outbox.ts'
import { readShards } from '../../../../redis/stock/stock.ts'
import { orderIdOf, raw, shopperIdOf } from '../../../redis/support.ts'
import { type TestStore, testStore, useRedis } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { type World, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff } from '../cut-off.ts'
import { atEachCut } from '../each-cut.ts'

const names = ['one', 'two', 'three'] as const
type Name = (typeof names)[number]

const gateServer = useRedis()
const servers = { one: useRedis(), two: useRedis(), three: useRedis() }

let rig: World
let stores: Record<Name, TestStore>
/** The stocks as a function without a table sees them. */
let shop: Stocks
beforeEach(() => start())

async function start(): Promise<void> {
  for (const name of names) await raw(servers[name], 'FLUSHALL')
  rig = await world({ redis: gateServer })
  stores = { one: testStore(servers.one), two: testStore(servers.two), three: testStore(servers.three) }
  shop = join((saleId) => readDatabases(gateServer, saleId))
  rig.ports.stock = join(async (saleId) => (await findSale(rig.table, saleId))?.sale.databases)
  useDatabases(names)
}

function useDatabases(some: readonly Name[]): void {
  rig.ports.databases = async () => some.map((name) => ({ name, commandsPerSecond: 10_000 }))
  rig.ports.databaseNamed = async (name) => storeOf(name)
}

function storeOf(name: string | undefined): TestStore {
  const known = names.find((one) => one === name)
  if (known === undefined) throw new Error(`there is no database ${name}`)
  return stores[known]
}

/** All databases as one client, which remembers the places of a sale as a function does. */
function join(placements: (saleId: SaleId) => Promise<readonly string[] | undefined>): Stocks {
  const databases = { all: async () => names.map(storeOf), named: async (name: string) => storeOf(name) }
  const remembered = new Map<SaleId, { placed: readonly string[]; until: number }>()
  return joinDatabases(databases, async (saleId) => {
    const known = remembered.get(saleId)
    if (known !== undefined && rig.clock.now < known.until) return known.placed
    const placed = (await placements(saleId)) ?? []
    remembered.set(saleId, { placed, until: rig.clock.now + placementCacheMs })
    return placed
  })
}

/** Shopper number `shopper` asks for one unit; the message is in the queue. */
async function take(shopper: number): Promise<string> {
  const { startToken } = await rig.sale()
  const outcome = await reserve(shop, {
    ...{ orderId: orderIdOf(phone, shopper, 1), saleId: phone, shopperId: shopperIdOf(shopper) },
    ...{ quantity: 1, startToken: startToken ?? '', now: rig.clock.now, requestId: 'request' },
  })
  if (outcome.kind === 'reserved') rig.queue.messages.push(outcome.message)
  return outcome.kind
}

/** Each of these shoppers asks, while the balancer moves units, until all have an order or both shards refuse them. */
async function sellTo(first: number, last: number): Promise<number> {
  const balancer = createBalancer(rig.ports)
  let won = 0
  const refusing = new Set<number>()
  for (let shopper = first; shopper <= last && refusing.size < 2; shopper += 1) {
    refusing.add(shardNumberOf(shopperIdOf(shopper), 2))
    for (let turn = 0; turn < 20; turn += 1) {
      const kind = await take(shopper).catch(() => 'unavailable')
      if (kind === 'reserved') {
        won += 1
        refusing.clear()
      }
      if (kind !== 'unavailable') break
      await balancer(await rig.sale())
      rig.clock.now += 200
    }
  }
  return won
}

async function write(): Promise<void> {
  const orders = rig.queue.messages.map(({ orderId, shopperId }) => ({ orderId, shopperId }))
  await rig.deliver()
  await acknowledgeOrders(rig.ports.stock, phone, orders)
}

async function openSplit(changes: object = {}): Promise<readonly string[]> {
  expect(await rig.open({ stock: 12, shards: 2, limitPerShopper: 1, maxPerOrder: 1, ...changes })).toMatchObject({
    status: 200,
  })
  const balancer = createBalancer(rig.ports)
  for (let round = 0; round < 4; round += 1) await balancer(await rig.sale())
  return (await rig.sale()).databases
}

const actor = { who: 'mia', requestId: 'request-1' }
const recover = () => rig.act('recover', {})
const reconcileOnce = () => reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: 0, full: true }, rig.clock.now + 25_000)

/** Waits until the gate's store knows everything that was booked and admitted. */
async function countAdmissions(): Promise<void> {
  for (const waitMs of [0, admissionExpiryMs]) {
    rig.clock.now += waitMs
    await replenishAdmissions(rig.ports, phone, await rig.sale())
  }
}

/** Waits until no earlier message can be in flight, so that held-back units are for sale again. */
async function untilNothingIsHeldBack(): Promise<void> {
  await write()
  for (let minute = 0; minute < 3; minute += 1) {
    rig.clock.now += emptyQueueMs
    await reconcileOnce()
  }
  expect(await counts()).toMatchObject({ heldBack: 0 })
}

/** The units of all shards, which must be those of the orders in the table. */
async function counts(): Promise<{ booked: number; heldBack: number; total: number }> {
  const shards = (await readShards(rig.ports.stock, phone)).flatMap((shard) => {
    if (shard === undefined || shard instanceof Error) throw new Error('a shard cannot be read')
    return [shard]
  })
  const escrow = await findEscrow(rig.ports.table, phone)
  const sum = (what: 'booked' | 'heldBack' | 'total') => shards.reduce((units, shard) => units + shard[what], 0)
  return { booked: sum('booked'), heldBack: sum('heldBack'), total: sum('total') + allUnits(escrow?.pool ?? {}) }
}

async function expectSoldExactly(units: number): Promise<void> {
  await write()
  expect(await saleTotals(rig.table.table, phone)).toMatchObject({ sold: units, remaining: 0 })
  expect(await counts()).toEqual({ booked: units, heldBack: 0, total: units })
}

/** The last shard of the sale, its database, and the database that has no shard of it. */
async function lastShard(): Promise<{ from: Name; free: Name; kept: readonly string[] }> {
  const placed = await openSplit()
  const kept = placed.slice(0, -1)
  const from = names.find((name) => name === placed.at(-1))
  const free = names.find((name) => !placed.includes(name))
  if (from === undefined || free === undefined) throw new Error('the sale is in every database')
  return { from, free, kept }
}

/** Loses the last shard after `sold` orders: its database does not answer. */
async function loseLastShard(sold: number): Promise<Awaited<ReturnType<typeof lastShard>>> {
  const shard = await lastShard()
  expect(await sellTo(1, sold)).toBe(sold)
  await write()
  stores[shard.from].goDown()
  return shard
}

/** Shoppers from `first` on buy the units that are left, once nothing is held back: those of all twelve. */
async function sellTheRest(first: number, left: number): Promise<void> {
  await untilNothingIsHeldBack()
  expect(await sellTo(first, first + 30)).toBe(left)
  await expectSoldExactly(12)
}

const keysIn = async (name: Name) => raw(servers[name], 'HGETALL', stockKeys(phone, 1).stock)

describe('the recovery that a marketer asks for', () => {
  it('moves a shard out of a database that does not answer, to one without a shard of the sale (P10, I1)', async () => {
    const { from, free, kept } = await loseLastShard(6)
    const before = await keysIn(from)
    const { status, body } = await recover()
    expect(status).toBe(200)
    expect(body).toMatchObject({ orders: 6, units: 6, movedShards: [{ shard: 1, from, to: free }] })
    const { databases, version } = await rig.sale()
    expect(databases).toEqual([...kept, free])
    expect(await rig.facts()).toMatchObject({ databases, version })
    expect(rig.audit().at(-1)).toMatchObject({
      ...{ who: 'mia', what: 'recover', saleId: phone },
      ...{ before: { databases: [...kept, from] }, after: { databases } },
    })
    expect(await counts()).toMatchObject({ total: 12, booked: 6 + body.heldBack })
    stores[from].comeUp()
    await sellTheRest(7, 6)
    expect((await rig.sale()).databases).toEqual([...kept, free])
    expect(await keysIn(from), 'the former database is used for nothing').toEqual(before)
  })

  it('moves a shard beside another one where no other database answers', async () => {
    useDatabases(['one', 'two'])
    const placed = await openSplit()
    await sellTo(1, 4)
    await write()
    storeOf(placed[1]).goDown()
    expect((await recover()).body).toMatchObject({ movedShards: [{ shard: 1, from: placed[1], to: placed[0] }] })
    expect((await rig.sale()).databases).toEqual([placed[0], placed[0]])
    await sellTheRest(5, 8)
  })

  it('holds nothing back of a sale of which nothing is lost, so that no shopper reads “sold out” meanwhile (P10)', async () => {
    await openSplit()
    expect(await sellTo(1, 2)).toBe(2)
    await write()
    await countAdmissions()
    expect((await recover()).body).toMatchObject({ orders: 2, units: 2, heldBack: 0 })
    expect(await sellTo(3, 30)).toBe(10)
    await expectSoldExactly(12)
  })

  it('holds back in each shard what the gate knows to be on the way, while nothing is lost (I1)', async () => {
    await openSplit()
    await countAdmissions()
    const second = Math.floor(rig.clock.now / 1000)
    for (const field of ['out', `b${second}`]) await raw(gateServer, 'HSET', admissionsKey(phone), field, '2')
    expect((await recover()).body).toMatchObject({ orders: 0, heldBack: 4 })
    await sellTheRest(1, 12)
  })

  it('moves nothing while all databases answer, or none does', async () => {
    const placed = await openSplit()
    expect((await recover()).body).toMatchObject({ movedShards: [] })
    for (const name of names) stores[name].goDown()
    await expect(recover()).rejects.toThrow()
    expect((await rig.sale()).databases).toEqual(placed)
  })

  it('moves nothing for a database that answers the second call', async () => {
    const placed = await openSplit()
    const done = storeOf(placed[1]).before('ping', () => {
      done()
      throw new Error('a moment of silence')
    })
    expect((await recover()).body).toMatchObject({ movedShards: [] })
  })

  it('moves a shard whose database is not in the list any more', async () => {
    const { from, free } = await lastShard()
    await sellTo(1, 6)
    await write()
    useDatabases(names.filter((name) => name !== from))
    expect((await recover()).body).toMatchObject({ movedShards: [{ shard: 1, from, to: free }] })
  })

  it('counts an order that a function takes at the former database while it still knows that one (I1, I4)', async () => {
    const { from } = await loseLastShard(4)
    // From here on the former database answers again, and functions have its address for two more seconds.
    const won: string[] = []
    const { sleep } = rig.ports
    rig.ports.sleep = async (milliseconds) => {
      if ((await rig.sale()).databases.includes(from)) return sleep(milliseconds)
      stores[from].comeUp()
      rig.ports.sleep = sleep
      for (let shopper = 5; shopper <= 8; shopper += 1) won.push(await take(shopper).catch(() => 'unavailable'))
      await sleep(milliseconds)
    }
    await take(4)
    expect((await recover()).status).toBe(200)
    expect(won).toContain('reserved')
    await untilNothingIsHeldBack()
    await sellTo(9, 40)
    await expectSoldExactly(12)
  })

  it('opens a moved shard only when no function can use its former database any more (I1)', async () => {
    const { free } = await loseLastShard(0)
    let published = Number.NaN
    let opened = Number.NaN
    rig.gate.after('gate', async () => {
      if ((await readDatabases(gateServer, phone))?.includes(free)) published = rig.clock.now
    })
    stores[free].before('unfreeze', () => {
      opened = rig.clock.now
    })
    expect((await recover()).status).toBe(200)
    expect(opened - published).toBeGreaterThanOrEqual(formerPlacementMs)
  })

  it('trusts no stock that it finds in the new database from an earlier time (I1)', async () => {
    const { from, free, kept } = await loseLastShard(2)
    await recover()
    await untilNothingIsHeldBack()
    expect(await sellTo(3, 8)).toBe(6)
    await write()
    stores[from].comeUp()
    stores[free].goDown()
    const atHomeThere = [41, 42, 43, 44, 45, 46].filter((shopper) => shardNumberOf(shopperIdOf(shopper), 2) === 1)
    const early: string[] = []
    const done = rig.gate.after('gate', async () => {
      if (!(await readDatabases(gateServer, phone))?.includes(from)) return
      done()
      shop = join((saleId) => readDatabases(gateServer, saleId))
      for (const shopper of atHomeThere) early.push(await take(shopper))
    })
    expect((await recover()).body).toMatchObject({ movedShards: [{ shard: 1, from: free, to: from }] })
    expect((await rig.sale()).databases).toEqual([...kept, from])
    expect(new Set(early)).toEqual(new Set(['unavailable']))
    await sellTheRest(9, 4)
  })

  it.each(['before', 'after'] as const)(
    'may be cut off %s any call to the table, and the schedule or another call finishes it (I1, I6)',
    async (where) => {
      const calls = await atEachCut(async (call) => {
        await start()
        const { from, kept } = await loseLastShard(3)
        const cut = cutOffAt(rig.ports, ['table'], call, where)
        await recoverSale(cut.ports, actor, phone).catch((error: unknown) => {
          if (!isCutOff(error)) throw error
        })
        await raw(gateServer, 'DEL', lockKey(phone))
        if ((await rig.sale()).databases.includes(from)) expect((await recover()).status).toBe(200)
        expect((await rig.sale()).databases.slice(0, -1)).toEqual(kept)
        await sellTheRest(4, 9)
        return cut.calls() >= call
      })
      expect(calls).toBeGreaterThan(10)
    },
    300_000,
  )
})

it('the schedule moves no shard: a database that is down comes back with its units', async () => {
  const placed = await openSplit()
  await sellTo(1, 4)
  await write()
  storeOf(placed[1]).goDown()
  for (let minute = 0; minute < 3; minute += 1) {
    rig.clock.now += 60_000
    await reconcileOnce()
  }
  expect((await rig.sale()).databases).toEqual(placed)
  storeOf(placed[1]).comeUp()
  await reconcileOnce()
  expect(await sellTo(5, 30)).toBe(8)
  await expectSoldExactly(12)
})
