import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import type { ShopperId } from '../../../core/ids.ts'
import { retiredItems } from '../../../functions/people/retired-items.ts'
import { saleIdOf } from '../../redis/support.ts'
import { worldTable } from '../../world/table.ts'

const [ann, bob] = ['ann', 'bob'] as ShopperId[]
const [live, gone] = [saleIdOf('live'), saleIdOf('gone')]
const rows = [
  { kind: 'wish', partition: 'WISH#{shopperId}' },
  { kind: 'ticket', partition: 'TICKETS#{saleId}#{digit}' },
  { kind: 'seat', partition: 'SEATS#{saleId}' },
]

it('the items of an option that was deleted are found by their shopper, and erased once their sale is archived', async () => {
  const { table } = worldTable()
  const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }))
  await put({ pk: `WISH#${ann}`, sk: 'mug' })
  await put({ pk: `WISH#${bob}`, sk: 'mug' })
  for (const saleId of [live, gone])
    for (const shopperId of [ann, bob]) await put({ pk: `TICKETS#${saleId}#7`, sk: `7-${shopperId}`, shopperId })
  for (const sk of [ann, bob]) await put({ pk: `SEATS#${gone}`, sk })

  const facts = { now: 0, items: [], isArchived: (saleId: string) => saleId === gone }
  const found = await Promise.all(
    retiredItems(rows).map(async (kind) => {
      const own = await kind.find(table, ann as ShopperId, [live, gone])
      return own.map((one) => [String(one.item.pk), kind.outcome({ ...one, kind, key: { pk: '', sk: '' } }, facts)])
    }),
  )
  expect(found.flat()).toEqual([
    [`WISH#${ann}`, 'erase'],
    [`TICKETS#${live}#7`, { reason: 'running-sale', until: null }],
    [`TICKETS#${gone}#7`, 'erase'],
    [`SEATS#${gone}`, 'erase'],
  ])
})
