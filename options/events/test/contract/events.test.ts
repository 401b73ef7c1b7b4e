/** The stored endpoints and events, in DynamoDB and in the table of the simulation. */
import { expect, it } from 'vitest'
import type { SaleId } from '../../../../core/ids.ts'
import { readAudit } from '../../../../functions/table/audit.ts'
import { rigsOf } from '../../../../test/contract/cloud.ts'
import { describeEach } from '../../../../test/contract/each.ts'
import { checkNamedRecords, type NamedRecords } from '../../../../test/contract/named-records.ts'
import type { ShopEvent } from '../../core/event.ts'
import { afterTry, type PendingEvents, withNewEvents } from '../../core/pending-events.ts'
import {
  addSaleSteps,
  dueSubjects,
  endpoints,
  findFinished,
  leaseEndpoint,
  listFinished,
  listPending,
  nextDueAt,
  readPending,
  readSaleSteps,
  releaseEndpoint,
  type StoredEndpoint,
  writePending,
} from '../../functions/table.ts'

const event = (subject: string, number: number): ShopEvent => ({
  ...{ id: `${subject}_${number}`, type: 'order.paid', subject, number, at: 5 },
  data: { saleId: 'mug', quantity: 1, variant: 's' },
})
const pendingOf = (subject: string, now: number, ...numbers: number[]) =>
  withNewEvents(
    undefined,
    numbers.map((number) => event(subject, number)),
    now,
  )?.pending as PendingEvents

describeEach(
  'events',
  rigsOf((table) => table),
  (the) => {
    it('keeps endpoints by their names, over the record that was read, with an audit entry of each change (I5)', () => {
      const { table } = the()
      const erp: StoredEndpoint = {
        ...{ name: 'erp', id: 'e1', url: 'https://shop.example/events', types: ['order.paid'], secret: 'sealed' },
        ...{ formerSecrets: [{ secret: 'old', until: 9 }], createdAt: 1, savedAt: Date.UTC(2026, 10, 20, 12) },
      }
      const rig = { table, audited: () => readAudit(table, '2026-11-20') }
      const change = { other: { types: undefined, sales: ['mug'] }, noted: { disabledBy: 'gone' } }
      return checkNamedRecords(rig, endpoints as NamedRecords, erp, change)
    })

    it('leases an endpoint to one sender, until it is released or expires', async () => {
      const { table } = the()
      expect(await leaseEndpoint(table, 'lease', 10, 20)).toBe(true)
      expect(await leaseEndpoint(table, 'lease', 19, 29)).toBe(false)
      expect(await leaseEndpoint(table, 'lease', 20, 30)).toBe(true)
      // The first one is late: its lease is over.
      await releaseEndpoint(table, 'lease', 20)
      expect(await leaseEndpoint(table, 'lease', 29, 39)).toBe(false)
      await releaseEndpoint(table, 'lease', 30)
      expect(await leaseEndpoint(table, 'lease', 29, 39)).toBe(true)
    })

    it('writes pending events only over the version that was read, with the record of the finished one', async () => {
      const { table } = the()
      const first = pendingOf('a', 100, 1, 2)
      expect(await readPending(table, 'p', 'a')).toEqual({ pending: undefined, version: 0 })
      expect(await writePending(table, 'p', 0, { pending: first }, 100)).toBe('written')
      expect(await writePending(table, 'p', 0, { pending: first }, 100)).toBe('conflict')
      expect(await readPending(table, 'p', 'a')).toEqual({ pending: first, version: 1 })
      const next = afterTry(first, { status: 204 }, 200, 0)
      expect(await writePending(table, 'p', 1, next, 200)).toBe('written')
      expect(await writePending(table, 'p', 1, next, 200)).toBe('conflict')
      expect(await listFinished(table, 'p', 10)).toEqual([next.finished])
      expect(await findFinished(table, 'p', 'a_1', 200)).toEqual(event('a', 1))
      expect(await findFinished(table, 'p', 'a_1', 201)).toBeUndefined()
    })

    it('lists the due events of one endpoint, the longest due first', async () => {
      const { table } = the()
      for (const [subject, at] of [
        ['x', 300],
        ['y', 100],
        ['z', 200],
      ] as const) {
        await writePending(table, 'due', 0, { pending: pendingOf(subject, at, 1) }, at)
      }
      await writePending(table, 'other', 0, { pending: pendingOf('q', 50, 1) }, 50)
      expect(await dueSubjects(table, 'due', 99, 10)).toEqual([])
      expect(await dueSubjects(table, 'due', 200, 10)).toEqual(['y', 'z'])
      expect(await dueSubjects(table, 'due', 999, 2)).toEqual(['y', 'z'])
      expect([await nextDueAt(table, 'due'), await nextDueAt(table, 'none')]).toEqual([100, undefined])
      const { pending, version } = await readPending(table, 'due', 'y')
      if (pending === undefined) throw new Error('it was written')
      const done = afterTry(pending, { status: 200 }, 400, 0)
      await writePending(table, 'due', version, done, 400)
      expect(await dueSubjects(table, 'due', 999, 10)).toEqual(['z', 'x'])
      expect((await listPending(table, 'due', 10)).map(({ subject }) => subject)).toEqual(['z', 'x'])
    })

    it('lists finished events, the newest first', async () => {
      const { table } = the()
      const pending = pendingOf('n', 1, 1, 2, 3)
      await writePending(table, 'log', 0, { pending }, 1)
      let left = pending
      for (const [index, at] of [10, 20, 30].entries()) {
        const step = afterTry(left, { status: 200 }, at, 0)
        await writePending(table, 'log', index + 1, step, at)
        left = step.pending
      }
      expect((await listFinished(table, 'log', 2)).map(({ at }) => at)).toEqual([30, 20])
    })

    it('appends the steps of a sale only to those that were read', async () => {
      const { table } = the()
      const saleId = 'mug' as SaleId
      const opened = { what: 'opened', windowIndex: 0, at: 1 } as const
      const ended = { what: 'ended', windowIndex: 0, at: 2 } as const
      expect(await readSaleSteps(table, saleId)).toEqual([])
      expect(await addSaleSteps(table, saleId, [], [opened])).toBe('added')
      expect(await addSaleSteps(table, saleId, [], [opened])).toBe('changed')
      expect(await addSaleSteps(table, saleId, [opened], [ended])).toBe('added')
      expect(await readSaleSteps(table, saleId)).toEqual([opened, ended])
    })
  },
)
