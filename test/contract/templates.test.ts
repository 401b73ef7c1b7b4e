/** One suite for every implementation of the store of templates. */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionOf } from '../../core/sale.ts'
import type { AuditEntry } from '../../functions/sales/sale-book.ts'
import type { TemplateBook } from '../../functions/sales/template-book.ts'
import { dynamoAudit } from '../../functions/stores/audit.dynamodb.ts'
import { templateKey } from '../../functions/stores/table.ts'
import { dynamoTemplates } from '../../functions/stores/templates.dynamodb.ts'
import { memoryTemplates } from '../../simulation/memory/templates.ts'
import { aSale } from '../redis/support.ts'
import { startTable } from './cloud.ts'

type Rig = { templates: TemplateBook; audited: () => Promise<string[]>; stop: () => Promise<void> }

async function inMemory(): Promise<Rig> {
  const audit: AuditEntry[] = []
  return {
    templates: memoryTemplates(audit),
    audited: async () => audit.map(({ what }) => what),
    stop: async () => {},
  }
}

async function inDynamoDb(): Promise<Rig> {
  const { table, stop } = await startTable()
  return {
    templates: dynamoTemplates(table),
    audited: async () => (await dynamoAudit(table).of('2026-11-20')).map(({ what }) => what).toReversed(),
    stop,
  }
}

let entries = 0
function entryOf(what: AuditEntry['what']): AuditEntry {
  entries += 1
  const when = Date.UTC(2026, 10, 20, 12) + entries
  return { who: 'mara', requestId: 'request', what, saleId: null, when, before: null, after: null }
}

const template = (name: string, title = 'Mug') => ({
  ...{ name, savedAt: 5, definition: definitionOf(aSale({ title })) },
})

describe.each([
  ['memory', inMemory],
  ['DynamoDB', inDynamoDb],
])('the templates in %s', (_, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  }, 60_000)
  afterAll(() => rig.stop())

  it('are kept by their names, each change with an entry of the audit log', async () => {
    expect(await rig.templates.all()).toEqual([])
    const [tea, mug, emoji] = ['茶 🍵', 'Mug', '👨‍👩‍👧 day'].map((name) => template(name))
    if (tea === undefined || mug === undefined || emoji === undefined) throw new Error('three were made')
    await Promise.all([tea, mug, emoji].map((one) => rig.templates.keep(one, entryOf('save-template'))))
    expect(await rig.templates.all()).toEqual([mug, tea, emoji])
    const newer = template('Mug', 'A newer mug')
    await rig.templates.keep(newer, entryOf('save-template'))
    expect(await rig.templates.all()).toEqual([newer, tea, emoji])
    expect(await rig.templates.remove('Mug', entryOf('delete-template'))).toBe('removed')
    expect(await rig.templates.remove('Mug', entryOf('delete-template'))).toBe('missing')
    expect(await rig.templates.all()).toEqual([tea, emoji])
    expect(await rig.audited()).toEqual([...Array(4).fill('save-template'), 'delete-template'])
  })
})

describe('a template that this version cannot read', () => {
  it('is listed without its definition beside the others, and can be removed', async () => {
    const { table, stop } = await startTable()
    const templates = dynamoTemplates(table)
    const readable = template('Tea')
    await templates.keep(readable, entryOf('save-template'))
    for (const [name, definition] of Object.entries({ A: { kind: 'raffle' }, B: 'text', C: undefined })) {
      const Item = { ...templateKey(name), savedAt: 7, definition }
      await table.client.send(new PutCommand({ TableName: table.name, Item }))
    }
    expect(await templates.all()).toEqual([
      ...['A', 'B', 'C'].map((name) => ({ name, savedAt: 7, definition: null })),
      readable,
    ])
    expect(await templates.remove('A', entryOf('delete-template'))).toBe('removed')
    expect((await templates.all()).map(({ name }) => name)).toEqual(['B', 'C', 'Tea'])
    await stop()
  }, 60_000)
})
