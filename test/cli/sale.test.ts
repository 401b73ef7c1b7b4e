import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atCommandLine } from '../../cli/sale.ts'
import { parse } from '../../core/lib/parse.ts'
import { problem } from '../../core/outcome.ts'
import { refusalReasons } from '../../core/refusals.ts'
import { roleDetail } from '../../core/roles.ts'
import { saleKinds } from '../../core/sale/kinds.ts'
import { saleDefinition } from '../../core/sale/sale.ts'
import { newFolder } from '../folders.ts'
import { fakeControlApi, sale } from './sale/control-api.ts'

const { answer, api, asked, calls, complaints, lines, notes, run, runIn, stop, troubles } = fakeControlApi()

/** The words of the `create` command in the guide to a first sale, as a shell would split them. */
function guideCreate(): string[] {
  const guide = readFileSync(new URL('../../docs/guide/first-sale.md', import.meta.url), 'utf8')
  const [, section = ''] = guide.split('\n## On the command line\n')
  const [, command = ''] = /^npm run sale -- (create (?:.*\\\n)*.*)$/m.exec(section) ?? []
  const words = command.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|(\S+)/g)
  return [...words].map(([, quoted, bare]) => quoted ?? bare ?? '')
}

describe('the system that the sale command talks to', () => {
  it('signs in as a marketer by itself on this machine', async () => {
    answer.body = { sales: [sale], next: null }
    expect(await run('list')).toBe(0)
    const signIn = { shopperId: 'marketer', roles: ['marketer'] }
    expect(asked).toMatchObject([
      { path: '/local/sign-in', body: signIn },
      { method: 'GET', path: '/api/control/sales?numbers=true', authorization: 'Bearer local-token' },
    ])
    expect(lines.join('\n')).toMatch(/mugs .*Stoneware mug/)
  })

  it('gets the given token, and is asked for no other', async () => {
    await run('--token', 'mine', 'show', 'mugs')
    expect(asked).toMatchObject([{ path: '/api/control/sales/mugs', authorization: 'Bearer mine' }])
  })

  it('is never asked for a local sign-in when it is a foreign one', async () => {
    expect(await runIn({}, '--url', 'https://shop.example', 'list')).toBe(1)
    expect(complaints.join()).toContain('--token')
  })

  it('is that of SLUICE_URL, so that a forgotten --url reaches the system whose token is exported', async () => {
    const environment = { url: `${api.url}/`, token: 'production', at: 'http://127.0.0.1:1' }
    expect(await runIn(environment, 'close', 'mugs')).toBe(0)
    expect(asked).toMatchObject([{ path: '/api/control/sales/mugs/close', authorization: 'Bearer production' }])
    expect(notes).toEqual([`Changing ${api.url} (SLUICE_URL)`])
  })

  it('never gets SLUICE_TOKEN when it is not the one of SLUICE_URL', async () => {
    const production = { url: 'https://shop.example', token: 'production' }
    expect(await runIn(production, '--url', api.url, 'close', 'mugs')).toBe(0)
    expect(asked.map((a) => a.authorization)).toEqual([undefined, 'Bearer local-token'])
    expect(await runIn(production, '--url', 'https://other.example', 'close', 'mugs')).toBe(1)
    expect(complaints.at(-1)).toBe(
      "SLUICE_TOKEN is not sent to https://other.example: it belongs to https://shop.example (SLUICE_URL). Give this system's token with --token",
    )
    // The port is part of the system: several run on one machine.
    expect(await runIn({ url: 'http://127.0.0.1:1', token: 'other' }, '--url', api.url, 'list')).toBe(1)
    expect(asked.some((a) => a.authorization?.includes('other'))).toBe(false)
  })

  it.each(['a\nx: y', 'a…', 'a b', 'a\0'])('never gets the token %j, and nor does the terminal', async (token) => {
    expect(await runIn({}, '--url', api.url, '--token', token, 'list')).toBe(1)
    expect(await runIn({ url: api.url, token }, 'list')).toBe(1)
    const fault = 'has a space, a line break or another character that is in no token'
    expect(complaints.slice(-2)).toEqual([`--token ${fault}`, `SLUICE_TOKEN ${fault}`])
  })

  it('never gets a token that is given without the name of its system', async () => {
    expect(await runIn({ token: 'production', at: api.url }, 'close', 'mugs')).toBe(0)
    expect(asked.map((a) => a.authorization)).toEqual([undefined, 'Bearer local-token'])
    expect(await runIn({ token: 'production' }, '--url', 'https://shop.example', 'list')).toBe(1)
    expect(complaints.at(-1)).toContain('set SLUICE_URL to the system that the token was made for')
    asked.length = 0
    expect(await runIn({ at: api.url }, '--token', 'mine', 'close', 'mugs')).toBe(1)
    expect(complaints.at(-1)).toContain('--token needs --url')
    expect(asked).toEqual([])
  })

  it('is the local one on any port', async () => {
    answer.body = { sales: [sale], next: null }
    expect(await runIn({ at: api.url }, 'list')).toBe(0)
    expect(asked.at(-1)).toMatchObject({ path: '/api/control/sales?numbers=true' })
  })

  it('is named before a changing call, and not before a reading one', async () => {
    await run('close', 'mugs')
    expect(notes).toEqual([`Changing ${api.url} (--url)`])
    await run('show', 'mugs')
    await run('live', 'mugs')
    expect(notes).toHaveLength(1)
  })

  it('must have a valid address, and answer', async () => {
    expect(await runIn({ url: 'shop.example' }, 'list')).toBe(1)
    expect(complaints).toEqual(['SLUICE_URL: "shop.example" is not an http address'])
    await stop()
    expect(await run('list')).toBe(1)
    expect(complaints.join()).toContain('npm start')
  })
})

describe('the list of sales', () => {
  it('is a page that says how to continue, or all pages', async () => {
    const page = { status: 200, body: { sales: [sale], next: '5.mugs' } }
    const last = { status: 200, body: { sales: [{ ...sale, saleId: 'lamp' }], next: null } }
    const numbers = { [sale.saleId]: { sold: 38, left: 60, paid: 12, revenue: 480, out: null, full: null } }
    troubles.push({ ...page, body: { ...page.body, numbers } })
    await run('list')
    expect(lines.at(-1)).toMatch(/ stock +sold +left +revenue .*(?:.|\n)* 38 +60 +CN¥4\.80 /)
    expect(lines.at(-1)).toContain('There are more: list --after 5.mugs, or list --all')
    troubles.push(last)
    await run('list', '--after', '5.mugs')
    expect(asked.at(-1)?.path).toBe('/api/control/sales?after=5.mugs&numbers=true')
    expect(lines.at(-1)).not.toContain('more')
    troubles.push({ ...last, body: { ...last.body, sales: [{ ...sale, archivedAt: 1_800_000_000_000 }] } })
    await run('list', '--archived', '--after', '5.mugs')
    expect(asked.at(-1)?.path).toBe('/api/control/sales?after=5.mugs&archived=true&numbers=true')
    expect(lines.at(-1)).toMatch(/mugs .* archived /)
    troubles.push(page, last)
    await run('list', '--all')
    expect(lines.at(-1)).toMatch(/mugs (?:.|\n)*\nlamp /)
    expect(lines.at(-1)).not.toContain('There are more')
  })

  it('is searched until it has a page of sales, and says how to go on', async () => {
    const few = { status: 200, body: { sales: [sale], next: '5.mugs' } }
    const none = { status: 200, body: { sales: [], next: null } }
    troubles.push(few, { ...none, body: { ...none.body, next: '3.mugs' } }, none)
    await run('list', '--find', '50 * 杯', '--kind', 'goods', '--state', 'live')
    const query = 'find=50+%2A+%E6%9D%AF&kind=goods&state=live&numbers=true'
    expect(asked.slice(1).map(({ path }) => path.split('?')[1])).toEqual([
      ...[query, `after=5.mugs&${query}`, `after=3.mugs&${query}`],
    ])
    expect(lines.at(-1)).toMatch(/mugs/)
    expect(lines.at(-1)).not.toContain('There are more')
    troubles.push({ status: 200, body: { sales: Array(50).fill(sale), next: '5.mugs' } })
    await run('list', '--archived', '--find', 'a "mug"')
    expect(lines.at(-1)).toContain('There are more: list --archived --find "a \\"mug\\"" --after 5.mugs')
    troubles.push(none)
    await run('list', '--state', 'paused')
    expect(lines.at(-1)).toBe('No sales found.')
    expect(await run('list', '--state', 'sold-out')).toBe(1)
  })
})

describe('a call of the sale command', () => {
  it.each<[string[], string, string, unknown]>([
    [['warm', 'mugs'], 'POST', '/sales/mugs/warm', {}],
    [['start', 'mugs'], 'POST', '/sales/mugs/start', {}],
    [['start', 'mugs', '--now'], 'POST', '/sales/mugs/start', { now: true }],
    [['pause', 'mugs'], 'POST', '/sales/mugs/pause', {}],
    [['resume', 'mugs'], 'POST', '/sales/mugs/resume', {}],
    [['close', 'mugs'], 'POST', '/sales/mugs/close', {}],
    [['edit', 'mugs', '--title', 'New'], 'PATCH', '/sales/mugs', { title: 'New' }],
    [['delete', 'mugs'], 'DELETE', '/sales/mugs', null],
    [['recover', 'mugs'], 'POST', '/sales/mugs/recover', {}],
    [['reconcile', 'mugs'], 'POST', '/sales/mugs/reconcile', {}],
    [['refund', 'mugs-1'], 'POST', '/orders/mugs-1/refund', {}],
    [['settle-refund', 'mugs-1'], 'POST', '/orders/mugs-1/settle-refund', {}],
    [['redrive'], 'POST', '/dead-letters/redrive', {}],
    [['rotate-pass-keys'], 'POST', '/pass-keys/rotate', {}],
    [['pause', '--all'], 'POST', '/pause', {}],
    [['resume', '--all'], 'POST', '/resume', {}],
    // A block, in the one form of its value (R8).
    [['block', 'add', 'shopper', 'ann|1@example.org'], 'PUT', '/blocklist/shopper/ann|1@example.org', {}],
    [['block', 'add', 'ip', '2001:DB8:0::7/32'], 'PUT', '/blocklist/ip/2001:db8::/32', {}],
    [['block', 'add', 'session-key', 'key-1'], 'PUT', '/blocklist/session-key/key-1', {}],
    [['block', 'remove', 'shop-key', 'till-1'], 'DELETE', '/blocklist/shop-key/till-1', null],
    [['block', 'remove', 'ip', '203.0.113.7'], 'DELETE', '/blocklist/ip/203.0.113.7', null],
    [['stock', 'mugs', '+10'], 'POST', '/sales/mugs/stock', { delta: 10 }],
    [['stock', 'mugs', '-10'], 'POST', '/sales/mugs/stock', { delta: -10 }],
    [['stock', 'mugs', '-10', '--variant', 's'], 'POST', '/sales/mugs/stock', { delta: -10, variant: 's' }],
  ])('is sent for %j as %s %s', async (args, method, path, body) => {
    await run(...args)
    expect(calls().at(-1)).toEqual([method, path, body])
  })

  it.each<[string, 'lost' | { status: number; body: unknown }]>([
    ['lost', 'lost'],
    ['503', { status: 503, body: problem('unavailable', 'A part of the shop does not answer.') }],
  ])('that changes the stock is repeated with the same key when the answer is %s (I5)', async (_, trouble) => {
    answer.body = { total: 20, booked: 3 }
    troubles.push(trouble)
    expect(await run('--token', 'mine', 'stock', 'mugs', '+10')).toBe(0)
    const [first, second] = asked
    expect(asked).toHaveLength(2)
    expect(first?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toEqual(first)
    await run('--token', 'mine', 'stock', 'mugs', '+10')
    expect(asked.at(-1)?.key).not.toBe(first?.key)
  })

  it('that changes the stock is sent twice at most, and a refused one once', async () => {
    troubles.push('lost', 'lost', 'lost')
    expect(await run('--token', 'mine', 'stock', 'mugs', '+10')).toBe(1)
    expect(asked).toHaveLength(2)
    troubles.splice(0, 1, { status: 409, body: problem('conflict', 'Too many.') })
    expect(await run('--token', 'mine', 'stock', 'mugs', '-10')).toBe(1)
    expect(asked).toHaveLength(3)
  })

  it('that is refused is explained, with the wrong field or the roles that could make it', async () => {
    const wrong = problem('invalid-request', 'endsAt must be after startsAt', { field: 'endsAt' })
    Object.assign(answer, { status: 400, body: wrong })
    expect(await run('edit', 'mugs', '--ends', '+1h')).toBe(1)
    const detail = roleDetail(['marketer', 'support'])
    Object.assign(answer, { status: 403, body: { code: 'role-required', status: 403, detail } })
    expect(await run('redrive')).toBe(1)
    expect(complaints).toEqual([
      'invalid-request (endsAt): endsAt must be after startsAt',
      'role-required: This needs the role marketer or support.',
    ])
  })

  // How each option is read: sale/definition.test.ts.
  it.each([
    [['nonsense'], 'unknown command'],
    [['stock', 'mugs', 'many'], 'whole number'],
    [['create', '--starts', 'noon'], 'is not a time'],
    [['create', '--kind', 'lottery'], 'goods, coupon, red-packet'],
    [['create', '--id', 'mugs'], 'title must be a string'],
    [['pause'], 'name one sale, or give --all'],
    [['pause', 'mugs', '--all'], 'name one sale, or give --all'],
    [['block', 'add', 'ip', '10.0.0.0/33'], 'not an IP address or a range'],
    [['block', 'add', 'shopper', 'no spaces'], 'not a shopper ID'],
    [['block', 'add', 'sale', 'mugs'], 'use ip, shopper, session-key, shop-key'],
    [['block', 'add', 'session-key', 'a/b'], 'not the ID (kid) of a session key'],
    [['block', 'add', 'shop-key', 'Till'], 'not the name of a shop key'],
  ])('is not made for %j, which exits 1 with a plain sentence', async (args, sentence) => {
    expect(await run(...args)).toBe(1)
    expect(complaints.join(' ')).toContain(sentence)
    expect(calls()).toEqual([])
  })
})

describe('a definition on the command line', () => {
  it('prints an example of each kind, and asks for nothing', async () => {
    for (const kind of saleKinds) {
      lines.length = 0
      expect(await run('create', '--example', kind)).toBe(0)
      expect(parse(saleDefinition, JSON.parse(lines.join('\n')))).toMatchObject({ ok: true, value: { kind } })
    }
    expect(asked).toEqual([])
  })

  it('is complete in the guide’s own command line (C1)', async () => {
    expect(await run(...guideCreate())).toBe(0)
    expect(parse(saleDefinition, asked.at(-1)?.body)).toMatchObject({
      ok: true,
      value: { saleId: 'autumn-mug', price: 10, currency: 'CNY', stock: 10, limitPerShopper: 1 },
    })
  })
})

describe('the brand of the shop on the command line', () => {
  const folder = newFolder('brand')

  it('changes the parts of a file, over the revision that was read, and keeps the rest', async () => {
    answer.body = { revision: 2, brand: { name: 'Lantern', support: 'help@lantern.example' } }
    const colours = { light: '#0b5a8a', dark: '#7cc4f0' }
    const file = join(folder, 'brand.json')
    writeFileSync(file, JSON.stringify({ name: 'Lantern & Co.', colours }))
    expect(await run('brand', file)).toBe(0)
    const brand = { name: 'Lantern & Co.', support: 'help@lantern.example', colours }
    expect(calls().at(-1)).toEqual(['PUT', '/brand', { revision: 2, brand }])
    asked.length = 0
    expect(await run('brand')).toBe(0)
    expect(calls(), 'shown, and not changed').toEqual([['GET', '/brand', null]])
    expect(await run('brand', '--reset')).toBe(0)
    expect(calls().at(-1)).toEqual(['PUT', '/brand', { revision: 2, brand: {} }])
  })

  it('names every fault of a file, and changes nothing', async () => {
    answer.body = { revision: 0, brand: {} }
    const file = join(folder, 'wrong.json')
    writeFileSync(file, JSON.stringify({ name: 5, motto: 'Light' }))
    expect(await run('brand', file)).toBe(1)
    expect(complaints.join()).toMatch(/name .*\nmotto is not a known field/)
    expect(asked.filter(({ method }) => method === 'PUT')).toEqual([])
  })
})

it('the help of the sale command has at most 34 commands', async () => {
  expect(await run('--help')).toBe(0)
  const [, commands = ''] = lines.join('\n').split('Commands:\n')
  const named = commands.split('\n').filter((line) => /^ {2}[a-z]/.test(line))
  expect(named.length).toBeGreaterThan(20)
  expect(named.length).toBeLessThanOrEqual(34)
})

describe('the refusals of the API', () => {
  const folder = new URL('../../functions/control/', import.meta.url)
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const code = sources.join('\n').replace(/\/\*[\s\S]*?\*\//g, '')
  const speaksApi = /\?\w+=|\b(?:GET|POST|PUT|PATCH|DELETE) \S*[/…]/
  const inCode = [...code.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, plain, template]) => plain ?? template ?? '')
  const sentences = [...inCode, ...Object.values(refusalReasons)]
    .filter((text) => speaksApi.test(text))
    // The command line asks for the parts of a table by itself.
    .filter((text) => !text.includes('?after='))

  it('name no API call when the command line prints them', () => {
    expect(sentences).toHaveLength(2)
    expect(sentences.map(atCommandLine).filter((text) => speaksApi.test(text))).toEqual([])
  })
})
