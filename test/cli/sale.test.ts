import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { atCommandLine } from '../../cli/sale.ts'
import { parse } from '../../core/lib/parse.ts'
import { problem } from '../../core/outcome.ts'
import { refusalReasons } from '../../core/refusals.ts'
import { roleDetail } from '../../core/roles.ts'
import { saleDefinition } from '../../core/sale/sale.ts'
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
    // One throttle, and the others stay (R2-R4).
    [
      ['edit', 'mugs', '--throttle-ip', '7/60'],
      ...(['PATCH', '/sales/mugs', { throttle: { perIp: { limit: 7, windowSeconds: 60 } } }] as const),
    ],
    [['delete', 'mugs'], 'DELETE', '/sales/mugs', null],
    [['recover', 'mugs'], 'POST', '/sales/mugs/recover', {}],
    [['reconcile', 'mugs'], 'POST', '/sales/mugs/reconcile', {}],
    [['refund', 'mugs-1'], 'POST', '/orders/mugs-1/refund', {}],
    [['settle-refund', 'mugs-1'], 'POST', '/orders/mugs-1/settle-refund', {}],
    [['redrive'], 'POST', '/dead-letters/redrive', {}],
    [['rotate-pass-keys'], 'POST', '/pass-keys/rotate', {}],
    [['pause-all'], 'POST', '/pause', {}],
    [['resume-all'], 'POST', '/resume', {}],
    // A block, in the one form of its value (R8).
    [['block', 'shopper', 'ann|1@example.org'], 'PUT', '/blocklist/shopper/ann|1@example.org', {}],
    [['block', 'ip', '2001:DB8:0::7/32'], 'PUT', '/blocklist/ip/2001:db8::/32', {}],
    [['block', 'session-key', 'key-1'], 'PUT', '/blocklist/session-key/key-1', {}],
    [['unblock', 'shop-key', 'till-1'], 'DELETE', '/blocklist/shop-key/till-1', null],
    [['unblock', 'ip', '203.0.113.7'], 'DELETE', '/blocklist/ip/203.0.113.7', null],
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
    expect(await run('create', 'mugs')).toBe(1)
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
    [['create', 'mugs', '--starts', 'noon'], 'is not a time'],
    [['create', 'mugs', '--kind', 'lottery'], 'goods, coupon, red-packet'],
    [['block', 'ip', '10.0.0.0/33'], 'not an IP address or a range'],
    [['block', 'shopper', 'no spaces'], 'not a shopper ID'],
    [['block', 'sale', 'mugs'], 'use ip, shopper, session-key, shop-key'],
    [['block', 'session-key', 'a/b'], 'not the ID (kid) of a session key'],
    [['block', 'shop-key', 'Till'], 'not the name of a shop key'],
  ])('is not made for %j, which exits 1 with a plain sentence', async (args, sentence) => {
    expect(await run(...args)).toBe(1)
    expect(complaints.join(' ')).toContain(sentence)
    expect(calls()).toEqual([])
  })
})

describe('a definition on the command line', () => {
  const at = (seconds: number) => 1_700_000_000_000 + seconds * 1000

  it.each<[string, string[], object]>([
    [
      'goods, with times in epoch ms and the price in minor units',
      [
        ...['--title', 'Mug', '--price', '0.10', '--currency', 'CNY'],
        ...['--starts', '+90s', '--ends', '+1h', '--pay-grace', '30'],
      ],
      {
        ...{ kind: 'goods', saleId: 'mugs', title: 'Mug', price: 10, currency: 'CNY' },
        ...{ limitPerShopper: 1, maxPerOrder: 1, paymentGraceSeconds: 30 },
        ...{ startsAt: at(90), endsAt: at(3600) },
      },
    ],
    [
      'the settings of the gate, and windows (R2-R7, G5)',
      [
        ...['--admission-ratio', '1.5', '--min-level', '3', '--challenge', 'pow'],
        ...['--throttle-shopper', '5/60', '--throttle-ip', '900/60', '--admit-per-second', '50'],
        ...['--window', '+1m,+2m,3', '--window', '+3m,+4m,2'],
      ],
      {
        ...{ admissionRatio: 1.5, minLevel: 3, challenge: 'pow', admitPerSecond: 50 },
        throttle: {
          perShopper: { limit: 5, windowSeconds: 60 },
          perIp: { limit: 900, windowSeconds: 60 },
        },
        ...{ startsAt: at(60), stock: 3 },
        windows: [
          { startsAt: at(60), endsAt: at(120), stock: 3 },
          { startsAt: at(180), endsAt: at(240), stock: 2 },
        ],
      },
    ],
    [
      'coupons with a validity',
      [
        ...['--kind', 'coupon', '--currency', 'EUR', '--stock', '200'],
        ...['--valid-from', '2026-12-01T00:00Z', '--valid-until', '+30d'],
      ],
      {
        ...{ kind: 'coupon', stock: 200 },
        coupons: { validFrom: Date.parse('2026-12-01T00:00Z'), validUntil: at(30 * 86_400) },
      },
    ],
    [
      'red packets from their number and total amount (P1)',
      ['--kind', 'red-packet', '--currency', 'CNY', '--packets', '1000', '--total', '5000.00'],
      { kind: 'red-packet', packets: { count: 1000, totalAmount: 500_000 }, stock: 1000, limitPerShopper: 1 },
    ],
  ])('creates %s', async (_, flags, body) => {
    expect(await run('create', 'mugs', ...flags)).toBe(0)
    expect(asked.at(-1)).toMatchObject({ method: 'POST', path: '/api/control/sales', body })
  })

  it('is complete in the guide’s own command line (C1)', async () => {
    expect(await run(...guideCreate())).toBe(0)
    expect(parse(saleDefinition, asked.at(-1)?.body)).toMatchObject({
      ok: true,
      value: { saleId: 'autumn-mug', price: 10, currency: 'CNY', stock: 10, limitPerShopper: 1 },
    })
  })

  it('changes a sale in its own currency', async () => {
    answer.body = { ...sale, currency: 'JPY' }
    await run('edit', 'mugs', '--price', '250')
    expect(asked.at(-1)).toMatchObject({ method: 'PATCH', body: { price: 250 } })
    expect(await run('edit', 'mugs', '--price', '2.50')).toBe(1)
    expect(complaints).toEqual(['"2.50" has more decimals than JPY, which has 0'])
  })
})

describe('the brand of the shop on the command line', () => {
  it('changes where it is given, over the revision that was read, and keeps the rest', async () => {
    answer.body = { revision: 2, brand: { name: 'Lantern', support: 'help@lantern.example' } }
    const colours = ['--light', '#0b5a8a', '--dark', '#7cc4f0']
    const texts = [
      '--tagline',
      'Light for all|点亮生活',
      '--link',
      'Terms | 服务条款 | /terms',
      'Privacy | | /privacy',
      '--seller',
      'Lantern GmbH | Torstraße 1 | a@lantern.example | +49 30 1',
    ]
    expect(await run('brand', '--name', 'Lantern & Co.', ...colours, ...texts)).toBe(0)
    const brand = {
      ...{ name: 'Lantern & Co.', support: 'help@lantern.example' },
      colours: { light: '#0b5a8a', dark: '#7cc4f0' },
      tagline: { en: 'Light for all', 'zh-CN': '点亮生活' },
      links: [
        { label: { en: 'Terms', 'zh-CN': '服务条款' }, href: '/terms' },
        { label: { en: 'Privacy' }, href: '/privacy' },
      ],
      seller: { name: 'Lantern GmbH', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' },
    }
    expect(calls().at(-1)).toEqual(['PUT', '/brand', { revision: 2, brand }])
    asked.length = 0
    expect(await run('brand')).toBe(0)
    expect(calls(), 'shown, and not changed').toEqual([['GET', '/brand', null]])
    expect(await run('brand', '--reset')).toBe(0)
    expect(calls().at(-1)).toEqual(['PUT', '/brand', { revision: 2, brand: {} }])
  })

  it.each([
    [['--light', '#0b5a8a'], 'both colours'],
    [['--tagline', 'Light for all'], '2 parts, separated by |'],
    [['--link', 'Terms|/terms'], '3 parts, separated by |'],
    [['--link', 'Terms|条款|/terms|cookies'], '3 parts, separated by |'],
    [['--seller', 'Lantern GmbH|Torstraße 1'], 'name|address|email|phone'],
  ])('does not change with %j', async (args, words) => {
    answer.body = { revision: 0, brand: {} }
    expect(await run('brand', ...args)).toBe(1)
    expect(complaints.join()).toContain(words)
    expect(asked.filter(({ method }) => method === 'PUT')).toEqual([])
  })
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
