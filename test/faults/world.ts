/** One sale with everything around it: the functions, what they reach, the truth behind it, and what was promised. */
import { leaseLifeMs } from '../../core/admission.ts'
import { parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { visibilitySeconds } from '../../local/resources.ts'
import { admit } from '../../redis/admit.ts'
import type { Commander } from '../../redis/command.ts'
import { type GateFacts, readGate } from '../../redis/gate.ts'
import { type MemorySite, memorySite } from '../contract/fakes/site.ts'
import { deliverWebhook } from './actors/webhook.ts'
import { checkLedger } from './checks/ledger.ts'
import type { Simulation } from './engine/simulation.ts'
import { stepper } from './engine/step.ts'
import { type Functions, type Outside, wireFunctions } from './functions.ts'
import type { Mutation } from './mutations.ts'
import { watchLocks } from './parts/locks.ts'
import { type SimulatedProvider, simulatedProvider } from './parts/provider.ts'
import { simulatedQueue } from './parts/queue.ts'
import { type Queues, steppedQueues } from './parts/queues.ts'
import { type RealRedis, withScripts } from './parts/redis.ts'
import { steppedStore } from './parts/stores.ts'
import { openTruth, steppedTable, type Truth } from './parts/table.ts'
import { watchStock } from './parts/watch-stock.ts'
import { openPromises, type PromiseBook } from './promise-book.ts'

export type World = {
  simulation: Simulation
  saleId: SaleId
  functions: Functions
  truth: Truth
  redis: RealRedis
  queues: Queues
  provider: SimulatedProvider
  site: MemorySite
  promises: PromiseBook
  gate: EdgeGate
  /** The sale as the table has it. */
  sale: () => Promise<Sale>
  /** The store of the gate restarted: nobody holds a lock any more. */
  locksLost: () => void
  /** An idempotency key of its own for whatever a marketer wants once. */
  newKey: () => string
  newShopper: () => ShopperId
  /** How long it took to come to rest, in minutes. */
  restAfterMinutes: number
  violations: string[]
  violated: (what: string) => void
}

/** What the edge answers by itself, out of facts at most a second old and of the admissions it was given. */
export type EdgeGate = { pass: () => Promise<Pass | undefined> }

/** A click that was let through, and the second in which it is counted; nothing is counted of an unlimited stock. */
export type Pass = { admission: number | undefined }

const visibilityMs = visibilitySeconds * 1000

/** Fewer than elsewhere, so that now and then a message is a dead letter. */
const maxReceives = 3

/** A world of which nothing is known yet: its sale is still to be created. */
export function openWorld(
  simulation: Simulation,
  saleId: SaleId,
  redis: RealRedis,
  mutation: Mutation | undefined,
): World {
  const violations: string[] = []
  let keys = 0
  let shoppers = 0
  const violated = (what: string) => {
    violations.push(what)
    simulation.diary.write('!', what)
  }
  const truth = openTruth(mutation?.table)
  const promises = openPromises(violated)
  const queues = {
    orders: simulatedQueue(simulation, { name: 'orders', visibilityMs, maxReceives }),
    deadlines: simulatedQueue(simulation, { name: 'deadlines', visibilityMs, maxReceives }),
  }
  const scripts = withScripts(redis, mutation?.scripts ?? new Map())
  const locks = watchLocks(scripts, simulation.now, violated)
  const site = memorySite()
  const toSite = stepper(simulation, 'site')
  const gate = steppedStore(simulation, 'gate', locks)
  const provider = simulatedProvider(simulation, (eventId, body) =>
    deliverWebhook(simulation, functions, eventId, body),
  )
  const outside: Outside = {
    stock: steppedStore(simulation, 'stock', watchStock(scripts, saleId, violated)),
    gate,
    table: steppedTable(simulation, saleId, truth, () => checkLedger(truth, saleId, violated)),
    queues: steppedQueues(simulation, queues),
    provider: provider.port,
    site: {
      read: toSite.call('read', site.read),
      put: toSite.call('put', site.put),
      create: toSite.call('create', site.create),
      remove: toSite.call('remove', site.remove),
    },
  }
  const functions = wireFunctions(simulation, mutation?.outside?.(outside) ?? outside)
  return {
    simulation,
    saleId,
    functions,
    truth,
    redis,
    queues,
    provider,
    site,
    promises,
    gate: edgeGate(simulation, saleId, gate),
    async sale() {
      const sale = (await truth.sales.find(saleId))?.sale
      if (sale === undefined) throw new Error('the sale is gone')
      return sale
    },
    locksLost: locks.forget,
    newKey() {
      keys += 1
      return `key-${keys}`
    },
    newShopper() {
      shoppers += 1
      const shopperId = parseShopperId(`shopper-${shoppers}`)
      if (shopperId === undefined) throw new Error('a shopper needs an id')
      return shopperId
    },
    restAfterMinutes: 1,
    violations,
    violated,
  }
}

function edgeGate({ now }: Simulation, saleId: SaleId, store: Commander): EdgeGate {
  let known: { facts: GateFacts | undefined; at: number } | undefined
  let left = { count: 0, until: 0, second: 0 }

  const admission = async (): Promise<Pass | undefined> => {
    const askedAt = now()
    if (left.count === 0 || askedAt >= left.until) {
      const lease = await admit(store, saleId, { now: askedAt, waiting: 1 }).catch(() => undefined)
      if (lease?.kind === 'unlimited') return { admission: undefined }
      if (lease?.kind !== 'granted') return undefined
      left = { count: lease.count, until: askedAt + leaseLifeMs, second: lease.second }
    }
    left.count -= 1
    return { admission: left.second }
  }

  return {
    async pass() {
      if (known === undefined || now() - known.at > 1000) {
        // A gate that cannot know a sale's state lets nobody in (I6).
        const facts = await readGate(store, saleId).catch(() => undefined)
        known = { facts, at: now() }
      }
      const { facts } = known
      if (facts === undefined || facts.fenced || facts.soldOut || facts.flag !== 'on') return undefined
      return admission()
    },
  }
}
