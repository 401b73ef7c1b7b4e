/** One suite for every implementation of the lists for early access. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EarlyLists } from '../../functions/repair/early-list.ts'
import { dynamoEarlyLists } from '../../functions/stores/early-lists.dynamodb.ts'
import { memoryEarlyLists } from '../../simulation/memory/early-lists.ts'
import { saleIdOf, shopperNamed } from '../redis/support.ts'
import { startTable } from './cloud.ts'

type Rig = { lists: EarlyLists; stop: () => Promise<void> }

async function inMemory(): Promise<Rig> {
  return { lists: memoryEarlyLists(), stop: async () => {} }
}

async function inDynamoDb(): Promise<Rig> {
  const { table, stop } = await startTable()
  return { lists: dynamoEarlyLists(table), stop }
}

describe.each([
  ['memory', inMemory],
  ['DynamoDB', inDynamoDb],
])('the lists for early access in %s', (_name, start) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await start()
  })
  afterAll(() => rig.stop())

  const [mug, lamp] = [saleIdOf('mug'), saleIdOf('lamp')]
  const [ann, ben, cem] = [shopperNamed('ann@x|1'), shopperNamed('ben'), shopperNamed('cem')]

  it('have each shopper once, in the order of ids, and for one sale alone (I5)', async () => {
    const { lists } = rig
    expect(await lists.all(mug)).toEqual([])
    await lists.add(mug, [ben, ann])
    await lists.add(mug, [ann])
    expect(await lists.all(mug)).toEqual([ann, ben])
    expect(await lists.all(lamp)).toEqual([])
    expect(await lists.among(mug, [cem, ann])).toEqual(new Set([ann]))
    expect(await lists.among(lamp, [ann])).toEqual(new Set())
    await lists.remove(mug, [ann, cem])
    await lists.remove(mug, [ann])
    expect(await lists.all(mug)).toEqual([ben])
  })

  it('take more shoppers than one batch of the table', async () => {
    const { lists } = rig
    const many = Array.from({ length: 130 }, (_, at) => shopperNamed(`shopper-${1000 + at}`))
    await lists.add(lamp, many)
    expect(await lists.all(lamp)).toEqual(many)
    expect((await lists.among(lamp, many)).size).toBe(130)
    await lists.remove(lamp, many.slice(1))
    expect(await lists.all(lamp)).toEqual(many.slice(0, 1))
  })
})
