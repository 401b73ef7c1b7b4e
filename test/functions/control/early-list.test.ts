/** Who is on the list of a sale for early access: changed in the table, then published to the gate (R6). */

import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { maxEarlyList } from '../../../core/api/early-list.ts'
import type { CouponCode } from '../../../core/orders/coupon.ts'
import { copyOf } from '../../../core/sale/copy-sale.ts'
import { invitationDigest, newInvitations, sendInvitations } from '../../../core/sale/invitations.ts'
import { invitationsApp } from '../../../functions/people/invitations-http.ts'
import { markArchived, removeMarked } from '../../../functions/repair/archive.ts'
import { reconcile } from '../../../functions/repair/reconcile.ts'
import { putBatch } from '../../../functions/table/batch.ts'
import { drawEntryKey, earlyListPk, entryParts, invitationsOf } from '../../../functions/table/keys.ts'
import { addEarlyShoppers, allEarlyShoppers } from '../../../functions/table/sale/early-lists.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { requestOf } from '../../../proof/simulation/parts/requests.ts'
import { addMembers, readMembers, removeList } from '../../../redis/gate/members.ts'
import { saleIdOf, shopperNamed } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { inSample } from '../../whole-plays.ts'
import { behindUrl } from '../../world/function-url.ts'
import { testTelemetry } from '../../world/telemetry.ts'
import { useWorld } from '../../world/world.ts'

const server = useRedis()
const phone = saleIdOf('phone')

const rig = useWorld({ redis: server })
beforeEach(async () => {
  await rig.create({ earlyAccess: { minutes: 1, list: 'on' } })
})

const early = (method: string, body?: unknown, query = '') => rig.ask(method, `/sales/phone/early${query}`, body)
const add = (...shoppers: string[]) => early('PUT', { shoppers })
const remove = (body: unknown) => rig.ask('POST', '/sales/phone/early/remove', body)
const published = async () => [...(await readMembers(server, phone))].sort()
const listed = async () => (await early('GET')).body.shoppers
const run = (full: boolean) => reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: 900_000, full }, rig.clock.now + 25_000)

describe('/api/control/sales/{saleId}/early', () => {
  it('adds shoppers to the list and removes them, in the table and at the gate, once each (I5)', async () => {
    expect(await add('ben', 'ann@x|1')).toMatchObject({ status: 200, body: { changed: 2, same: 0 } })
    expect(await add('ann@x|1', 'cem')).toMatchObject({ body: { changed: 1, same: 1 } })
    expect(await listed()).toEqual(['ann@x|1', 'ben', 'cem'])
    expect(await published()).toEqual(['ann@x|1', 'ben', 'cem'])
    expect(await remove({ shoppers: ['ben', 'dan'] })).toMatchObject({
      body: { changed: 1, same: 1 },
    })
    expect(await listed()).toEqual(['ann@x|1', 'cem'])
    expect(await published()).toEqual(['ann@x|1', 'cem'])
    const audited = rig.audit().filter(({ what }) => what === 'early')
    expect(audited.map(({ after }) => after)).toEqual([{ invited: 2 }, { invited: 1 }, { uninvited: 1 }])
  })

  it('changes nothing in a dry run, and answers the same', async () => {
    await add('ann')
    const asked = { shoppers: ['ann', 'ben'], dryRun: true }
    expect(await early('PUT', asked)).toMatchObject({ body: { changed: 1, same: 1 } })
    expect(await remove(asked)).toMatchObject({ body: { changed: 1, same: 1 } })
    expect([await listed(), await published()]).toEqual([['ann'], ['ann']])
  })

  it('shows a long list page by page', async () => {
    const ids = Array.from({ length: 1001 }, (_, at) => `shopper-${1000 + at}`)
    await early('PUT', { shoppers: ids.slice(0, 1000) })
    await add(...ids.slice(1000))
    const first = (await early('GET')).body
    expect(first).toMatchObject({ count: 1001, next: 'shopper-1999' })
    expect(first.shoppers).toEqual(ids.slice(0, 1000))
    const last = (await early('GET', undefined, '?after=shopper-1999')).body
    expect(last).toMatchObject({ count: 1001, shoppers: ['shopper-2000'], next: null })
  })

  it.each([
    ['shoppers.0', { shoppers: ['an n'] }],
    ['shoppers.1', { shoppers: ['ann', 'x'.repeat(129)] }],
    ['shoppers.0', { shoppers: [7] }],
    ['shoppers', { shoppers: [] }],
    ['shoppers', { shoppers: Array.from({ length: 1001 }, (_, at) => `s-${at}`) }],
    ['shoppers', {}],
    ['dryRun', { shoppers: ['ann'], dryRun: 'yes' }],
    ['all', { shoppers: ['ann'], all: true }],
  ])('refuses a body and names %s: nothing changes', async (field, body) => {
    for (const answer of [await early('PUT', body), await remove(body)]) {
      expect(answer).toMatchObject({ status: 400, body: { field } })
    }
    expect([await listed(), await published()]).toEqual([[], []])
  })

  it('never has more shoppers than its limit when many calls come at once (I5)', async () => {
    const many = Array.from({ length: maxEarlyList - 5 }, (_, at) => shopperNamed(`s-${at}`))
    await addEarlyShoppers(rig.ports.table, phone, many)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => add(`late-${at}-a`, `late-${at}-b`)))
    const done = answers.filter(({ status }) => status === 200)
    expect(done).toHaveLength(2)
    for (const { status, body } of answers) {
      if (status !== 200) expect(['early-list-full', 'stock-busy']).toContain(body.reason)
    }
    expect((await early('GET')).body.count).toBe(maxEarlyList - 1)
  })

  it('has an end: a list that is full takes no more, but loses some', async () => {
    const many = Array.from({ length: maxEarlyList }, (_, at) => shopperNamed(`s-${at}`))
    await addEarlyShoppers(rig.ports.table, phone, many)
    expect(await add('ann')).toMatchObject({ status: 409, body: { reason: 'early-list-full' } })
    expect(await add('s-1')).toMatchObject({ status: 200, body: { changed: 0, same: 1 } })
    expect(await remove({ shoppers: ['s-1'] })).toMatchObject({ body: { changed: 1 } })
    expect(await add('ann')).toMatchObject({ status: 200 })
  })

  it('belongs to a sale that exists, and red packets have no such list', async () => {
    const body = { shoppers: ['ann'] }
    for (const answer of [
      await rig.ask('GET', '/sales/no-such/early'),
      await rig.ask('PUT', '/sales/no-such/early', body),
      await rig.ask('POST', '/sales/no-such/early/remove', body),
    ]) {
      expect(answer).toMatchObject({ status: 404 })
    }
    const rain = { kind: 'red-packet', packets: { count: 2, totalAmount: 10 }, price: 0 }
    await rig.ask('POST', '/sales', { ...rainDefinition(rig.clock.now), ...rain })
    const refused = await rig.ask('PUT', '/sales/rain/early', { shoppers: ['ann'] })
    expect(refused).toMatchObject({ status: 409, body: { reason: 'no-early-access' } })
  })

  it('completes by a repeated call what was cut off before the gate', async () => {
    await addEarlyShoppers(rig.ports.table, phone, [shopperNamed('ann')])
    expect(await published()).toEqual([])
    expect(await add('ann')).toMatchObject({ body: { changed: 0, same: 1 } })
    expect(await published()).toEqual(['ann'])
  })
})

function rainDefinition(now: number) {
  return {
    ...{ saleId: 'rain', title: 'Rain', description: 'Red packets.', currency: 'EUR' },
    pictures: [{ src: '/assets/pictures/packet.svg', alt: 'A packet' }],
    ...{ startsAt: now + 60_000, endsAt: now + 3_600_000 },
  }
}

describe('the copy of the list at the gate', () => {
  it('is made again within a run after the store has lost it (I6)', async () => {
    await add('ann', 'ben')
    await removeList(server, phone)
    await run(false)
    expect(await published()).toEqual(['ann', 'ben'])
  })

  it('is compared whole at times: shoppers that should not be on it are removed, missing ones added', async () => {
    await add('ann', 'ben')
    await addMembers(server, phone, [shopperNamed('eve')])
    await addEarlyShoppers(rig.ports.table, phone, [shopperNamed('cem')])
    await run(true)
    expect(await published()).toEqual(['ann', 'ben', 'cem'])
  })

  it('costs a sale without a list no command', async () => {
    await rig.ask('PATCH', '/sales/phone', { earlyAccess: null })
    expect((await rig.ask('GET', '/sales/phone')).body.earlyAccess).toBeUndefined()
    await addMembers(server, phone, [shopperNamed('eve')])
    await run(true)
    expect(await published()).toEqual(['eve'])
  })

  it('goes with the sale', async () => {
    await add('ann')
    await rig.ask('DELETE', '/sales/phone')
    expect(await published()).toEqual([])
  })

  it('is not taken over by a copied sale, which asks for a list of its own', async () => {
    await add('ann')
    const { body: sale } = await rig.ask('GET', '/sales/phone')
    const copy = { ...copyOf(sale, rig.clock.now), saleId: 'phone-2' }
    expect(await rig.ask('POST', '/sales', copy)).toMatchObject({
      ...{ status: 201, body: { earlyAccess: { minutes: 1, list: 'on' } } },
    })
    await run(true)
    expect((await rig.ask('GET', '/sales/phone-2/early')).body.shoppers).toEqual([])
    expect([...(await readMembers(server, saleIdOf('phone-2')))]).toEqual([])
    expect([await listed(), await published()]).toEqual([['ann'], ['ann']])
  })

  it('is removed when its sale is archived, which refuses further changes and is not published again', async () => {
    await add('ann')
    await rig.act('start')
    rig.clock.now += 9 * 86_400_000
    expect(await markArchived({ ...rig.ports, deadline: Infinity }, phone)).toBe(true)
    for (const answer of [await add('ben'), await remove({ shoppers: ['ann'] })]) {
      expect(answer).toMatchObject({ status: 409, body: { reason: 'archived' } })
    }
    const marked = (await findSale(rig.table, phone))?.sale
    if (marked === undefined) throw new Error('the sale is gone')
    rig.clock.now += 120_000
    expect(await removeMarked(rig.ports, marked)).toBe(true)
    await run(true)
    expect(await published()).toEqual([])
  })
})

describe('the deletion of a sale that was never started', () => {
  const keysLeft = async () => {
    const { client, name } = rig.table.table
    const parts = [earlyListPk(phone), invitationsOf(phone), ...entryParts(phone)]
    const pages = await Promise.all(
      parts.map((pk) =>
        client.send(
          new QueryCommand({
            TableName: name,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': pk },
          }),
        ),
      ),
    )
    return pages.flatMap(({ Items = [] }) => Items).length
  }

  it('deletes its list, its invitations and its draw entries, also when it is repeated after it was cut off', async () => {
    await add(...Array.from({ length: 60 }, (_, n) => `shopper-${n}`))
    await early('PUT', { invitations: ['0', '1'].map((digit) => digit.repeat(64)) })
    const entries = ['0a', 'ff'].map((id) => ({ ...drawEntryKey(phone, id), shopperId: 'ann' }))
    await putBatch(rig.table.table, entries)
    const other = saleIdOf('phones')
    await addEarlyShoppers(rig.table.table, other, [shopperNamed('ann')])
    expect(await keysLeft()).toBe(64)
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
    expect(await keysLeft()).toBe(0)
    // What a call that came between has added goes with the repeat.
    await addEarlyShoppers(rig.table.table, phone, [shopperNamed('ben')])
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
    expect(await keysLeft()).toBe(0)
    expect(await allEarlyShoppers(rig.table.table, other)).toEqual(['ann'])
  })
})

describe('invitations', () => {
  const codesOf = async (count: number) => {
    const { codes } = newInvitations(phone, count, 'https://shop.example')
    const send = async (invitations: readonly string[]) => (await early('PUT', { invitations })).body
    await sendInvitations(phone, codes, send, () => {})
    return codes
  }
  const answers: Record<number, string> = { 200: 'redeemed', 404: 'unknown', 409: 'used' }
  const redeem = async (shopper: string, code: CouponCode, saleId = phone) => {
    const send = behindUrl(testTelemetry(), invitationsApp({ ...rig.ports, gate: server }))
    const body = { saleId, code }
    const path = '/api/wallet/invitations'
    return answers[(await send(requestOf(shopperNamed(shopper), 'POST', path, body))).status]
  }

  it('are kept as digests, once however often they are sent, and counted (I5)', async () => {
    const { codes, csv } = newInvitations(phone, 2, 'https://shop.example')
    expect(csv.split('\r\n')[1]).toBe(`${codes[0]},https://shop.example/sales/phone/#invitation=${codes[0]}`)
    const invitations = await Promise.all(codes.map((code) => invitationDigest(phone, code)))
    expect((await early('PUT', { invitations, dryRun: true })).body).toEqual({ changed: 2, same: 0 })
    expect((await early('PUT', { invitations })).body).toEqual({ changed: 2, same: 0 })
    expect((await early('PUT', { invitations })).body).toEqual({ changed: 0, same: 2 })
    expect((await early('GET')).body.invitations).toEqual({ issued: 2, redeemed: 0 })
    expect(rig.audit().flatMap(({ what, after }) => (what === 'early' ? [after] : []))).toEqual([{ invitations: 2 }])
  })

  it.each([
    [{ invitations: ['abc'] }, 'invitations.0'],
    [{ invitations: [] }, 'invitations'],
    [{}, 'shoppers'],
    [{ shoppers: ['ann'], invitations: ['0'.repeat(64)] }, 'shoppers'],
  ])('are refused when they are wrong: %j', async (body, field) => {
    expect(await early('PUT', body)).toMatchObject({ status: 400, body: { field } })
  })

  it('have room on the list, as its shoppers do', async () => {
    const many = Array.from({ length: maxEarlyList - 1 }, (_, at) => shopperNamed(`early-${at}`))
    await addEarlyShoppers(rig.ports.table, phone, many)
    const invitations = ['0', '1'].map((digit) => digit.repeat(64))
    expect(await early('PUT', { invitations })).toMatchObject({
      status: 409,
      body: { reason: 'early-list-full' },
    })
    expect((await early('PUT', { invitations: invitations.slice(1) })).body).toEqual({ changed: 1, same: 0 })
  })

  const count = inSample(150, 10_000)
  it(`bring one shopper each onto the list, for ${count} codes that three shoppers race for (R6)`, async () => {
    const codes = await codesOf(count)
    const rivals = ['ann', 'ben', 'cem']
    const winners: string[] = []
    for (const [at, code] of codes.entries()) {
      const got = await Promise.all(rivals.map((name) => redeem(`${name}-${at}`, code)))
      expect(got.toSorted()).toEqual(['redeemed', 'used', 'used'])
      winners.push(`${rivals[got.indexOf('redeemed')]}-${at}`)
    }
    expect((await published()).toSorted()).toEqual(winners.toSorted())
    expect(await allEarlyShoppers(rig.ports.table, phone)).toEqual(winners.toSorted())
    expect((await early('GET')).body.invitations).toEqual({ issued: count, redeemed: count })
  })

  it('answer the same shopper the same again, also after a crash before the gate knew, and no other sale', async () => {
    const [code = expect.fail('no code')] = await codesOf(1)
    expect(await redeem('ann', code)).toBe('redeemed')
    await removeList(server, phone)
    expect(await redeem('ann', code)).toBe('redeemed')
    expect(await published()).toEqual(['ann'])
    // A marketer's decision stands.
    await remove({ shoppers: ['ann'] })
    expect(await redeem('ann', code)).toBe('redeemed')
    expect(await published()).toEqual([])
    const [other = expect.fail('no code')] = newInvitations(phone, 1, '').codes
    expect(await redeem('ann', other)).toBe('unknown')
    expect(await redeem('ben', code, saleIdOf('lamp'))).toBe('unknown')
  })
})
