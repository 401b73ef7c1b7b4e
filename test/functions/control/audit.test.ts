/** Repairs that a marketer requests are audited, even when they do not complete. */

import { beforeEach, describe, expect, it } from 'vitest'
import { acquireLock } from '../../../redis/lock.ts'
import { phone } from '../../world/stock-record.ts'
import { withTotals } from '../../world/wire.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()
let before: number
const audited = () => rig.audit().slice(before)
beforeEach(async () => {
  await rig.open()
  await rig.sell(2)
  before = rig.audit().length
})

const entry = (what: string, after: object) => ({
  who: 'mia',
  role: 'marketer',
  requestId: 'request-1',
  what,
  saleId: phone,
  when: expect.any(Number),
  before: null,
  after,
})

describe('the audit', () => {
  it('names who requested a recovery that ends unfinished, and why it did (I6)', async () => {
    rig.ports.table = withTotals(rig.ports.table, { sold: 99, orders: 99, remaining: 0 })
    const answer = await rig.act('recover')
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', reason: 'list-incomplete' } })
    expect(audited()).toEqual([entry('recover', { outcome: 'unfinished', detail: answer.body.detail })])
  })

  it('records a successful recovery once, and none that finds another one running', async () => {
    expect(await rig.act('recover')).toMatchObject({ status: 200 })
    expect(audited().map(({ what }) => what)).toEqual(['recover'])
    await acquireLock(rig.gate, phone, 'another', 9000)
    expect(await rig.act('recover')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(audited()).toHaveLength(1)
  })

  it('records a recovery that an outage cut off after it froze the sale', async () => {
    rig.gate.goDown()
    await expect(rig.act('recover')).rejects.toThrow('the gate is unavailable')
    expect(audited()).toEqual([entry('recover', { outcome: 'failed' })])
  })

  it('logs an outage that prevents the entry', async () => {
    rig.gate.goDown()
    rig.table.failAt('AUDIT#')
    await expect(rig.act('recover')).rejects.toThrow('the gate is unavailable')
    expect(rig.telemetry.lines.map(({ message }) => message)).toContain('no audit entry written')
  })

  it('names who reconciled a sale, and what was repaired', async () => {
    const { body } = await rig.act('reconcile')
    expect(audited()).toEqual([entry('reconcile', body)])
    expect(body).toMatchObject({ state: 'in-step', released: 0 })
  })
})
