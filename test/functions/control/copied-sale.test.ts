/** A sale created as the copy of another one. */

import { expect, it } from 'vitest'
import { copySale } from '../../../core/sale/copy-sale.ts'
import { uploadedPicture } from '../../../core/sale/pictures.ts'
import { markArchived, removeMarked } from '../../../functions/repair/jobs/archive.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

it('a copied sale keeps its uploaded pictures, also after its first sale is archived', async () => {
  const pictures = [{ src: `/pictures/${'0a'.repeat(16)}-1600x1200`, alt: 'A phone' }]
  const { body: sale } = await rig.create({ pictures })
  await rig.act('start')
  rig.clock.now += 9 * 86_400_000
  expect(await markArchived({ ...rig.ports, deadline: Infinity }, phone)).toBe(true)
  const marked = await rig.sale()
  rig.clock.now += 120_000
  expect(await removeMarked(rig.ports, marked)).toBe(true)
  expect((await rig.ask('GET', '/sales/phone')).body).toMatchObject({ pictures })
  const copy = { ...copySale(sale, rig.clock.now), saleId: 'phone-2' }
  expect(await rig.ask('POST', '/sales', copy)).toMatchObject({ status: 201, body: { pictures } })
  expect(uploadedPicture(pictures[0]?.src ?? '')).toBeDefined()
})
