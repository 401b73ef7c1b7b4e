import { beforeEach, describe, expect, it } from 'vitest'
import type { Pointer } from '../../../../core/sale/pointer.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import type { GatePorts, ShopContext, StockPorts } from '../../../../functions/lib/shop/shop.ts'
import { publishCountdown, VersionRewritten } from '../../../../functions/sales/publishing/countdown.ts'
import { type PagePorts, publishIndex } from '../../../../functions/sales/publishing/pages.ts'
import { createPointerPublisher } from '../../../../functions/sales/publishing/pointer.ts'
import { maxRounds } from '../../../../functions/sales/publishing/publish-latest.ts'
import { createPublisher } from '../../../../functions/sales/publishing/publisher.ts'
import { memoryEdgeStore } from '../../../../proof/simulation/parts/site.ts'
import type { Commander } from '../../../../redis/command.ts'
import { stockDefinition } from '../../../../redis/stock/stock-definition.ts'
import { aSale } from '../../../redis/support.ts'
import { switchableSite } from '../../../world/site.ts'
import { worldTable } from '../../../world/table.ts'
import { testTelemetry } from '../../../world/telemetry.ts'
import { withSale, withSales } from '../../../world/wire.ts'

let site: ReturnType<typeof switchableSite>
let sale: Sale
let available: number | undefined
const total = 1_000
const definition = stockDefinition(aSale())

/** A Redis that has a stock with `left()` units left, or none. */
const stockWith = (left: () => number | undefined): Commander => ({
  async exec(command) {
    const units = left()
    const fields = { ...definition, total, stockRevision: 0, booked: total - (units ?? 0) }
    const stored = new Map(Object.entries(fields).map(([name, value]) => [name, String(value)]))
    return command.slice(2).map((name) => (units === undefined ? null : (stored.get(name) ?? null)))
  },
})
let ports: StockPorts & Pick<ShopContext, 'site'> & GatePorts & Pick<ShopContext, 'edgeStore' | 'meter' | 'log'>
const pointerPath = () => `sales/${sale.saleId}/current.json`
const pointer = (): Pointer => JSON.parse(site.objects.get(pointerPath())?.body ?? 'null')

beforeEach(() => {
  site = switchableSite()
  sale = aSale({ version: 4 })
  available = 10
  ports = {
    site,
    table: withSale(worldTable().table, () => sale),
    stock: stockWith(() => available),
    clock: () => 5_000,
    edgeStore: memoryEdgeStore(),
    gate: { exec: async () => [null] },
    ...testTelemetry(),
  }
})

const publishPointer = () => createPointerPublisher(ports)(sale.saleId)
/** How often the pointer was put. */
const pointerPuts = () => site.puts.filter((path) => path === pointerPath()).length

describe('the countdown', () => {
  it('is immutable for caches and for us: a version is never rewritten (C6)', async () => {
    await publishCountdown(site, sale)
    await publishCountdown(site, sale)
    const path = `sales/${sale.saleId}/countdown.4.js`
    const jsonPath = `sales/${sale.saleId}/countdown.4.json`
    expect(site.puts.toSorted()).toEqual([path, jsonPath])
    for (const [object, contentType] of [
      [path, 'text/javascript; charset=utf-8'],
      [jsonPath, 'application/json'],
    ] as const) {
      // The literal path: a constant imported by both sides would prove nothing.
      const cacheControl = 'public, max-age=31536000, immutable'
      expect(site.objects.get(object)).toMatchObject({ cacheControl, contentType })
    }
    await expect(publishCountdown(site, { ...sale, endsAt: 1 })).rejects.toThrow(VersionRewritten)
    expect(site.objects.get(path)?.body).toContain('"endsAt":9000')
  })

  it('gives clients that run no script the same countdown as JSON (C6)', async () => {
    await publishCountdown(site, { ...sale, flag: 'on' })
    const json = site.objects.get(`sales/${sale.saleId}/countdown.4.json`)?.body ?? ''
    expect(JSON.parse(json)).toEqual({
      saleId: sale.saleId,
      version: 4,
      started: true,
      startsAt: 1_000,
      endsAt: 9_000,
      startToken: sale.startToken,
    })
    expect(site.objects.get(`sales/${sale.saleId}/countdown.4.js`)?.body).toBe(`export const countdown = ${json}\n`)
  })

  it('is read back, because a store may lose what it confirmed (C6)', async () => {
    site.create = async () => {}
    await expect(publishCountdown(site, sale)).rejects.toThrow(VersionRewritten)
  })
})

describe('the pointer', () => {
  it('is published after its countdown and cached for a second (B1, C6)', async () => {
    await publishPointer()
    expect(site.puts.slice(0, -1).toSorted()).toEqual([
      `sales/${sale.saleId}/countdown.4.js`,
      `sales/${sale.saleId}/countdown.4.json`,
    ])
    expect(site.puts.at(-1)).toBe(pointerPath())
    expect(site.objects.get(pointerPath())).toMatchObject({
      cacheControl: 'public, max-age=0, s-maxage=1',
      contentType: 'application/json',
    })
    expect(pointer()).toEqual({
      saleId: sale.saleId,
      version: 4,
      at: 5_000,
      phase: 'open',
      startsAt: 1_000,
      endsAt: 9_000,
      nextStartsAt: null,
      src: `/sales/${sale.saleId}/countdown.4.js`,
      remaining: 10,
    })
  })

  it('costs one put when its countdown is known to be public', async () => {
    const publish = createPointerPublisher(ports)
    await publish(sale.saleId)
    site.puts.length = 0
    available = 9
    await publish(sale.saleId)
    expect(site.puts).toEqual([pointerPath()])
  })

  it('has the time before its units were read, which alone causes no further put (L6)', async () => {
    let now = 5_000
    const seen: number[] = []
    ports.clock = () => now
    ports.stock = stockWith(() => {
      now += 100
      seen.push(now)
      return available
    })
    const publish = createPointerPublisher(ports)
    await publish(sale.saleId)
    expect(pointer().at).toBe(5_000)
    expect(seen[0]).toBeGreaterThan(5_000)
    expect(pointerPuts()).toBe(1)
  })

  it('reports sold out with 0 left, and counts a lost stock as 0 (C8, I6)', async () => {
    available = 0
    await publishPointer()
    expect(pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
    available = undefined
    await publishPointer()
    expect(pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
  })

  it('never keeps an old version after a flip, however fast the count changes meanwhile (C6, G3)', async () => {
    const old = sale
    let left = 1_000
    // A busy writer of orders: fewer units are left on each read.
    const rush = createPointerPublisher({ ...ports, stock: stockWith(() => left--) })
    const marketer = createPointerPublisher({ ...ports, stock: stockWith(() => left) })
    const { put } = site
    let puts = 0
    site.put = async (object) => {
      puts += 1
      if (puts === maxRounds) {
        // In the last attempt the marketer pauses, publishes, reads, and is done.
        sale = { ...old, version: 5, flag: 'paused' }
        await marketer(sale.saleId)
      }
      await put(object)
    }
    await rush(sale.saleId)
    expect(pointer()).toMatchObject({ version: 5, phase: 'paused' })
  })

  it('shows the units of a stock that is warmed while it publishes, in either order', async () => {
    sale = { ...sale, flag: 'off' }
    // Read before the sale was warmed, then between table and Redis, and from then on in the final state.
    const seen = [10, undefined, 10, 10]
    ports.table = withSale(ports.table, () => ({ ...sale, version: seen.length === 4 ? 3 : 4 }))
    ports.stock = stockWith(() => seen.shift())
    await publishPointer()
    expect(pointer()).toMatchObject({ version: 4, remaining: 10 })
  })

  it('reports sold out even when that happens in its last attempt (C8)', async () => {
    // One more read than attempts, and the last read finds none.
    const counts = [...Array.from({ length: maxRounds }, (_, i) => 9 - i), 0]
    ports.stock = stockWith(() => counts.shift() ?? 0)
    await publishPointer()
    expect(pointer()).toMatchObject({ phase: 'sold-out', remaining: 0 })
  })

  it('stops following a count that keeps changing, and keeps the last value it read', async () => {
    let left = 1_000
    ports.stock = stockWith(() => left--)
    await publishPointer()
    expect(pointerPuts()).toBe(maxRounds)
  })
})

describe('the index', () => {
  const namesOf = (shown: readonly Sale[]) => shown.map(({ saleId }) => saleId).join()

  const indexOver = (...listed: Sale[]): PagePorts => ({
    site,
    table: withSales(ports.table, async () => listed),
    templates: {
      salePage: () => '',
      indexPage: namesOf,
      stablePage: () => '',
    },
    clock: () => 0,
  })

  it('shows the listed sales by start, with the changed sale as it is now', async () => {
    const one = aSale({ startsAt: 3_000 })
    const draft = aSale({ warmed: false })
    const two = aSale({ startsAt: 2_000 })
    await publishIndex(indexOver(one, draft, { ...sale, warmed: false }, two), sale)
    expect(site.objects.get('index.html')?.body).toBe(namesOf([sale, two, one]))
  })

  it('of many sales shows those that are open, the next to start, and of the ended ones the last', async () => {
    const table = worldTable()
    const now = 10_000_000
    const at = (startsAt: number, endsAt = startsAt + 1_000) => aSale({ startsAt, endsAt })
    const ended = Array.from({ length: 60 }, (_, i) => at(now - 500_000 + 1_000 * i))
    const open = at(now - 600_000, now + 1)
    const toCome = Array.from({ length: 70 }, (_, i) => at(now + 1_000 + i))
    for (const one of [...ended, open, ...toCome]) await table.begin(one)
    const publish = () => publishIndex({ ...indexOver(), table: table.table, clock: () => now })
    await publish()
    expect(site.objects.get('index.html')?.body).toBe(namesOf([open, ...ended.slice(-29), ...toCome]))
    const more = Array.from({ length: 90 }, (_, i) => at(now + 2_000 + i))
    for (const one of more) await table.begin(one)
    await publish()
    expect(site.objects.get('index.html')?.body).toBe(namesOf([open, ...toCome, ...more.slice(0, 29)]))
  })

  it('of a site without one shows the listed sales', async () => {
    const publisher = createPublisher({ ...ports, ...indexOver(sale, aSale({ warmed: false })) })
    await publisher.firstIndex()
    expect(site.objects.get('index.html')).toMatchObject({
      body: sale.saleId,
      contentType: 'text/html; charset=utf-8',
      cacheControl: 'public, max-age=30, s-maxage=60',
    })
  })

  it('is checked once, and an existing page stays unchanged', async () => {
    await publishIndex(indexOver(sale), sale)
    const publisher = createPublisher({ ...ports, ...indexOver() })
    const reads: string[] = []
    const { read } = site
    site.read = (path) => {
      reads.push(path)
      return read(path)
    }
    await publisher.firstIndex()
    await publisher.firstIndex()
    expect(reads).toEqual(['index.html'])
    expect(site.puts).toEqual(['index.html'])
  })

  it('of a marketer who publishes at the same moment wins over the first one', async () => {
    const unseen = indexOver()
    const list = async () => {
      await publishIndex(indexOver(sale), sale)
      return []
    }
    await createPublisher({ ...ports, ...unseen, table: withSales(ports.table, list) }).firstIndex()
    expect(site.objects.get('index.html')?.body).toBe(sale.saleId)
  })
})
