/** The switch that pauses every sale (G2, G3). */

import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../functions/sales/audit.ts'
import { advanceSale } from '../../../functions/sales/window-steps.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { saleIdOf } from '../../redis/support.ts'
import { isOfSale, savesSale } from '../../world/wire.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const hour = 3_600_000
const actor: Actor = { who: 'reconcile', requestId: 'a-run' }

const pauseAll = () => rig.ask('POST', '/pause', {})
const flagOf = async (saleId: string) => (await findSale(rig.table, saleIdOf(saleId)))?.sale.flag

async function aSaleOf(saleId: string, change: object = {}): Promise<void> {
  expect(await rig.create({ saleId, ...change })).toMatchObject({ status: 201 })
  expect(await rig.ask('POST', `/sales/${saleId}/warm`, {})).toMatchObject({ status: 200 })
}

async function started(saleId: string, change: object = {}): Promise<void> {
  await aSaleOf(saleId, change)
  expect(await rig.ask('POST', `/sales/${saleId}/start`, {})).toMatchObject({ status: 200 })
}

/** A sale that was open in its first window and waits for the second, an hour before that. */
async function startedBetweenWindows(): Promise<void> {
  const { now } = rig.clock
  const windows = [0, 3].map((later) => ({ startsAt: now + later * hour, endsAt: now + (later + 1) * hour, stock: 10 }))
  await started('evenings', { ...windows[0], windows })
  rig.clock.now += 2 * hour
  await advanceSale(rig.ports, actor, saleIdOf('evenings'))
  expect(await findSale(rig.table, saleIdOf('evenings'))).toMatchObject({
    sale: { flag: 'off', epoch: 1, windowIndex: 1 },
  })
}

describe('pausing every sale', () => {
  it('pauses open ones and those that would open, on record, and leaves the others as they are', async () => {
    const { now } = rig.clock
    await started('open-one', { startsAt: now })
    await started('armed-one', { startsAt: now + 600_000, endsAt: now + 900_000 })
    await aSaleOf('ready-one')
    await started('closed-one')
    await rig.ask('POST', '/sales/closed-one/close', {})
    await started('ended-one', { startsAt: now, endsAt: rig.clock.now + 60_000 })
    rig.clock.now += 60_001
    const answer = await pauseAll()
    expect(answer.status).toBe(200)
    expect(Object(answer.body)).toEqual({
      paused: expect.toSatisfy((ids: string[]) => ids.toSorted().join() === 'armed-one,open-one'),
      failed: [],
    })
    const flags = ['open-one', 'armed-one', 'ready-one', 'closed-one', 'ended-one'].map(flagOf)
    expect(await Promise.all(flags)).toEqual(['paused', 'paused', 'off', 'closed', 'on'])
    expect(await rig.facts(saleIdOf('open-one'))).toMatchObject({ flag: 'paused' })
    expect(rig.audit().filter(({ what }) => what === 'pause')).toHaveLength(2)
  })

  it('names a sale that it could not pause, and pauses the others', async () => {
    await started('open-one')
    await started('broken-one')
    rig.ports.table = onWireAt(rig.ports.table, savesSale, async (send, command) => {
      if (isOfSale(command, saleIdOf('broken-one'))) throw new Error('the table is unavailable')
      return send()
    })
    expect((await pauseAll()).body).toEqual({ paused: ['open-one'], failed: ['broken-one'] })
    expect([await flagOf('open-one'), await flagOf('broken-one')]).toEqual(['paused', 'on'])
  })

  it('names what it has no time for, and a repeat goes on with it', async () => {
    const all = Array.from({ length: 10 }, (_, at) => `sale-${at}`)
    for (const saleId of all) await started(saleId)
    const healthy = rig.ports.table
    rig.ports.table = onWireAt(healthy, savesSale, (send) => {
      rig.clock.now += 3_000
      return send()
    })
    const { body: first } = await pauseAll()
    expect([first.paused.length, first.failed.length]).toEqual([8, 2])
    rig.ports.table = healthy
    const { body: second } = await pauseAll()
    expect([...first.paused, ...second.paused].toSorted()).toEqual(all)
    expect(second).toMatchObject({ paused: expect.arrayContaining(first.failed), failed: [] })
  })

  it.each(['/pause', '/resume'])('%s is a call without options', async (path) => {
    expect(await rig.ask('POST', path, { sales: [] })).toMatchObject({ status: 400 })
  })

  it('pauses a sale between two windows, which would open by itself (R7)', async () => {
    await startedBetweenWindows()
    expect((await pauseAll()).body).toEqual({ paused: ['evenings'], failed: [] })
    rig.clock.now += hour
    await advanceSale(rig.ports, actor, saleIdOf('evenings'))
    expect(await flagOf('evenings')).toBe('paused')
  })
})

describe('resuming every sale', () => {
  const resumeAll = () => rig.ask('POST', '/resume', {})

  it('resumes what was paused together, and nothing that was paused by itself', async () => {
    for (const saleId of ['open-one', 'alone-before', 'alone-after', 'closed-since']) await started(saleId)
    await rig.ask('POST', '/sales/alone-before/pause', {})
    await pauseAll()
    await rig.ask('POST', '/sales/alone-after/resume', {})
    await rig.ask('POST', '/sales/alone-after/pause', {})
    await rig.ask('POST', '/sales/closed-since/close', {})
    expect((await resumeAll()).body).toEqual({ resumed: ['open-one'], failed: [] })
    const flags = ['open-one', 'alone-before', 'alone-after', 'closed-since'].map(flagOf)
    expect(await Promise.all(flags)).toEqual(['on', 'paused', 'paused', 'closed'])
    expect(await rig.facts(saleIdOf('open-one'))).toMatchObject({ flag: 'on' })
    expect((await resumeAll()).body).toEqual({ resumed: [], failed: [] })
  })

  it('lets the next window of a sale open that was paused between two (R7)', async () => {
    await startedBetweenWindows()
    await pauseAll()
    expect((await resumeAll()).body).toEqual({ resumed: ['evenings'], failed: [] })
    expect(await rig.facts(saleIdOf('evenings'))).toMatchObject({ flag: 'on', epoch: 2 })
  })

  it('resumes a sale of the second pause after a marketer resumed it from the first', async () => {
    await started('open-one')
    await pauseAll()
    await rig.ask('POST', '/sales/open-one/resume', {})
    expect((await resumeAll()).body).toEqual({ resumed: [], failed: [] })
    await pauseAll()
    expect((await resumeAll()).body).toEqual({ resumed: ['open-one'], failed: [] })
  })
})
