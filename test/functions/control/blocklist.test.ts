/** Shoppers and addresses that a marketer blocks from all sales (R8). */
import { beforeEach, describe, expect, it } from 'vitest'
import { maxBlocks } from '../../../functions/repair/compare-blocklist.ts'
import { reconcile } from '../../../functions/repair/reconcile.ts'
import { readBlocklist, setBlocked } from '../../../redis/shared-lists.ts'
import { useRedis } from '../../redis/test-store.ts'
import { type World, world } from '../../world/world.ts'

const server = useRedis()

let rig: World
beforeEach(async () => {
  rig = await world({ redis: server })
})

const put = (path: string) => rig.ask('PUT', `/blocklist/${path}`)
const lift = (path: string) => rig.ask('DELETE', `/blocklist/${path}`)
const published = async () => [...(await readBlocklist(server))].sort()
const listed = async () => (await rig.ask('GET', '/blocklist')).body.entries
const run = () =>
  reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: 900_000, full: false }, rig.clock.now + 25_000)

describe('/api/control/blocklist', () => {
  it.each([
    ['shopper/ann', { kind: 'shopper', value: 'ann' }],
    ['shopper/ann%40example.org%7C7', { kind: 'shopper', value: 'ann@example.org|7' }],
    ['ip/203.0.113.7', { kind: 'ip', value: '203.0.113.7' }],
    ['ip/10.1.2.3/8', { kind: 'ip', value: '10.0.0.0/8' }],
    ['ip/2001:DB8:0::1', { kind: 'ip', value: '2001:db8::1' }],
    ['ip/2001:db8::1/64', { kind: 'ip', value: '2001:db8::/64' }],
    ['ip/::ffff:203.0.113.7', { kind: 'ip', value: '203.0.113.7' }],
  ])('blocks %s in its canonical form, and unblocks it (R8)', async (path, block) => {
    const entry = { ...block, who: 'mia', when: rig.clock.now }
    expect(await put(path)).toMatchObject({ status: 200, body: entry })
    expect(await listed()).toEqual([entry])
    expect(await published()).toEqual([`${block.kind} ${block.value}`])
    expect(await lift(path)).toMatchObject({ status: 200, body: block })
    expect(await listed()).toEqual([])
    expect(await published()).toEqual([])
  })

  it.each(['ip/0.0.0.0/0', 'ip/10.0.0.0/7', 'ip/::/0', 'ip/2001::/18', 'ip/::ffff:0:0/96'])(
    'does not block the whole internet by mistake: %s needs force (R8)',
    async (path) => {
      expect(await put(path)).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', field: 'prefix', detail: expect.stringContaining('?force=true') },
      })
      expect(await put(`${path}?force=yes`)).toMatchObject({ status: 400, body: { field: 'force' } })
      expect(await published()).toEqual([])
      expect(await put(`${path}?force=true`)).toMatchObject({ status: 200 })
      expect(await published()).toHaveLength(1)
      expect(await lift(path)).toMatchObject({ status: 200 })
      expect(await published()).toEqual([])
    },
  )

  it.each(['ip/10.0.0.0/8', 'ip/2001:2000::/19'])('accepts %s without force', async (path) => {
    expect(await put(path)).toMatchObject({ status: 200 })
  })

  it.each([
    ['shopper/an%20n', 'value'],
    [`shopper/${'a'.repeat(129)}`, 'value'],
    ['shopper/%E0%A4%A', 'value'],
    ['ip/10.0.0', 'address'],
    ['ip/10.0.0.256', 'address'],
    ['ip/010.0.0.1', 'address'],
    ['ip/fe80::1%25eth0', 'address'],
    ['ip/1:2:3', 'address'],
    ['ip/10.0.0.0/33', 'prefix'],
    ['ip/10.0.0.0/-1', 'prefix'],
    ['ip/10.0.0.0/x', 'prefix'],
    ['ip/2001:db8::/129', 'prefix'],
    ['ip/no/8', 'address'],
  ])('rejects %s, names the field and stores nothing', async (path, field) => {
    for (const answer of [await put(path), await lift(path)]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    }
    expect(await listed()).toEqual([])
    expect(rig.sales.audit).toEqual([])
    expect(await published()).toEqual([])
  })

  it('rejects every other kind, path and method', async () => {
    for (const path of ['planet/earth', 'shopper', 'shopper/ann/8', 'ip/10.0.0.0/8/9']) {
      expect(await put(path), path).toMatchObject({ status: 404, body: { code: 'not-found' } })
    }
    expect(await rig.ask('POST', '/blocklist/shopper/ann', {})).toMatchObject({
      status: 405,
      headers: { allow: 'PUT, DELETE' },
    })
    expect(await rig.ask('PUT', '/blocklist')).toMatchObject({ status: 405, headers: { allow: 'GET' } })
  })

  it('records who changed what, once per change (I5)', async () => {
    await put('shopper/ann')
    rig.clock.now += 1_000
    expect(await put('shopper/ann')).toMatchObject({ body: { when: rig.clock.now - 1_000 } })
    await lift('shopper/ann')
    await lift('shopper/ann')
    const ann = { kind: 'shopper', value: 'ann' }
    const by = { who: 'mia', role: 'marketer', saleId: null, requestId: 'request-1' }
    expect((await rig.ask('GET', '/audit')).body.entries).toEqual([
      { ...by, what: 'unblock', when: rig.clock.now, before: ann, after: null },
      { ...by, what: 'block', when: rig.clock.now - 1_000, before: null, after: ann },
    ])
  })

  it('rejects entries once the list is full', async () => {
    for (let at = 0; at < maxBlocks; at += 1) await put(`shopper/bot-${at}`)
    expect(await put('shopper/one-more')).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('10000') },
    })
    expect(await published()).toHaveLength(maxBlocks)
    expect(await put('shopper/bot-7')).toMatchObject({ status: 200 })
    await lift('shopper/bot-7')
    expect(await put('shopper/one-more')).toMatchObject({ status: 200 })
  }, 20_000)
})

describe('the gate', () => {
  it('receives with the next try an entry that it missed, and nothing changes while the table is unavailable (I5)', async () => {
    rig.gate.goDown()
    await expect(put('shopper/ann')).rejects.toThrow(/unavailable/)
    rig.gate.comeUp()
    await put('shopper/ann')
    expect(await published()).toEqual(['shopper ann'])
    rig.blocklist.goDown()
    await expect(lift('shopper/ann')).rejects.toThrow(/unavailable/)
    expect(await published()).toEqual(['shopper ann'])
  })

  it('has the latest state when two marketers change one entry at the same time', async () => {
    const done = rig.gate.before('block', async () => {
      done()
      await lift('shopper/ann')
    })
    await put('shopper/ann')
    expect(await listed()).toEqual([])
    expect(await published()).toEqual([])
  })

  it('is compared with the table by every run: lost entries return, lifted ones go (I6)', async () => {
    for (const path of ['shopper/ann', 'ip/10.0.0.0/8', 'shopper/joe']) await put(path)
    await setBlocked(server, 'shopper ann', false, rig.clock.now)
    await setBlocked(server, 'shopper kim', true, rig.clock.now)
    await run()
    expect(await published()).toEqual(['ip 10.0.0.0/8', 'shopper ann', 'shopper joe'])
    expect(rig.telemetry.lines).toContainEqual(
      expect.objectContaining({ message: 'block list put right', facts: { entries: 2 } }),
    )
    rig.telemetry.lines.length = 0
    await run()
    expect(rig.telemetry.lines).toEqual([])
  })

  it('that cannot be compared delays nothing else (I6)', async () => {
    await rig.open()
    await rig.reserve(1)
    rig.gate.fail('hkeys:blocklist')
    expect(await run()).toMatchObject({ resent: 1 })
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
  })
})
