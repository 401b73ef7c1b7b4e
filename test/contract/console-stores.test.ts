/** One suite for every implementation of the small stores of the console: brand, named records, early lists, block list. */

import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { type Block, parseBlock } from '../../core/gate/block.ts'
import type { ShopperId } from '../../core/ids.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { type AuditEntry, readAudit } from '../../functions/table/audit.ts'
import { allBlocks, changeBlocks, findBlock, maxBlocks } from '../../functions/table/gate/blocklist.ts'
import { blockCountKey } from '../../functions/table/keys.ts'
import { customerIssuers, type StoredIssuer } from '../../functions/table/people/customer-issuers.ts'
import { findBrand, saveBrand } from '../../functions/table/sale/brand.ts'
import { addInvited, allInvited, removeInvited } from '../../functions/table/sale/invited.ts'
import { saleIdOf, shopperNamed } from '../redis/support.ts'
import { rigsOf, type TestTable } from './cloud.ts'
import { describeEach } from './each.ts'
import { checkNamedRecords, type NamedRecords } from './named-records.ts'
import { range } from './table-rig.ts'

type Rig = {
  /** The audit entries since the last call, oldest first. */
  audited: () => Promise<string[]>
  table: TestTable['table']
  stop: () => Promise<void>
}

/** Returns what was added since the last call. */
function newest(all: () => Promise<readonly string[]>) {
  let seen = 0
  return async () => {
    const found = await all()
    const added = found.slice(seen)
    seen = found.length
    return added
  }
}

function rigOf({ table, stop }: TestTable): Rig {
  return {
    ...{ table, stop },
    audited: newest(async () => (await readAudit(table, '2026-11-20')).map(({ what }) => what).toReversed()),
  }
}

let entries = 0
function entryOf(what: AuditEntry['what']): AuditEntry {
  entries += 1
  const when = Date.UTC(2026, 10, 20, 12) + entries
  return { who: 'mara', requestId: 'request', what, saleId: null, when, before: null, after: null }
}

function blockOf(kind: Block['kind'], value: string): Block {
  const block = parseBlock(kind, value)
  if (block === undefined) throw new Error(`${value} cannot be blocked`)
  return block
}
const noon = Date.UTC(2026, 10, 20, 12)
const add = (table: Table, block: Block, who = 'mia') =>
  changeBlocks(table, [{ entry: { ...block, who, when: noon }, former: undefined }], entryOf('block'))
const remove = (table: Table, block: Block) =>
  changeBlocks(table, [{ former: { ...block, who: 'mia', when: noon } }], entryOf('unblock'))

describeEach('the stores of the console', rigsOf(rigOf), (the) => {
  it('keep a brand, which is empty before the first save, and saved with an entry of the audit log, once for each revision', async () => {
    expect(await findBrand(the().table)).toEqual({ revision: 0, brand: {} })
    const first = { revision: 1, brand: { name: 'Lantern', colours: { light: '#0b5a8a', dark: '#7cc4f0' } } }
    expect(await saveBrand(the().table, first, entryOf('brand'))).toBe('saved')
    expect(await findBrand(the().table)).toEqual(first)
    expect(await saveBrand(the().table, { revision: 1, brand: { name: 'Other' } }, entryOf('brand'))).toBe('conflict')
    expect(await saveBrand(the().table, { revision: 3, brand: { name: 'Other' } }, entryOf('brand'))).toBe('conflict')
    expect(await findBrand(the().table)).toEqual(first)
    const second = { revision: 2, brand: { support: 'help@lantern.example' } }
    expect(await saveBrand(the().table, second, entryOf('brand'))).toBe('saved')
    expect(await findBrand(the().table)).toEqual(second)
    expect(await the().audited()).toEqual(['brand', 'brand'])
  })

  const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'x' } as const
  const crm: StoredIssuer = {
    ...{ name: 'crm', issuer: 'https://crm.example', jwksUrl: 'https://crm.example/jwks', checkedAt: 2, savedAt: noon },
    keys: [{ id: 'k1', alg: 'EdDSA', jwk }],
  }
  const found = { failure: 'cannot be read', failedSince: 5 }

  it('keep issuers of customers by their names, over the record that was read, with an audit entry of each change (I5)', () =>
    checkNamedRecords(the(), customerIssuers as NamedRecords, crm, {
      other: { jwksUrl: undefined, checkedAt: undefined },
      noted: { ...found, keys: [] },
    }))

  const [mug, lamp] = [saleIdOf('mug'), saleIdOf('lamp')]
  const [ann, ben, cem] = [shopperNamed('ann@x|1'), shopperNamed('ben'), shopperNamed('cem')]
  const to = (...shoppers: ShopperId[]) => shoppers.map((shopperId) => ({ shopperId }))

  it('have each shopper of an early list once, in the order of ids, and for one sale alone (I5)', async () => {
    const { table } = the()
    expect(await allInvited(table, mug)).toEqual([])
    await addInvited(table, mug, to(ben, ann))
    await addInvited(table, mug, to(ann))
    expect(await allInvited(table, mug)).toEqual([ann, ben])
    expect(await allInvited(table, lamp)).toEqual([])
    await removeInvited(table, mug, to(ann, cem))
    await removeInvited(table, mug, to(ann))
    expect(await allInvited(table, mug)).toEqual([ben])
  })

  it('keep the variant of a member of an early list who may buy no other', async () => {
    const { table } = the()
    await addInvited(table, lamp, [
      { shopperId: ben, variant: 's' },
      { shopperId: ann, variant: 'm' },
      { shopperId: cem },
    ])
    expect(await allInvited(table, lamp)).toEqual([`${ann} m`, `${ben} s`, cem])
    await removeInvited(table, lamp, to(ann, ben, cem))
    expect(await allInvited(table, lamp)).toEqual([])
  })

  it('take more shoppers of an early list than one batch of the table', async () => {
    const { table } = the()
    const many = range(130, 1000).map((at) => shopperNamed(`shopper-${at}`))
    await addInvited(table, lamp, to(...many))
    expect(await allInvited(table, lamp)).toEqual(many)
    await removeInvited(table, lamp, to(...many.slice(1)))
    expect(await allInvited(table, lamp)).toEqual(many.slice(0, 1))
  })

  it('keep the first author of a block, and an audit entry of each change (R8, I5)', async () => {
    const { table, audited } = the()
    await audited()
    const [ann, net] = [blockOf('shopper', 'ann@x|1'), blockOf('ip', '10.1.2.3/8')]
    const entry = { ...ann, who: 'mia', when: noon }
    expect(await add(table, ann)).toBe('written')
    expect(await add(table, ann, 'joe')).toBe('refused')
    expect(await findBlock(table, ann)).toEqual(entry)
    expect(await findBlock(table, net)).toBeUndefined()
    await add(table, net, 'joe')
    const all = [entry, { kind: 'ip', value: '10.0.0.0/8', who: 'joe', when: noon }]
    expect(await allBlocks(table)).toHaveLength(2)
    expect(await allBlocks(table)).toEqual(expect.arrayContaining(all))
    expect(await remove(table, ann)).toBe('written')
    expect(await remove(table, ann)).toBe('refused')
    expect(await findBlock(table, ann)).toBeUndefined()
    expect((await audited()).sort()).toEqual(['block', 'block', 'unblock'])
    await remove(table, net)
  })

  it('have room for the most entries of a block list and no more (R8)', async () => {
    const { table } = the()
    const update = { UpdateExpression: 'SET blocks = :blocks', ExpressionAttributeValues: { ':blocks': maxBlocks - 1 } }
    await table.client.send(new UpdateCommand({ TableName: table.name, Key: blockCountKey, ...update }))
    const [last, more] = [blockOf('shopper', 'last'), blockOf('shopper', 'more')]
    expect(await add(table, last)).toBe('written')
    expect(await add(table, more)).toBe('refused')
    expect(await findBlock(table, more)).toBeUndefined()
    await remove(table, last)
    expect(await add(table, more)).toBe('written')
  })
})
