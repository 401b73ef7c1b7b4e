import { describe, expect, it } from 'vitest'
import { alertsOf } from '../../../console/list/alerts.tsx'
import type { SaleNumbers } from '../../../core/api/control-answers.ts'
import { healthParts, type SystemHealth } from '../../../core/api/health.ts'
import type { SaleId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { aSale } from '../../redis/support.ts'

const now = 5_000_000
const saleId = 'mug' as SaleId
const sale = (change: Partial<Sale> = {}): Sale =>
  aSale({ saleId, startsAt: 1, endsAt: 9_000_000, databases: ['main', 'db-2'], updatedAt: now, ...change })
const good: SaleNumbers = { sold: 1, left: 9, paid: 0, revenue: 0, out: 0, full: 0 }

const healthOf = (change: Partial<SystemHealth>, silent: readonly string[] = []): SystemHealth => ({
  parts: healthParts.map((part) => ({
    ...{ part, state: 'ok', at: now, finding: 'answers', count: 0 },
    names: part === 'stock' ? silent : [],
  })),
  sales: [],
  now,
  ...change,
})

const shown = (one: Sale, numbers: SaleNumbers = good, health = healthOf({})) =>
  alertsOf([one, one], { [one.saleId]: numbers }, health, now).map(({ trouble }) => trouble)

describe('the alerts above the list', () => {
  it('are none for a sale that does well, also without an answer about the system', () => {
    expect(shown(sale())).toEqual([])
    expect(alertsOf([sale()], {}, undefined, now)).toEqual([])
  })

  it('name a stock that is not known once, and its database where that does not answer', () => {
    const unknown = { ...good, left: null }
    expect(shown(sale(), unknown)).toEqual(['unknown'])
    const health = healthOf({ sales: [{ saleId, trouble: 'unrepaired', count: 1, at: now }] }, ['db-2'])
    expect(shown(sale(), unknown, health)).toEqual(['database'])
    expect(alertsOf([sale()], { [saleId]: unknown }, health, now)[0]?.args).toEqual({ names: 'db-2' })
    expect(shown(sale({ databases: ['main'] }), good, health)).toEqual(['unrepaired'])
  })

  it('remind of a pause that lasts, and of messages that died within the last ten minutes', () => {
    const paused = { flag: 'paused', epoch: 1 } as const
    expect(shown(sale(paused))).toEqual([])
    expect(shown(sale({ ...paused, updatedAt: now - 600_001 }))).toEqual(['paused'])
    expect(shown(sale(), { ...good, redrivenAt: now - 659_000 })).toEqual(['dead'])
    expect(shown(sale(), { ...good, redrivenAt: now - 660_000 })).toEqual([])
  })

  it('have a sale that is not in the list by its id', () => {
    const health = healthOf({ sales: [{ saleId, trouble: 'unpaid', count: 60, at: now }] })
    expect(alertsOf([], {}, health, now)).toMatchObject([
      { saleId, sale: undefined, trouble: 'unpaid', args: { n: 60 } },
    ])
  })
})
