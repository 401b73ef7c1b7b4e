/** The runner of the jobs, with jobs that record their runs; and the table of the jobs. */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import type { ReconcileOptions } from '../../../functions/recovery/ports.ts'
import { concurrency, type Job, type SaleJob, type SaleVisit } from '../../../functions/repair/job.ts'
import { finalJobs, openingJobs, saleJobs, shopJobs } from '../../../functions/repair/jobs.ts'
import { reconcile } from '../../../functions/repair/reconcile.ts'
import { saleIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  await rig.open()
})

type Jobs = { shop: readonly Job[]; sales: readonly (readonly SaleJob[])[]; final: readonly Job[] }
const none: Jobs = { shop: [], sales: [], final: [] }

/** A run that has `ms` of time. */
function run(jobs: Partial<Jobs>, ms = 25_000, options: Partial<ReconcileOptions> = {}) {
  const asked = { minAgeMs: 0, holdAgeMs: 0, full: false, ...options }
  return reconcile(rig.ports, asked, rig.clock.now + ms, { ...none, ...jobs })
}

const shopJob = (name: string, work: Job['run'], rest: Partial<Job> = {}): Job => ({
  ...{ name, everyMinutes: 1, budgetMs: Infinity, run: work },
  ...rest,
})

/** By itself it runs at one sale after the other. */
const saleJob = (name: string, work: SaleJob['run'], rest: Partial<SaleJob> = {}): SaleJob => ({
  ...{ name, everyMinutes: 1, budgetMs: Infinity, cost: () => concurrency, concerns: () => true, run: work },
  ...rest,
})

/** The sales of the shop, in the order in which runs visit them. */
async function beginMany(count: number): Promise<SaleId[]> {
  const sale = await rig.sale()
  const saleIds = Array.from({ length: count }, (_, at) => saleIdOf(`lamp-${String(at).padStart(4, '0')}`))
  for (const saleId of saleIds) await rig.table.begin({ ...sale, saleId, flag: 'off', epoch: 0, startToken: null })
  return [...saleIds, phone].sort()
}

const minute = () => {
  rig.clock.now += 60_000
}

const unprocessed = () =>
  rig.telemetry.lines.filter(({ message }) => message === 'no time was left to process every sale')

describe('the runner', () => {
  it('runs jobs in the order of the table, each in one of so many minutes', async () => {
    rig.clock.now = Math.ceil(rig.clock.now / 360_000) * 360_000
    const ran: string[] = []
    const note = (name: string) => async () => void ran.push(name)
    const jobs = {
      shop: [shopJob('first', note('first')), shopJob('third', note('third'), { everyMinutes: 3 })],
      sales: [[saleJob('sale', note('sale')), saleJob('second', note('second'), { everyMinutes: 2 })]],
      final: [shopJob('final', note('final'))],
    }
    const minutes: string[] = []
    for (let time = 0; time < 4; time += 1) {
      await run(jobs)
      minutes.push(ran.splice(0).join(' '))
      minute()
    }
    expect(minutes).toEqual([
      'first third sale second final',
      'first sale final',
      'first sale second final',
      'first third sale final',
    ])
  })

  it('gives a job its budget, and never more than the run has left', async () => {
    const left: number[] = []
    const note: Job['run'] = async ({ deadline, clock }) => {
      left.push(deadline - clock())
      rig.clock.now += 1500
    }
    const shop = [shopJob('a', note, { budgetMs: 2000 }), shopJob('b', note, { budgetMs: 9000 }), shopJob('c', note)]
    await run({ shop }, 10_000)
    expect(left).toEqual([2000, 8500, 7000])
  })

  it('starts a job at no sale after its budget, says how many are left, and goes on with the next job', async () => {
    const all = await beginMany(9)
    const ran: string[] = []
    const slow: SaleJob['run'] = async () => {
      ran.push('slow')
      rig.clock.now += 1000
    }
    const asked: [number, number][] = []
    const budgetMs = (leftMs: number, visits: readonly SaleVisit[]) => {
      asked.push([leftMs, visits.length])
      return leftMs * 0.3
    }
    const sales = [[saleJob('slow', slow, { budgetMs })], [saleJob('next', async () => void ran.push('next'))]]
    await run({ sales }, 10_000)
    expect(asked).toEqual([[10_000, all.length]])
    expect(ran).toEqual([...Array(3).fill('slow'), ...Array(all.length).fill('next')])
    expect(unprocessed().map(({ facts }) => facts)).toEqual([{ part: 'slow', done: 3, left: 7 }])
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
  })

  it.each([
    [1, concurrency],
    [5, 4],
    [8, 2],
    [concurrency, 1],
  ])('runs sales that cost %i each at %i sales at once', async (cost, atOnce) => {
    await beginMany(45)
    let running = 0
    const seen: number[] = []
    const work = async () => {
      running += 1
      seen.push(running)
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
      running -= 1
    }
    await run({ sales: [[saleJob('costly', work, { cost: () => cost })]] })
    expect(seen).toHaveLength(46)
    expect(Math.max(...seen)).toBe(atOnce)
  })

  it('runs a costly sale alone, and cheap ones beside each other', async () => {
    const [big, ...small] = await beginMany(10)
    const running = new Set<SaleId>()
    const beside = new Map<SaleId, number>()
    const work: SaleJob['run'] = async (_, { sale: { saleId } }) => {
      running.add(saleId)
      for (const one of running) beside.set(one, Math.max(beside.get(one) ?? 0, running.size))
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
      running.delete(saleId)
    }
    const cost = ({ sale }: SaleVisit) => (sale.saleId === big ? concurrency : 1)
    await run({ sales: [[saleJob('mixed', work, { cost })]] })
    expect(beside.get(big as SaleId)).toBe(1)
    expect(small.map((saleId) => beside.get(saleId))).toEqual(small.map(() => small.length))
  })

  it('runs the jobs of a row at a sale one after the other, and only those that concern it by then', async () => {
    const [first, second] = await beginMany(1)
    const ran: string[] = []
    const note =
      (name: string): SaleJob['run'] =>
      async (_, visit) => {
        ran.push(`${name} ${visit.sale.saleId}`)
        if (visit.sale.saleId === first) visit.stock = 'present'
      }
    const row = [
      saleJob('dispatch', note('dispatch')),
      saleJob('edge', note('edge'), { concerns: (visit) => visit.stock === 'present' }),
    ]
    await run({ sales: [row] })
    expect(ran).toEqual([`dispatch ${first}`, `edge ${first}`, `dispatch ${second}`])
  })

  it('logs and reports a job that fails, and runs all others (I6)', async () => {
    const [first, second] = await beginMany(1)
    const ran: string[] = []
    const troubles: unknown[] = []
    const fails = () => Promise.reject(new Error('unavailable'))
    const jobs = {
      shop: [shopJob('broken', fails), shopJob('shop', async () => void ran.push('shop'))],
      sales: [
        [
          saleJob('mixed', async (_, { sale }) => (sale.saleId === first ? fails() : undefined)),
          saleJob('after', async (_, { sale }) => void ran.push(`after ${sale.saleId}`)),
        ],
      ],
      final: [shopJob('final', async () => void ran.push('final'))],
    }
    await run(jobs, 25_000, { report: (trouble) => troubles.push(trouble) })
    expect(ran).toEqual(['shop', `after ${first}`, `after ${second}`, 'final'])
    expect(troubles).toEqual([{ saleId: first, trouble: 'unrepaired', count: 1 }])
    expect(rig.telemetry.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'not reconciled', facts: { part: 'broken', reason: 'unavailable' } },
      { message: 'not reconciled', facts: { part: 'mixed', saleId: first } },
    ])
  })
})

describe('the next run', () => {
  /** Runs until its time is over after `last` sales. Returns the sales that it processed. */
  async function runOutOfTime(last: number): Promise<SaleId[]> {
    const seen: SaleId[] = []
    const work: SaleJob['run'] = async (_, { sale }) => {
      seen.push(sale.saleId)
      if (seen.length === last) rig.clock.now += 30_000
    }
    await run({ sales: [[saleJob('compare', work, { completesVisit: true })]] })
    minute()
    return seen
  }

  /** A run whose process ends at a sale: nothing answers it any more. */
  async function runKilledAt(isLast: (saleId: SaleId, at: number) => boolean): Promise<SaleId[]> {
    const seen: SaleId[] = []
    const killed = Promise.withResolvers<void>()
    const work: SaleJob['run'] = async (_, { sale }) => {
      seen.push(sale.saleId)
      if (!isLast(sale.saleId, seen.length)) return
      killed.resolve()
      await new Promise<never>(() => {})
    }
    void run({ sales: [[saleJob('compare', work, { completesVisit: true })]] })
    await killed.promise
    minute()
    return seen
  }

  it('resumes after the last sale that was processed when the time was over', async () => {
    const all = await beginMany(40)
    expect(await runOutOfTime(15)).toEqual(all.slice(0, 15))
    expect(await runOutOfTime(20)).toEqual(all.slice(15, 35))
    expect(await runOutOfTime(100)).toEqual([...all.slice(35), ...all.slice(0, 35)])
  })

  it('resumes after the last hundred sales that were processed when a run was killed', async () => {
    const all = await beginMany(240)
    expect(await runKilledAt((_, at) => at === 230)).toEqual(all.slice(0, 230))
    expect((await runOutOfTime(10)).at(0)).toBe(all[200])
  })

  it('is careful after three runs that were killed at one sale, and comes past it', async () => {
    const all = await beginMany(30)
    const bad = all[5] as SaleId
    for (let time = 0; time < 3; time += 1) {
      expect(await runKilledAt((saleId) => saleId === bad)).toEqual(all.slice(0, 6))
    }
    // Sale by sale: those before the bad one are recorded.
    expect(await runKilledAt((saleId) => saleId === bad)).toEqual(all.slice(0, 6))
    for (let time = 0; time < 3; time += 1) expect(await runKilledAt((saleId) => saleId === bad)).toEqual([bad])
    expect(await runKilledAt((saleId) => saleId === bad)).toEqual([bad])
    expect(await runOutOfTime(100)).toEqual([...all.slice(6), ...all.slice(0, 5)])
  })
})

describe('the table of the jobs', () => {
  const names = [...openingJobs, ...shopJobs, ...saleJobs.flat(), ...finalJobs].map(({ name }) => name)

  it('names each job once', () => {
    expect(new Set(names).size).toBe(names.length)
  })

  it('has the names that the runbooks explain, in its order', () => {
    const page = readFileSync('docs/how-to/runbooks.md', 'utf8')
    const [, section = ''] = page.split('### Reconcile failing\n')
    const rows = section.slice(0, section.indexOf('\n### ')).matchAll(/^\| `\w+`(?:, `\w+`)* \|/gm)
    const explained = [...rows].flatMap(([row]) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    expect(explained).toEqual([...names, 'listSales', 'progress', 'tick', 'recordSeries', 'wake'])
  })
})
