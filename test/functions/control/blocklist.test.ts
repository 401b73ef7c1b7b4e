/** Shoppers and addresses that a marketer blocks from all sales (R8). */
import { describe, expect, it } from 'vitest'
import { maxBlocksOfImport } from '../../../core/api/blocks.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import { maxBlocks } from '../../../functions/table/gate/blocklist.ts'
import { readBlocklist, setBlocked } from '../../../redis/gate/shared-lists.ts'
import { useRedis } from '../../redis/test-store.ts'
import { useWorld } from '../../world/world.ts'

const server = useRedis()

const rig = useWorld({ redis: server })

/** The form of a thumbprint (RFC 7638). */
const keyId = 'S9fKQx7o8c0n1m2l3k4j5h6g7f8d9s0a1p2o3i4u5y6'

const put = (path: string) => rig.ask('PUT', `/blocklist/${path}`)
const lift = (path: string) => rig.ask('DELETE', `/blocklist/${path}`)
const published = async () => [...(await readBlocklist(server))].sort()
const listed = async () => (await rig.ask('GET', '/blocklist')).body.entries

describe('/api/control/blocklist', () => {
  it.each([
    ['shopper/ann%40example.org%7C7', { kind: 'shopper', value: 'ann@example.org|7' }],
    ['ip/10.1.2.3/8', { kind: 'ip', value: '10.0.0.0/8' }],
    ['ip/2001:db8::1/64', { kind: 'ip', value: '2001:db8::/64' }],
    ['ip/::ffff:203.0.113.7', { kind: 'ip', value: '203.0.113.7' }],
    [`session-key/${keyId}`, { kind: 'session-key', value: keyId }],
    ['shop-key/till-1', { kind: 'shop-key', value: 'till-1' }],
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

  // Every value that is invalid: test/core/gate.
  it.each([
    ['shopper/an%20n', 'value'],
    [`shopper/${'a'.repeat(129)}`, 'value'],
    ['shopper/%E0%A4%A', 'value'],
    ['ip/10.0.0.0/33', 'prefix'],
    ['ip/no/8', 'address'],
    ['session-key/a%20b', 'value'],
    [`session-key/${'k'.repeat(68)}`, 'value'],
    ['shop-key/Till', 'value'],
  ])('rejects %s, names the field and stores nothing', async (path, field) => {
    for (const answer of [await put(path), await lift(path)]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    }
    expect(await listed()).toEqual([])
    expect(rig.audit()).toEqual([])
    expect(await published()).toEqual([])
  })

  it('rejects every other kind, path and method', async () => {
    for (const path of ['planet/earth', 'toString/x', 'shopper', 'shopper/ann/8', 'ip/10.0.0.0/8/9', 'ip/10.0.0.0/']) {
      expect(await put(path), path).toMatchObject({ status: 404, body: { code: 'not-found' } })
    }
    expect(await rig.ask('POST', '/blocklist/shopper/ann', {})).toMatchObject({
      status: 405,
      headers: { allow: 'PUT, DELETE' },
    })
    expect(await rig.ask('POST', '/blocklist', {})).toMatchObject({ status: 405, headers: { allow: 'GET, PUT' } })
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

  it('keeps a reason and an end, and changes them where a repeat says others (I5)', async () => {
    const until = rig.clock.now + 60_000
    const say = (body: object) => rig.ask('PUT', '/blocklist/shopper/ann', body)
    const first = { kind: 'shopper', value: 'ann', who: 'mia', when: rig.clock.now, reason: 'Bot 🤖', until }
    expect(await say({ reason: ' Bot 🤖 ', until })).toMatchObject({ status: 200, body: first })
    rig.clock.now += 1_000
    expect((await put('shopper/ann')).body).toEqual(first)
    expect((await say({ reason: 'Bot 🤖', until })).body).toEqual(first)
    const next = { kind: 'shopper', value: 'ann', who: 'mia', when: rig.clock.now, reason: 'A robot' }
    expect((await say({ reason: 'A robot' })).body).toEqual(next)
    expect(await listed()).toEqual([next])
    const changed = rig.audit().map(({ what, before, after }) => ({ what, before, after }))
    const ann = { kind: 'shopper', value: 'ann' }
    expect(changed).toEqual([
      { what: 'block', before: null, after: { ...ann, reason: 'Bot 🤖', until } },
      { what: 'block', before: { ...ann, reason: 'Bot 🤖', until }, after: { ...ann, reason: 'A robot' } },
    ])
    for (const [body, field] of [
      [{ reason: 'x'.repeat(101) }, 'reason'],
      [{ reason: 'two\nlines' }, 'reason'],
      [{ reason: '  ' }, 'reason'],
      [{ until: rig.clock.now }, 'until'],
      [{ until: 'soon' }, 'until'],
      [{ end: 1 }, 'end'],
    ] as const)
      expect(await say(body), field).toMatchObject({ status: 400, body: { field } })
  })

  it('ends an entry by itself, in the list and at the gate, and no other (I6)', async () => {
    const until = rig.clock.now + 60_000
    await rig.ask('PUT', '/blocklist/shopper/ann', { until })
    await rig.ask('PUT', '/blocklist/shopper/kim', { until: until + 1 })
    await put('shopper/joe')
    rig.clock.now = until - 1
    await rig.reconcile()
    expect(await published()).toEqual(['shopper ann', 'shopper joe', 'shopper kim'])
    rig.clock.now = until
    await rig.reconcile()
    await rig.reconcile()
    expect(await published()).toEqual(['shopper joe', 'shopper kim'])
    expect((await listed()).map(({ value }: { value: string }) => value)).toEqual(['joe', 'kim'])
    expect(rig.audit().filter(({ what }) => what === 'end-blocks')).toMatchObject([
      { who: 'reconcile', before: { entries: ['shopper ann'] }, after: null },
    ])
    expect(rig.telemetry.lines).toEqual([])
  })

  it('imports entries at most once each, after a dry run that changes nothing (I5)', async () => {
    await put('shopper/ann')
    const entries = [
      { kind: 'shopper', value: 'ann' },
      { kind: 'shopper', value: 'kim', reason: 'Reseller' },
      ...Array.from({ length: 90 }, (_, at) => ({ kind: 'ip', value: `203.0.113.${at}` })),
    ]
    const send = (dryRun: boolean) => rig.ask('PUT', '/blocklist', { entries, dryRun })
    expect(await send(true)).toMatchObject({ status: 200, body: { changed: 91, same: 1 } })
    expect(await published()).toHaveLength(1)
    expect((await send(false)).body).toEqual({ changed: 91, same: 1 })
    expect((await send(false)).body).toEqual({ changed: 0, same: 92 })
    expect(await published()).toHaveLength(92)
    expect(await listed()).toContainEqual(expect.objectContaining({ value: 'kim', reason: 'Reseller' }))
    const named = rig.audit().flatMap(({ what, after }) => (what === 'import-blocks' ? after?.entries : []))
    expect(named).toHaveLength(91)
    await lift('shopper/kim')
    expect((await send(true)).body).toEqual({ changed: 1, same: 91 })
  })

  it('imports the same entries in two calls at once, each once (I5)', async () => {
    const entries = Array.from({ length: maxBlocksOfImport }, (_, n) => ({ kind: 'shopper', value: `s${n}` }))
    const calls = [0, 1].map(() => rig.ask('PUT', '/blocklist', { entries }))
    const answers = await Promise.all(calls)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers.reduce((sum, { body }) => sum + body.changed, 0)).toBe(maxBlocksOfImport)
    expect(await listed()).toHaveLength(maxBlocksOfImport)
  })

  it('imports nothing of a call with an entry that cannot be, and names it', async () => {
    for (const [entry, field] of [
      [{ kind: 'ip', value: '10.0.0.0/7' }, 'entries.1.value'],
      [{ kind: 'ip', value: '10.1.2.3/8' }, 'entries.1'],
      [{ kind: 'planet', value: 'earth' }, 'entries.1.kind'],
      [{ kind: 'ip', value: '10.0.0.0/8', until: 5 }, 'entries.1.until'],
    ] as const) {
      const entries = [{ kind: 'shopper', value: 'kim' }, entry]
      expect(await rig.ask('PUT', '/blocklist', { entries }), field).toMatchObject({ status: 400, body: { field } })
    }
    const own = { entries: [{ kind: 'shopper', value: 'mia' }] }
    expect(await rig.ask('PUT', '/blocklist', own)).toMatchObject({ body: { reason: 'own-block' } })
    expect(await listed()).toEqual([])
  })

  it('rejects entries once the list is full', async () => {
    const bots = Array.from({ length: maxBlocks }, (_, at) => ({ kind: 'shopper', value: `bot-${at}` }))
    for (const entries of slicesOf(bots, maxBlocksOfImport)) await rig.ask('PUT', '/blocklist', { entries })
    expect(await put('shopper/one-more')).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('10000') },
    })
    expect(await published()).toHaveLength(maxBlocks)
    expect(await put('shopper/bot-7')).toMatchObject({ status: 200 })
    await lift('shopper/bot-7')
    expect(await put('shopper/one-more')).toMatchObject({ status: 200 })
  })
})

describe('a marketer whose access was withdrawn', () => {
  const as = (who: string, headers: Record<string, string> = {}) => ({ 'x-shopper-id': who, ...headers })
  const marta = (method: string, path: string, headers = {}) =>
    rig.ask(method, path, method === 'POST' ? { find: 'ann' } : undefined, as('marta', headers))

  it('does not keep it for the eight hours of the session: the next call is refused, also where the gate has lost its copy (R8)', async () => {
    expect((await marta('GET', '/sales')).status).toBe(200)
    await put('shopper/marta')
    await setBlocked(server, 'shopper marta', false, rig.clock.now)
    for (const [method, path] of [
      ['GET', '/sales'],
      ['POST', '/orders/find'],
      ['DELETE', '/blocklist/shopper/marta'],
    ] as const) {
      expect(await marta(method, path), path).toMatchObject({ status: 403, body: { code: 'blocked' } })
    }
    expect((await rig.ask('GET', '/sales')).status, 'any other marketer').toBe(200)
    await lift('shopper/marta')
    expect((await marta('GET', '/sales')).status).toBe(200)
  })

  it('loses every session of a blocked key, and keeps those of the next one (R8)', async () => {
    await put(`session-key/${keyId}`)
    const former = { 'x-session-key': keyId }
    expect(await marta('GET', '/sales', former)).toMatchObject({ status: 401, body: { code: 'sign-in-required' } })
    expect((await marta('POST', '/orders/find', former)).status).toBe(401)
    expect((await marta('GET', '/sales', { 'x-session-key': 'next' })).status).toBe(200)
  })

  it('is not let in while the table cannot say so (R8)', async () => {
    rig.table.goDown()
    await expect(marta('GET', '/sales')).rejects.toThrow(/unavailable/)
    await expect(marta('POST', '/orders/find')).rejects.toThrow(/unavailable/)
  })

  it('is never the caller: the last marketer cannot lock everyone out by a slip', async () => {
    expect(await put('shopper/mia')).toMatchObject({ status: 409, body: { reason: 'own-block' } })
    expect(
      await rig.ask('PUT', `/blocklist/session-key/${keyId}`, undefined, { 'x-session-key': keyId }),
    ).toMatchObject({ status: 409, body: { reason: 'own-session-key' } })
    expect(await listed()).toEqual([])
    expect(rig.audit()).toEqual([])
  })
})

describe('the gate', () => {
  it('receives with the next try an entry that it missed, and nothing changes while the table is unavailable (I5)', async () => {
    rig.gate.goDown()
    await expect(put('shopper/ann')).rejects.toThrow(/unavailable/)
    rig.gate.comeUp()
    await put('shopper/ann')
    expect(await published()).toEqual(['shopper ann'])
    rig.table.goDown()
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
    await rig.reconcile()
    expect(await published()).toEqual(['ip 10.0.0.0/8', 'shopper ann', 'shopper joe'])
    expect(rig.telemetry.lines).toContainEqual(
      expect.objectContaining({ message: 'block list repaired', facts: { entries: 2 } }),
    )
    rig.telemetry.lines.length = 0
    await rig.reconcile()
    expect(rig.telemetry.lines).toEqual([])
  })
})
