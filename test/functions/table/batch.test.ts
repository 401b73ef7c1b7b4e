import { describe, expect, it } from 'vitest'
import { deleteBatch, readBatch } from '../../../functions/table/batch.ts'
import { cancelled, named, scripted } from './scripted-table.ts'

const key = (pk: string) => ({ pk, sk: 'ORDER' })
const keys = ['a', 'b', 'c'].map(key)

describe('a batch that a throttled table completes in part', () => {
  it('is read to its end', async () => {
    const table = scripted(
      { Responses: { sluice: [key('a')] }, UnprocessedKeys: { sluice: { Keys: [key('b'), key('c')] } } },
      named('ProvisionedThroughputExceededException'),
      { Responses: { sluice: [key('c')] }, UnprocessedKeys: {} },
    )
    expect(await readBatch(table, keys)).toEqual([key('a'), key('c')])
    const asked = { RequestItems: { sluice: { Keys: [key('b'), key('c')], ConsistentRead: true } } }
    expect(table.inputs.slice(1)).toEqual([asked, asked])
  })

  it('is deleted to its end', async () => {
    const left = [{ DeleteRequest: { Key: key('b') } }]
    const table = scripted({ UnprocessedItems: { sluice: left } }, {})
    await deleteBatch(table, keys)
    expect(table.inputs[1]).toEqual({ RequestItems: { sluice: left } })
  })

  it('is retried only until the deadline', async () => {
    const table = scripted({ UnprocessedKeys: { sluice: { Keys: keys } } })
    await expect(readBatch(table, keys)).rejects.toThrow('3 items of a batch were not processed')
    expect(table.inputs).toHaveLength(8)
  })

  it('fails when the table fails for another reason', async () => {
    const fault = cancelled('ValidationError')
    const table = scripted(fault)
    await expect(deleteBatch(table, keys)).rejects.toBe(fault)
    expect(table.inputs).toHaveLength(1)
  })
})
