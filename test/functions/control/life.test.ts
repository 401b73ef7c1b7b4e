/** The life of a sale under the marketer's actions. */

import { describe, expect, it } from 'vitest'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'
import { phone } from '../../world/stock-record.ts'
import { currentSales } from '../../world/table.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

describe('a sale', () => {
  it('is a draft when it is created: a page and a pointer, no stock in Redis, a start flag that is off (C1, C2, G2)', async () => {
    const answer = await rig.create()
    expect(answer).toMatchObject({ status: 201, body: { flag: 'off', epoch: 0, version: 1, warmed: false } })
    expect(answer.body).toMatchObject({ startToken: null, paymentWindowSeconds: 900 })
    expect(rig.pointer()).toMatchObject({ phase: 'draft', version: 1, remaining: 10 })
    expect(rig.site.objects.get('sales/phone/index.html')?.body).toContain('A phone')
    expect(await rig.stockRecord()).toBeUndefined()
    expect(await rig.facts(phone)).toMatchObject({ flag: 'off', startToken: null, version: 1 })
    expect(await rig.mayHold(phone)).toBe(true)
    expect(rig.site.objects.has('index.html'), 'the index lists no draft').toBe(false)
  })

  it('is warmed once, with its cap (G1, B3)', async () => {
    await rig.create()
    expect(await rig.act('warm')).toMatchObject({ status: 200, body: { warmed: true, flag: 'off' } })
    expect(await rig.stockRecord()).toMatchObject({ total: 10, booked: 0 })
    expect(rig.table.caps()).toEqual([{ remaining: 10, sold: 0 }])
    expect(await rig.facts()).toMatchObject({ flag: 'off' })
    expect(rig.pointer()).toMatchObject({ phase: 'scheduled' })
    expect(rig.site.objects.get('index.html')?.body).toBe('phone')
    const again = await rig.act('warm')
    expect(again).toMatchObject({ status: 200, body: { version: 2 } })
  })

  it('starts with a new epoch and an unpredictable token (C6, G3)', async () => {
    await rig.create()
    await rig.act('warm')
    const before = rig.allBytes()
    const started = await rig.act('start')
    expect(started).toMatchObject({ status: 200, body: { flag: 'on', epoch: 1 } })
    const token: string = started.body.startToken
    expect(token).toHaveLength(43)
    expect(before).not.toContain(token)
    const { src, phase, version } = rig.pointer()
    expect(phase).toBe('scheduled')
    const countdown = rig.site.objects.get(src.slice(1))?.body
    expect(countdown).toContain(`"started":false`)
    expect(countdown).toContain(`"startToken":"${armedTokenOf(token)}"`)
    expect(rig.allBytes()).not.toContain(token)
    expect((await rig.stockRecord())?.sale).toMatchObject({ flag: 'on', startToken: token, version })
    expect(await rig.facts()).toMatchObject({ flag: 'on', startToken: token })
  })

  it('updates stock, gate, countdown, pointer and pages in this order (C6)', async () => {
    await rig.create()
    await rig.act('warm')
    rig.log.length = 0
    await rig.act('start')
    expect(rig.log).toEqual([
      // The former state: it distinguishes a stock that was never opened from a lost one.
      'stock',
      'gate',
      // The state from now on.
      'stock',
      'gate',
      'sales/phone/countdown.3.js',
      'sales/phone/countdown.3.json',
      'sales/phone/current.json',
      'sales/phone/index.html',
      'index.html',
    ])
  })

  it('opens at once when it is started with now, also when it was armed before', async () => {
    await rig.create()
    const armed = await rig.act('start')
    rig.clock.now += 60_000
    const opened = await rig.act('start', { now: true })
    expect(opened.body).toMatchObject({ startsAt: rig.clock.now, epoch: 1, startToken: armed.body.startToken })
    expect(opened.body.version).toBe(armed.body.version + 1)
    expect(rig.pointer()).toMatchObject({ phase: 'open', startsAt: rig.clock.now })
  })

  it('pauses without a public token and continues in the same epoch', async () => {
    await rig.create()
    const started = await rig.act('start', { now: true })
    const paused = await rig.act('pause')
    expect(paused.body).toMatchObject({ flag: 'paused', epoch: 1 })
    expect(rig.pointer()).toMatchObject({ phase: 'paused' })
    expect(rig.site.objects.get(rig.pointer().src.slice(1))?.body).toContain('"started":false')
    const resumed = await rig.act('resume')
    expect(resumed.body).toMatchObject({ flag: 'on', epoch: 1, startToken: started.body.startToken })
    expect(resumed.body.version).toBe(started.body.version + 2)
  })

  it('is closed for good', async () => {
    await rig.create()
    await rig.act('start', { now: true })
    expect(await rig.act('close')).toMatchObject({ status: 200, body: { flag: 'closed', endedAt: rig.clock.now } })
    expect((await rig.sale()).endedAt).toBe(rig.clock.now)
    expect(rig.pointer()).toMatchObject({ phase: 'ended' })
    expect(await rig.act('close')).toMatchObject({ status: 200 })
    for (const action of ['start', 'pause', 'resume']) {
      expect(await rig.act(action)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    }
  })

  it.each([
    ['pause', []],
    ['resume', []],
    ['start', ['start', 'pause']],
  ])('refuses %s after %j with a conflict and changes nothing', async (action, before) => {
    await rig.create()
    for (const step of before) await rig.act(step)
    const audited = rig.audit().length
    expect(await rig.act(action)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(rig.audit()).toHaveLength(audited)
  })

  it('cannot be warmed or started once its end has passed', async () => {
    await rig.create()
    rig.clock.now += 7_200_000
    for (const action of ['warm', 'start', 'pause', 'resume']) {
      expect(await rig.act(action)).toMatchObject({ status: 409 })
    }
  })

  it.each([
    ['endsAt', {}],
    [
      'windows',
      { windows: [1, 2].map((hour) => ({ startsAt: hour * 3_600_000, endsAt: (hour + 1) * 3_600_000, stock: 1 })) },
    ],
  ])('is not made where it lies wholly in the past, which is said of %s', async (field, changes) => {
    const past = { startsAt: 3_600_000, endsAt: 7_200_000, stock: 1, ...changes }
    expect(await rig.create(past)).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(await currentSales(rig.table)).toEqual([])
    const { body } = await rig.create()
    expect(await rig.ask('PATCH', '/sales/phone', past)).toMatchObject({ status: 400, body: { field } })
    expect(await rig.ask('GET', '/sales/phone')).toMatchObject({ body })
  })

  it('that is over before it was started accepts only an edit that extends it', async () => {
    const made = await rig.create()
    rig.clock.now += 7_200_000
    expect(await rig.ask('PATCH', '/sales/phone', { title: 'Late' })).toMatchObject({
      status: 400,
      body: { field: 'endsAt' },
    })
    expect(await rig.ask('PATCH', '/sales/phone', { title: made.body.title })).toMatchObject({ status: 200 })
    const endsAt = rig.clock.now + 1
    expect(await rig.ask('PATCH', '/sales/phone', { title: 'Late', endsAt })).toMatchObject({ status: 200 })
  })

  it('is found by a late repeat of the call that created it, even once it is over (I5)', async () => {
    const definition = rig.definition()
    const made = await rig.ask('POST', '/sales', definition)
    rig.clock.now += 7_200_000
    expect(await rig.ask('POST', '/sales', definition)).toMatchObject({ status: 201, body: made.body })
  })

  it('can be deleted until it is started; its id is never used again (C6)', async () => {
    await rig.create()
    await rig.act('warm')
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
    expect(await rig.ask('GET', '/sales/phone')).toMatchObject({ status: 404, body: { code: 'unknown-sale' } })
    expect(await rig.stockRecord()).toBeUndefined()
    expect((await rig.facts())?.flag).toBe('closed')
    expect(rig.site.objects.has('sales/phone/current.json')).toBe(false)
    expect(rig.site.objects.get('index.html')?.body).toBe('')
    expect(await rig.create()).toMatchObject({ status: 409, body: { field: 'saleId' } })
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
  })

  it('cannot be deleted once it was started', async () => {
    await rig.create()
    await rig.act('start')
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 409 })
    expect(await rig.ask('GET', '/sales/phone')).toMatchObject({ status: 200 })
  })

  it.each([true, false])(
    'counts turns and early access from its real start when that is late, at once: %s (G3)',
    async (now) => {
      const minute = 60_000
      const planned = rig.clock.now + minute
      const terms = { spreadSeconds: 60, earlyAccess: { minutes: 2, minLevel: 3 } }
      await rig.create({ startsAt: planned, endsAt: planned + 20 * minute, ...terms, timeZone: 'Asia/Tokyo' })
      await rig.act('warm')
      rig.clock.now = planned + 7 * minute
      const started = await rig.ask('POST', '/sales/phone/start', { now })
      expect(started).toMatchObject({ status: 200, body: { startsAt: rig.clock.now, epoch: 1 } })
      expect(await rig.facts()).toMatchObject({ startsAt: rig.clock.now })
      expect(rig.pointer()).toMatchObject({ phase: 'open', startsAt: rig.clock.now })
      expect(rig.audit().at(-1)).toMatchObject({
        what: 'start',
        before: { startsAt: planned },
        after: { startsAt: rig.clock.now, timeZone: 'Asia/Tokyo' },
      })
      // A later pause does not move its start again.
      await rig.act('pause')
      rig.clock.now += minute
      expect(await rig.act('resume')).toMatchObject({ body: { startsAt: planned + 7 * minute } })
    },
  )

  it('leaves each shopper a turn before the end when it is started very late', async () => {
    const planned = rig.clock.now + 1000
    await rig.create({ startsAt: planned, endsAt: planned + 600_000, spreadSeconds: 60 })
    rig.clock.now = planned + 590_000
    const { body } = await rig.act('start')
    expect(body.startsAt).toBe(planned + 600_000 - 60_001)
    expect(await rig.ask('PATCH', '/sales/phone', { title: 'Still editable' })).toMatchObject({ status: 200 })
  })
})
