/**
 * A shop with many sales: the real functions and stores over a table in memory and a real Redis, which each
 * answer after the latency of a distant one. Every call is counted.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { SaleId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import { type Sale, saleDefinition } from '../../../core/sale/sale.ts'
import type { ControlPorts } from '../../../functions/control/control.ts'
import { newSale } from '../../../functions/control/steps.ts'
import { realWaiting } from '../../../functions/lib/lock.ts'
import type { Site } from '../../../functions/lib/shop/site.ts'
import type { Table } from '../../../functions/lib/shop/table.ts'
import type { RepairPorts } from '../../../functions/repair/ports.ts'
import { applyToStores } from '../../../functions/sales/effects.ts'
import { publishCatalogue } from '../../../functions/sales/publishing/catalogue.ts'
import { createPublisher } from '../../../functions/sales/publishing/publisher.ts'
import { saleEffects } from '../../../functions/sales/sale-effects.ts'
import { saleItem } from '../../../functions/table/sale/sale-item.ts'
import { openCap } from '../../../functions/table/stock/cap-item.ts'
import { transactOnce } from '../../../functions/table/transaction.ts'
import type { Command, Commander } from '../../../redis/command.ts'
import { gateFactsOf, setGate } from '../../../redis/gate/gate.ts'
import { readGates } from '../../../redis/gate/gates.ts'
import { listSale } from '../../../redis/gate/shared-lists.ts'
import { rushSale } from '../../rush/open-sale.ts'
import { memoryTable, tableName } from '../../simulation/dynamodb/memory-table.ts'
import { onWire } from '../../simulation/dynamodb/wire.ts'
import { memoryEdgeStore } from '../../simulation/parts/edge-store.ts'
import type { RealRedis } from '../../simulation/parts/redis.ts'

const newToken = () => randomBytes(32).toString('base64url')

/** `tableItems` are the items that the table was asked for, keys of a list included. */
export type Calls = { tableCalls: number; tableItems: number; redisCommands: number }

export type ManySales = {
  ports: ControlPorts & RepairPorts
  /** What was called since the last question. */
  calls: () => Calls
  /** The sale that starts first, which a list that begins with the latest start has at its end. */
  oldest: Sale
  /** One that is not warmed. */
  draft: Sale
  /** The definition of one more sale. */
  another: () => ReturnType<typeof definitionOfOne>
}

const minuteMs = 60_000
const dayMs = 86_400_000

/** Sales that are open. */
const open = 10

/**
 * Fills the stores with `count` sales, of which `warmed` are warmed and ten of those are open. Everything is far away
 * from then on.
 */
export async function openManySales(
  redis: RealRedis,
  { count, warmed, latencyMs }: { count: number; warmed: number; latencyMs: number },
): Promise<ManySales> {
  await redis.clear()
  const now = Date.now()
  const state = { latencyMs: 0 }
  const counted: Calls = { tableCalls: 0, tableItems: 0, redisCommands: 0 }
  const away = () => (state.latencyMs === 0 ? undefined : sleep(state.latencyMs))

  const table: Table = onWire({ client: memoryTable().client, name: tableName }, async (_, send) => {
    counted.tableCalls += 1
    await away()
    const answer = await send()
    counted.tableItems += itemsIn(answer)
    return answer
  })
  const store: Commander = {
    async exec(command) {
      counted.redisCommands += 1
      await away()
      return redis.exec(command)
    },
  }
  const pipeline = async (commands: readonly Command[]) => {
    counted.redisCommands += commands.length
    await away()
    return Promise.all(commands.map((command) => redis.exec(command)))
  }
  const ports = portsOver({ table, store, pipeline, site: distantSite(away) })

  const sales = Array.from({ length: count }, (_, number) => saleOf(number, now, warmed))
  for (const sale of sales) await put(ports, sale)
  await publishCatalogue(ports)
  const oldest = sales.toSorted((a, b) => a.startsAt - b.startsAt)[0]
  const draft = sales.at(-1)
  if (oldest === undefined || draft === undefined || draft.warmed) throw new Error('there are too few sales')
  let made = 0
  state.latencyMs = latencyMs
  return {
    ports,
    oldest,
    draft,
    calls() {
      const since = { ...counted }
      Object.assign(counted, { tableCalls: 0, tableItems: 0, redisCommands: 0 })
      return since
    },
    another() {
      made += 1
      return definitionOfOne(`another-${made}`, `Another ${made}`, now + dayMs)
    },
  }
}

function itemsIn(answer: object): number {
  const { Items = [], Responses = {} } = answer as { Items?: readonly unknown[]; Responses?: object }
  return Items.length + Object.values(Responses).reduce((sum, some) => sum + [some].flat().length, 0)
}

/**
 * The first ones are warmed, and ten of these are open. All others start on one of the next 90 days, every second one of
 * those that are warmed by itself.
 */
export function saleOf(number: number, now: number, warmed: number): Sale {
  const startsAt = number < open ? now - minuteMs : now + dayMs + ((number * 7919) % 90_000) * minuteMs
  const made = newSale(definitionOfOne(`sale-${number}`, `Word${number} lamp`, startsAt), now)
  if (made.kind === 'invalid') throw new Error(`the definition is invalid: ${made.detail}`)
  if (number >= warmed) return made.sale
  const there = { ...made.sale, warmed: true, version: 2, databases: ['main'] }
  const isStarted = number < open || number % 2 === 0
  return isStarted ? { ...there, flag: 'on', epoch: 1, startToken: newToken() } : there
}

function definitionOfOne(saleId: string, title: string, startsAt: number) {
  const units = { stock: 1000, quantity: 1, limitPerShopper: 1 }
  const defined = parse(saleDefinition, { ...rushSale(saleId, startsAt, units), title })
  if (!defined.ok) throw new Error(`the definition is invalid: ${defined.detail}`)
  return defined.value
}

async function put(ports: ControlPorts & RepairPorts, sale: Sale): Promise<void> {
  const { table, gate, publisher } = ports
  const record = { sale, revision: 1, finishedStockChanges: [] }
  await table.client.send(new PutCommand({ TableName: table.name, Item: saleItem(record) }))
  await listSale(gate, sale.saleId, true, Date.now())
  if (!sale.warmed) return setGate(gate, gateFactsOf(sale, { frozen: false }))
  await transactOnce(table, openCap(table.name, sale.saleId, { stock: sale.stock }))
  const before: Sale = { ...sale, flag: 'off', epoch: 0, startToken: null, version: 1 }
  await applyToStores(ports, { ...record, sale: before })
  await applyToStores(ports, record)
  await publisher.edge(sale.saleId)
  await publisher.pointer(sale.saleId)
}

function distantSite(away: () => Promise<unknown> | undefined): Site {
  const objects = new Map<string, string>()
  return {
    async read(path) {
      await away()
      return objects.get(path)
    },
    async put({ path, body }) {
      await away()
      objects.set(path, body)
    },
    async create({ path, body }) {
      await away()
      if (!objects.has(path)) objects.set(path, body)
    },
    async remove(path) {
      await away()
      objects.delete(path)
    },
  }
}

type Outside = {
  table: Table
  store: Commander
  pipeline: (commands: readonly Command[]) => Promise<unknown[]>
  site: Site
}

/** Nothing waits in a queue, and no money is under way. */
function portsOver({ table, store, pipeline, site }: Outside): ControlPorts & RepairPorts {
  const edgeStore = memoryEdgeStore()
  const telemetry = {
    meter: { count: ignore },
    log: { debug: ignore, info: ignore, warn: ignore, error: fail },
  }
  const templates = {
    salePage: ({ title }: Sale) => title,
    indexPage: (sales: readonly Sale[]) => sales.map(({ title }) => title).join(),
    ordersPage: () => '',
    walletPage: () => '',
    customerPage: () => '',
    accessibilityPage: () => '',
  }
  const publisher = createPublisher({
    ...{ site, edgeStore, gate: store, stock: store, table, templates, clock: Date.now },
    ...telemetry,
  })
  const nothing = { visible: 0, inFlight: 0, delayed: 0 }
  const retry = async () => ({ moved: 0, missed: 0 })
  const ports = {
    ...{ table, stock: store, gate: store, publisher, edgeStore },
    ...telemetry,
    ...realWaiting,
    clock: Date.now,
    newId: randomUUID,
    newToken,
    randomBytes,
    databases: async () => ['main', 'second'].map((name) => ({ name, commandsPerSecond: 10_000 })),
    priceStep: () => 1,
    hasCheckout: false,
    allowsLoopback: true,
    hasEventBus: false,
    sendsMails: false,
    shopfront: { refresh: publisher.pointer },
    readGates: (saleIds: readonly SaleId[]) => readGates({ pipeline }, saleIds),
    readPublicJson: () => unasked('another company'),
    provider: {
      start: () => unasked('the payment provider'),
      withdraw: () => unasked('the payment provider'),
      capture: () => unasked('the payment provider'),
      release: () => unasked('the payment provider'),
      refund: () => unasked('the payment provider'),
    },
    orderQueue: { sendAll: () => unasked('the queue'), depth: async () => nothing },
    claimQueue: { depth: async () => nothing },
    claimLetters: { put: () => unasked('the dead letters') },
    deadOrders: { retry, units: async () => new Map() },
    deadTimers: { retry },
    deadClaims: { retry, claims: async () => [] },
  }
  return { ...ports, effects: saleEffects(ports) }
}

const ignore = () => undefined

function fail(message: string, facts: object = {}): never {
  throw new Error(`${message} ${JSON.stringify(facts)}`)
}

const unasked = (what: string) => Promise.reject(new Error(`nothing of the measurement asks ${what}`))
