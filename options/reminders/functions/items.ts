/** The reminders of a person, in an export and an erasure. */
import type { ShopperId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import type { PersonOption } from '../../../functions/people/person-items.ts'
import { allOf } from '../../../functions/table/query.ts'
import { readReminderKey, remindersOf } from './keys.ts'

const reminders: PersonOption = {
  ...{ kind: 'reminder', part: 'reminders', fate: () => 'erase' },
  async find(table: Table, shopperId: ShopperId) {
    const items = await allOf(table, remindersOf(shopperId))
    return items.map((item) => ({ item, facts: readReminderKey(String(item.sk)) }))
  },
}

export const items = [reminders] as const
