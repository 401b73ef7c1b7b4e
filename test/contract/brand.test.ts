/** One suite for every implementation of the store of the brand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BrandBook } from '../../functions/sales/brand-book.ts'
import type { AuditEntry } from '../../functions/sales/sale-book.ts'
import { dynamoAudit } from '../../functions/stores/audit.dynamodb.ts'
import { dynamoBrand } from '../../functions/stores/brand.dynamodb.ts'
import { memoryBrand } from '../../simulation/memory/brand.ts'
import { startTable } from './cloud.ts'

type Rig = { brands: BrandBook; audited: () => Promise<string[]>; stop: () => Promise<void> }

async function inMemory(): Promise<Rig> {
  const audit: AuditEntry[] = []
  return {
    brands: memoryBrand(audit),
    audited: async () => audit.map(({ what }) => what),
    stop: async () => {},
  }
}

async function inDynamoDb(): Promise<Rig> {
  const { table, stop } = await startTable()
  return {
    brands: dynamoBrand(table),
    audited: async () => (await dynamoAudit(table).of('2026-11-20')).map(({ what }) => what),
    stop,
  }
}

const change: AuditEntry = {
  who: 'mara',
  requestId: 'request',
  what: 'brand',
  saleId: null,
  when: Date.UTC(2026, 10, 20, 12),
  before: {},
  after: {},
}

describe.each([
  ['memory', inMemory],
  ['DynamoDB', inDynamoDb],
])('the brand in %s', (_, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  }, 60_000)
  afterAll(() => rig.stop())

  it('is empty before the first save, and saved with an entry of the audit log, once for each revision', async () => {
    expect(await rig.brands.find()).toEqual({ revision: 0, brand: {} })
    const first = { revision: 1, brand: { name: 'Lantern', colours: { light: '#0b5a8a', dark: '#7cc4f0' } } }
    expect(await rig.brands.save(first, change)).toBe('saved')
    expect(await rig.brands.find()).toEqual(first)
    expect(await rig.brands.save({ revision: 1, brand: { name: 'Other' } }, change)).toBe('conflict')
    expect(await rig.brands.save({ revision: 3, brand: { name: 'Other' } }, change)).toBe('conflict')
    expect(await rig.brands.find()).toEqual(first)
    const second = { revision: 2, brand: { support: 'help@lantern.example' } }
    expect(await rig.brands.save(second, change)).toBe('saved')
    expect(await rig.brands.find()).toEqual(second)
    expect(await rig.audited()).toEqual(['brand', 'brand'])
  })
})
