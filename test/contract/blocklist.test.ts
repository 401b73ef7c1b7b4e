/**
 * One suite for every implementation of the block list, and one for its copy in the gate's store.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Block, parseBlock } from '../../core/block.ts'
import { maxBlocks } from '../../functions/repair/compare-blocklist.ts'
import type { Blocklist } from '../../functions/repair/ports.ts'
import type { AuditEntry } from '../../functions/sales/sale-book.ts'
import { dynamoAudit } from '../../functions/stores/audit.dynamodb.ts'
import { dynamoBlocklist } from '../../functions/stores/blocklist.dynamodb.ts'
import { blockCountKey } from '../../functions/stores/table.ts'
import { readBlocklist, readListVersions, setBlocked } from '../../redis/shared-lists.ts'
import { memoryBlocklist } from '../../simulation/memory/blocklist.ts'
import { type RedisRig, raw, startRedisRig } from '../redis/support.ts'
import { startTable } from './cloud.ts'

const noon = Date.UTC(2026, 10, 20, 12)

type Rig = {
  blocklist: Blocklist
  audited: () => Promise<string[]>
  /** Makes the list as long as if it had `blocks` entries. */
  fill: (blocks: number) => Promise<void>
  stop: () => Promise<void>
}

async function inMemory(): Promise<Rig> {
  const audit: AuditEntry[] = []
  const blocklist = memoryBlocklist(audit)
  return {
    blocklist,
    audited: async () => audit.map(({ what }) => what),
    async fill(blocks) {
      const left = blocks - (await blocklist.entries()).length
      for (let at = 0; at < left; at += 1) await add(blocklist, blockOf('shopper', `filler-${at}`))
    },
    stop: async () => {},
  }
}

async function inDynamoDb(): Promise<Rig> {
  const { table, stop } = await startTable()
  return {
    blocklist: dynamoBlocklist(table),
    audited: async () => (await dynamoAudit(table).of('2026-11-20')).map(({ what }) => what),
    async fill(blocks) {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: blockCountKey,
        UpdateExpression: 'SET blocks = :blocks',
        ExpressionAttributeValues: { ':blocks': blocks },
      })
      await table.client.send(update)
    },
    stop,
  }
}

function blockOf(kind: Block['kind'], value: string): Block {
  const block = parseBlock(kind, value)
  if (block === undefined) throw new Error(`${value} cannot be blocked`)
  return block
}

const audit = (what: AuditEntry['what']): AuditEntry => ({
  ...{ who: 'mia', what, saleId: null, when: noon, before: null, after: null, requestId: 'r' },
})
const add = (blocklist: Blocklist, block: Block, who = 'mia') =>
  blocklist.add({ ...block, who, when: noon }, audit('block'))
const remove = (blocklist: Blocklist, block: Block) => blocklist.remove(block, audit('unblock'))

describe.each([
  ['memory', inMemory],
  ['DynamoDB', inDynamoDb],
])('the block list in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  it('keeps the first author of a block, and an audit entry of each change (R8, I5)', async () => {
    const { blocklist, audited } = rig
    const [ann, net] = [blockOf('shopper', 'ann@x|1'), blockOf('ip', '10.1.2.3/8')]
    const entry = { ...ann, who: 'mia', when: noon }
    expect(await add(blocklist, ann)).toEqual({ kind: 'added', entry })
    expect(await add(blocklist, ann, 'joe')).toEqual({ kind: 'there', entry })
    expect(await blocklist.find(ann)).toEqual(entry)
    expect(await blocklist.find(net)).toBeUndefined()
    await add(blocklist, net, 'joe')
    const all = [entry, { kind: 'ip', value: '10.0.0.0/8', who: 'joe', when: noon }]
    expect(await blocklist.entries()).toHaveLength(2)
    expect(await blocklist.entries()).toEqual(expect.arrayContaining(all))
    expect(await remove(blocklist, ann)).toBe('removed')
    expect(await remove(blocklist, ann)).toBe('not-there')
    expect(await blocklist.find(ann)).toBeUndefined()
    expect((await audited()).sort()).toEqual(['block', 'block', 'unblock'])
    await remove(blocklist, net)
  })

  it('has room for its limit of entries and no more (R8)', async () => {
    const { blocklist, fill } = rig
    await fill(maxBlocks - 1)
    const [last, more] = [blockOf('shopper', 'last'), blockOf('shopper', 'more')]
    expect((await add(blocklist, last)).kind).toBe('added')
    expect((await add(blocklist, more)).kind).toBe('full')
    expect((await add(blocklist, last)).kind).toBe('there')
    expect(await blocklist.find(more)).toBeUndefined()
    await remove(blocklist, last)
    expect((await add(blocklist, more)).kind).toBe('added')
  })
})

describe('the published block list', () => {
  let redis: RedisRig
  beforeAll(async () => {
    redis = await startRedisRig()
  })
  afterAll(() => redis.stop())

  it('is a set, and may be published twice (I5)', async () => {
    await raw(redis.redis, 'FLUSHALL')
    for (const field of ['shopper ann', 'shopper ann', 'ip 10.0.0.0/8'])
      await setBlocked(redis.redis, field, true, noon)
    expect([...(await readBlocklist(redis.redis))].sort()).toEqual(['ip 10.0.0.0/8', 'shopper ann'])
    for (const field of ['shopper ann', 'shopper ann']) await setBlocked(redis.redis, field, false, noon)
    expect(await readBlocklist(redis.redis)).toEqual(['ip 10.0.0.0/8'])
  })

  it('has a new listVersion with each change, so that every instance reads it again (R8)', async () => {
    await raw(redis.redis, 'FLUSHALL')
    const listVersion = async () => (await readListVersions(redis.redis)).blocklist
    await setBlocked(redis.redis, 'shopper ann', true, noon)
    const first = await listVersion()
    await setBlocked(redis.redis, 'shopper ann', true, noon + 5)
    expect(await listVersion()).toBe(first)
    await setBlocked(redis.redis, 'shopper ann', false, noon - 5)
    expect(await listVersion()).toBeGreaterThan(first)
  })
})
