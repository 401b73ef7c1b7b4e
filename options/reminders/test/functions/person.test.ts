import { expect, it } from 'vitest'
import type { ShopperId } from '../../../../core/ids.ts'
import { createSealer } from '../../../../functions/lib/sealer.ts'
import { erasePerson, exportPerson } from '../../../../functions/people/person.ts'
import { aSale } from '../../../../test/redis/support.ts'
import { worldTable } from '../../../../test/world/table.ts'
import { addReminder, remindersOfShopper } from '../../functions/reminder-items.ts'

it('the reminders of a person are exported, and erased at once (GDPR Art. 15, 17)', async () => {
  const clock = () => Date.UTC(2027, 0, 1)
  const { table } = worldTable()
  const ports = { table, clock, sealer: createSealer([Buffer.alloc(32, 1).toString('base64')], clock) }
  const ann = 'ann' as ShopperId
  const { saleId } = aSale()
  const asked = { saleId, about: 'return', askedAt: clock(), language: 'en', consent: 'Yes' } as const
  await addReminder(table, ann, { windowIndex: 0 }, { ...asked, expiresAt: clock() + 60_000 })

  const shown = { kind: 'reminder', saleId, about: 'return', consent: 'Yes' }
  expect((await exportPerson(ports, ann)).parts).toMatchObject([{ part: 'reminders', items: [shown] }])
  const erased = await erasePerson(ports, ann, { who: 'shopper', requestId: 'r' })
  expect(erased).toEqual({ kind: 'erased', erased: [{ part: 'reminders', count: 1 }], kept: [] })
  expect(await remindersOfShopper(table, ann, clock())).toEqual([])
})
