/** Tests that every table of named records passes in DynamoDB and in the table of the simulation. */
import { expect } from 'vitest'
import type * as z from 'zod/mini'
import type { Table } from '../../functions/lib/shop/shop.ts'
import type { namedRecords } from '../../functions/table/named-records.ts'

type NamedRecordOf = { name: string; savedAt: number }
export type NamedRecords = ReturnType<typeof namedRecords<z.ZodMiniType<{ savedAt: number }>>>

/**
 * Saves, edits and removes `first` and a record with the values of `other`, and notes `noted`; `audited` has the audit
 * entries since the last call.
 */
export async function checkNamedRecords(
  { table, audited }: { table: Table; audited: () => Promise<readonly unknown[]> },
  records: NamedRecords,
  first: NamedRecordOf,
  { other, noted }: { other: object; noted: object },
): Promise<void> {
  await audited()
  let now = first.savedAt
  const ports = { table, clock: () => now }
  const change = (name: string) => ({ actor: { who: 'mara', requestId: 'request' }, name })
  const save = (record: NamedRecordOf) => records.save(ports, change(record.name), async () => record)
  const web = { ...first, ...other, name: 'web' }
  await Promise.all([save(web), save(first)])
  expect(await save(first)).toMatchObject({ savedAt: first.savedAt })
  expect(await records.all(table)).toEqual([first, web].map((record) => JSON.parse(JSON.stringify(record))))
  // Another call saves it between the read and the write of this one, which reads again.
  const read: number[] = []
  await records.save(ports, { ...change(first.name), what: 'edit' }, async (former) => {
    read.push(former?.savedAt ?? 0)
    now += 1
    if (read.length === 1) await records.save(ports, { ...change(first.name), what: 'edit' }, async () => first)
    return first
  })
  const later = { ...first, savedAt: first.savedAt + 2 }
  expect(read).toEqual([first.savedAt, first.savedAt + 1])
  // The record that was found out about is no longer the one that is stored.
  await records.note(table, first, noted)
  expect((await records.all(table))[0]).toEqual(later)
  const gone = Object.fromEntries(Object.keys(other).map((name) => [name, undefined]))
  await records.note(table, later, { ...gone, ...noted })
  expect((await records.all(table))[0]).toEqual(JSON.parse(JSON.stringify({ ...later, ...gone, ...noted })))
  for (const _ of [1, 2]) expect(await records.remove(ports, change(first.name))).toEqual({ name: first.name })
  await records.note(table, later, noted)
  expect((await records.all(table)).map(({ name }) => name)).toEqual(['web'])
  // Two first saves, two edits and a removal.
  expect(await audited()).toHaveLength(5)
}
