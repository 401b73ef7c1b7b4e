/** `control` wired to memory: its answers, and what became of Redis, the gate and the public objects. */
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale.ts'
import { answerControl } from '../../../functions/control/door.ts'
import type { Ports } from '../../../functions/control/routes.ts'
import { createPublisher } from '../../../functions/publishing/publisher.ts'
import type { Gate, Stock } from '../../../functions/sales/effects.ts'
import type { RepairPorts } from '../../../functions/sales/repair.ts'
import { darkness, type Switchable } from '../../contract/fakes/darkness.ts'
import { memorySaleBook } from '../../contract/fakes/sale-book.ts'
import { memorySite } from '../../contract/fakes/site.ts'
import { requestOf } from '../support.ts'

type Shelf = {
  sale: Sale
  total: number
  booked: number
  restocks: number
  change: number
  refused: number
}

export type MemoryRedis = Stock &
  Switchable & { pass: () => void; shelves: Map<SaleId, Shelf>; log: string[] }

/** The stock by the rules of warm.lua, flip.lua and add-stock.lua. */
export function memoryRedis(log: string[]): MemoryRedis {
  const light = darkness('Redis')
  const shelves = new Map<SaleId, Shelf>()
  return {
    ...light,
    shelves,
    log,
    async warm(sale) {
      light.pass()
      log.push('stock')
      const there = shelves.get(sale.saleId)
      if (there === undefined) {
        const counters = { total: sale.stock, booked: 0, restocks: 0 }
        shelves.set(sale.saleId, { sale, ...counters, change: sale.lastChange ?? 0, refused: 0 })
      } else if (sale.version >= there.sale.version) there.sale = sale
    },
    async flip(sale) {
      light.pass()
      log.push('stock')
      const there = shelves.get(sale.saleId)
      if (there === undefined) return { kind: 'unknown-sale' }
      const { version } = there.sale
      if (sale.version === version) return { kind: 'repeat', version }
      if (sale.version < version) return { kind: 'superseded', version }
      there.sale = sale
      return { kind: 'applied', version: sale.version }
    },
    async add(saleId, { number, delta }) {
      light.pass()
      const there = shelves.get(saleId)
      if (there === undefined) return { kind: 'unknown-sale' }
      const { total, booked, restocks } = there
      if (there.refused === number) return { kind: 'below-booked', total, booked }
      if (number <= there.change) return { kind: 'repeat', total, booked, restocks }
      if (total === -1) return { kind: 'unlimited' }
      there.change = number
      if (delta < 0 && total + delta < booked) {
        there.refused = number
        return { kind: 'below-booked', total, booked }
      }
      there.total += delta
      there.restocks += delta > 0 ? 1 : 0
      return { kind: 'changed', total: there.total, booked, restocks: there.restocks }
    },
    async remove(saleId) {
      light.pass()
      shelves.delete(saleId)
    },
  }
}

export type MemoryGate = Gate &
  RepairPorts['gateReader'] &
  Switchable & { facts: Map<SaleId, Sale>; raised: string[] }

export function memoryGate(log: string[]): MemoryGate {
  const light = darkness('the gate')
  const facts = new Map<SaleId, Sale>()
  const raised: string[] = []
  return {
    ...light,
    facts,
    raised,
    async set(sale) {
      light.pass()
      log.push('gate')
      if (sale.version >= (facts.get(sale.saleId)?.version ?? 0)) facts.set(sale.saleId, sale)
    },
    async read(saleId) {
      light.pass()
      return facts.get(saleId)
    },
    async raiseSoldOut(_saleId, restocks) {
      light.pass()
      raised.push(`sold-out ${restocks}`)
    },
    async raiseRestocked(_saleId, restocks) {
      light.pass()
      raised.push(`restocked ${restocks}`)
    },
  }
}

export type ControlRig = ReturnType<typeof controlRig>

/** `clock.now` starts at noon of 2026-11-20; a sale by `definition` opens an hour later and lasts an hour. */
export function controlRig() {
  const clock = { now: Date.UTC(2026, 10, 20, 12) }
  const log: string[] = []
  const sales = memorySaleBook()
  const redis = memoryRedis(log)
  const gate = memoryGate(log)
  const site = memorySite()
  const put = site.put
  const logged = {
    ...site,
    put: async (object: Parameters<typeof put>[0]) => {
      await put(object)
      log.push(object.path)
    },
    create: async (object: Parameters<typeof put>[0]) => {
      await site.create(object)
      log.push(object.path)
    },
  }
  let made = 0
  const next = () => {
    made += 1
    return made
  }
  const publisher = createPublisher({
    site: logged,
    sales,
    stock: {
      of: async (saleId) => {
        const there = redis.shelves.get(saleId)
        if (there === undefined) return undefined
        return there.total === -1 ? -1 : there.total - there.booked
      },
    },
    templates: {
      salePage: ({ title, version }) => `<h1>${title}</h1>${version}`,
      indexPage: (sales) => sales.map(({ saleId }) => saleId).join(),
    },
    clock: () => clock.now,
  })
  const ports: Ports = {
    sales,
    cap: sales,
    auditReader: sales,
    stock: redis,
    stockReader: {
      read: async (saleId) => {
        redis.pass()
        const there = redis.shelves.get(saleId)
        if (there === undefined) return undefined
        const { total, booked, restocks } = there
        return {
          total,
          booked,
          restocks,
          available: total - booked,
          flag: there.sale.flag,
          version: there.sale.version,
        }
      },
      outboxSize: async () => 0,
    },
    gate,
    publisher,
    queues: { orders: async () => ({ visible: 1, inFlight: 2, delayed: 0 }), deadLetters: async () => 3 },
    newToken: () => `token-${next()}`.padEnd(43, '_'),
    newId: () => `change-${next()}`,
    clock: () => clock.now,
  }

  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const request = requestOf('mia', method, `/api/control${path}`, body, {
      'x-shopper-roles': 'marketer',
      ...headers,
    })
    const answer = await answerControl(ports, request)
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
  }

  const definition = (changes: object = {}) => ({
    saleId: 'phone',
    kind: 'goods',
    title: 'A phone',
    description: 'One of ten.',
    image: '/assets/phone.svg',
    price: 10,
    currency: 'CNY',
    stock: 10,
    limitPerShopper: 2,
    maxPerOrder: 2,
    startsAt: clock.now + 3_600_000,
    endsAt: clock.now + 7_200_000,
    ...changes,
  })

  const create = (changes: object = {}) => ask('POST', '/sales', definition(changes))
  const act = (action: string, body?: unknown) => ask('POST', `/sales/phone/${action}`, body)
  const pointer = () => JSON.parse(site.objects.get('sales/phone/current.json')?.body ?? 'null')
  const allBytes = () => [...site.objects.values()].map(({ body }) => body).join('\n')
  return { ports, clock, log, sales, redis, gate, site, ask, create, act, definition, pointer, allBytes }
}
