import { describe, expect, it } from 'vitest'
import { readList } from '../../../functions/table/list.ts'
import { scripted } from './scripted-table.ts'

const key = (pk: string) => ({ pk, sk: 'ORDER' })
const item = (pk: string, listSk: string) => ({ ...key(pk), listPk: 'LIST', listSk })

describe('a list of the table', () => {
  it('asks once for an item that moved from one page of the list to the next while they were read', async () => {
    const table = scripted(
      { Items: [key('a'), key('b')], LastEvaluatedKey: key('b') },
      { Items: [key('c'), key('a')] },
      { Responses: { sluice: [item('b', '2'), item('a', '4'), item('c', '3')] } },
    )
    expect((await readList(table, 'LIST')).map(({ pk }) => pk)).toEqual(['b', 'c', 'a'])
    const Keys = ['a', 'b', 'c'].map(key)
    expect(table.inputs[2]).toEqual({ RequestItems: { sluice: { Keys, ConsistentRead: true } } })
  })
})
