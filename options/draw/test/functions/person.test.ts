import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { bytesToHex } from '@noble/hashes/utils.js'
import { describe, expect, it } from 'vitest'
import type { SaleId, ShopperId } from '../../../../core/ids.ts'
import { createSealer } from '../../../../functions/lib/sealer.ts'
import { erasePerson, exportPerson } from '../../../../functions/people/person.ts'
import { archivedSalesList, listedSale, saleKey, salePlace, salesList } from '../../../../functions/table/keys.ts'
import { addInvited, allInvited } from '../../../../functions/table/sale/invited.ts'
import { saleIdOf } from '../../../../test/redis/support.ts'
import { worldTable } from '../../../../test/world/table.ts'
import { drawEntryKey, drawKeysKey } from '../../functions/keys.ts'
import { allOffers, entrantId, findEntry, saveOffers } from '../../functions/table.ts'

const [live, gone] = [saleIdOf('live'), saleIdOf('gone')]
const [ann, bob] = ['ann', 'bob'] as [ShopperId, ShopperId]
const ids = new Uint8Array(32).fill(7)
const entryOf = (shopperId: ShopperId) => bytesToHex(entrantId(ids, shopperId))

describe('the entries, the offers and the place on the list of a person', () => {
  it('are exported, and erased once the sale is archived (GDPR Art. 15, 17)', async () => {
    const clock = () => Date.UTC(2027, 0, 1)
    const { table } = worldTable()
    const ports = { table, clock, sealer: createSealer([Buffer.alloc(32, 1).toString('base64')], clock) }
    const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }))
    const putSale = (saleId: SaleId, listPk: string) =>
      put({ ...saleKey(saleId), listPk, listSk: listedSale(salePlace({ saleId, startsAt: 0 }), saleId) })
    await putSale(live, salesList)
    await putSale(gone, archivedSalesList)
    for (const saleId of [live, gone]) {
      await addInvited(table, saleId, [{ shopperId: ann }, { shopperId: bob }])
      await put({ ...drawKeysKey(saleId), ids })
      for (const shopperId of [ann, bob]) {
        const id = entryOf(shopperId)
        await put({ ...drawEntryKey(saleId, id), shopperId, changes: 1, variant: 1, receipt: 'r' })
        await saveOffers(table, saleId, [{ id, entry: 0, shopperId, at: 0, until: 1, endedAt: 2 }])
      }
    }

    const shown = ['invitedShopper', 'drawEntry', 'offer'].flatMap((kind) => [
      expect.objectContaining({ kind, saleId: live }),
      expect.objectContaining({ kind, saleId: gone }),
    ])
    const { parts } = await exportPerson(ports, ann)
    expect(parts).toEqual([{ part: 'draws', items: expect.arrayContaining(shown) }])
    expect(parts[0]?.items).toHaveLength(shown.length)
    expect(JSON.stringify(parts)).not.toContain(bob)
    const erased = await erasePerson(ports, ann, { who: 'shopper', requestId: 'r' })
    expect(erased).toEqual({
      kind: 'erased',
      erased: [{ part: 'draws', count: 3 }],
      kept: [{ part: 'draws', reason: 'running-sale', count: 3, until: null }],
    })
    expect([await allInvited(table, live), await allInvited(table, gone)]).toEqual([[ann, bob], [bob]])
    expect(await findEntry(table, live, entryOf(ann))).toBeDefined()
    expect(await findEntry(table, gone, entryOf(ann))).toBeUndefined()
    expect(await findEntry(table, gone, entryOf(bob))).toBeDefined()
    const offered = async (saleId: SaleId) => (await allOffers(table, saleId)).map(({ shopperId }) => shopperId).sort()
    expect([await offered(live), await offered(gone)]).toEqual([[ann, bob], [bob]])
  })
})
