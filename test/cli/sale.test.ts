/** The command line against a fake control API that records its requests. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StartStep } from '../../cli/progress.ts'
import { atCommandLine, runSaleCli } from '../../cli/sale.ts'
import { copyOf } from '../../core/copy-sale.ts'
import { problem } from '../../core/outcome.ts'
import { parse } from '../../core/parse.ts'
import { refusalReasons } from '../../core/refusals.ts'
import { roleDetail } from '../../core/roles.ts'
import { definitionOf, saleDefinition } from '../../core/sale.ts'
import { aLive } from '../core/api/live-answer.ts'
import { aSale, orderIdOf, saleIdOf } from '../redis/support.ts'

type Asked = {
  method: string
  path: string
  authorization: string | undefined
  key: string | string[] | undefined
  body: unknown
}

const sale = aSale({
  ...{
    saleId: saleIdOf('mugs'),
    title: 'Stoneware mug',
    startsAt: 1_800_000_000_000,
    endsAt: 1_800_003_600_000,
  },
  ...{ flag: 'off', epoch: 0, startToken: null, warmed: false },
})

let server: Server
let url: string
let asked: Asked[]
type Answer = { status: number; body: unknown; next?: string }
let answer: Answer
/** The fate of the next calls of the control API, in place of `answer`. */
let troubles: (Answer | 'lost')[]
let now = () => 1_700_000_000_000
const lines: string[] = []

/** What was printed, row by row and column by column. */
const cells = () =>
  lines
    .join('\n')
    .split('\n')
    .map((row) => row.split(/ {2,}/))
const complaints: string[] = []
const notes: string[] = []
/** The final values of the progress bars. */
let bars: string[] = []
const startStep: StartStep = (name, total) => ({
  to: (done) => void bars.push(`${name} ${done}/${total}`),
  end: () => void bars.push('ended'),
})

beforeEach(async () => {
  now = () => 1_700_000_000_000
  asked = []
  answer = { status: 200, body: sale }
  troubles = []
  lines.length = 0
  complaints.length = 0
  notes.length = 0
  bars = []
  server = createServer(async (request, response) => {
    const body = await text(request)
    const { method = '', url: path = '', headers } = request
    asked.push({
      method,
      path,
      authorization: headers.authorization,
      key: headers['idempotency-key'],
      body: body === '' ? null : JSON.parse(body),
    })
    const signIn = path === '/local/sign-in'
    const trouble = signIn ? undefined : troubles.shift()
    if (trouble === 'lost') {
      request.socket.destroy()
      return
    }
    const {
      status,
      body: reply,
      next,
    }: Answer = signIn ? { status: 200, body: { token: 'local-token' } } : (trouble ?? answer)
    const more = next === undefined ? {} : { 'x-sluice-next': next }
    response.writeHead(status, { 'content-type': 'application/json', ...more })
    response.end(typeof reply === 'string' ? reply : JSON.stringify(reply))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** The words of the `create` command in the README, as a shell would split them. */
function readmeCreate(): string[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, section = ''] = readme.split('\n## Run a sale\n')
  const [, command = ''] = /^npm run sale -- (create (?:.*\\\n)*.*)$/m.exec(section) ?? []
  const words = command.replaceAll('\\\n', ' ').matchAll(/"([^"]*)"|(\S+)/g)
  return [...words].map(([, quoted, bare]) => quoted ?? bare ?? '')
}

const run = (...args: string[]) => runIn({}, '--url', url, ...args)

/** A run with the given environment, and the local system there or not. */
function runIn(
  { at, ...environment }: { url?: string; token?: string; at?: string },
  ...args: string[]
): Promise<number> {
  return runSaleCli(args, {
    print: (line) => lines.push(line),
    complain: (line) => complaints.push(line),
    note: (line) => notes.push(line),
    startStep,
    now,
    environment: { url: environment.url, token: environment.token },
    running: async () => at,
  })
}

describe('the sale command', () => {
  it('signs in as a marketer by itself on this machine', async () => {
    answer.body = { sales: [sale], next: null }
    expect(await run('list')).toBe(0)
    expect(asked).toEqual([
      expect.objectContaining({
        path: '/local/sign-in',
        body: { shopperId: 'marketer', roles: ['marketer'] },
      }),
      expect.objectContaining({
        method: 'GET',
        path: '/api/control/sales',
        authorization: 'Bearer local-token',
      }),
    ])
    expect(lines.join('\n')).toMatch(/mugs .*Stoneware mug/)
  })

  it('uses the given token and requests no other', async () => {
    await run('--token', 'mine', 'show', 'mugs')
    expect(asked.map((a) => [a.path, a.authorization])).toEqual([['/api/control/sales/mugs', 'Bearer mine']])
  })

  it('never asks a foreign system for a local sign-in', async () => {
    const code = await runIn({}, '--url', 'https://shop.example', 'list')
    expect(code).toBe(1)
    expect(complaints.join()).toContain('--token')
  })

  it('reads SLUICE_URL, so that a forgotten --url reaches the system whose token is exported', async () => {
    expect(
      await runIn({ url: `${url}/`, token: 'production', at: 'http://127.0.0.1:1' }, 'close', 'mugs'),
    ).toBe(0)
    expect(asked.map((a) => [a.path, a.authorization])).toEqual([
      ['/api/control/sales/mugs/close', 'Bearer production'],
    ])
    expect(notes).toEqual([`Changing ${url} (SLUICE_URL)`])
  })

  it('never sends SLUICE_TOKEN to a system other than the one of SLUICE_URL', async () => {
    const production = { url: 'https://shop.example', token: 'production' }
    expect(await runIn(production, '--url', url, 'close', 'mugs')).toBe(0)
    expect(asked.map((a) => a.authorization)).toEqual([undefined, 'Bearer local-token'])
    expect(await runIn(production, '--url', 'https://other.example', 'close', 'mugs')).toBe(1)
    expect(complaints.at(-1)).toBe(
      "SLUICE_TOKEN is not sent to https://other.example: it belongs to https://shop.example (SLUICE_URL). Give this system's token with --token",
    )
    // The port is part of the system: several run on one machine.
    expect(await runIn({ url: 'http://127.0.0.1:1', token: 'other' }, '--url', url, 'list')).toBe(1)
    expect(asked.some((a) => a.authorization?.includes('other'))).toBe(false)
  })

  it('never sends a token without the name of its system', async () => {
    asked.length = 0
    expect(await runIn({ token: 'production', at: url }, 'close', 'mugs')).toBe(0)
    expect(asked.map((a) => a.authorization)).toEqual([undefined, 'Bearer local-token'])
    expect(await runIn({ token: 'production' }, '--url', 'https://shop.example', 'list')).toBe(1)
    expect(complaints.at(-1)).toContain('set SLUICE_URL to the system that the token was made for')
    asked.length = 0
    expect(await runIn({ at: url }, '--token', 'mine', 'close', 'mugs')).toBe(1)
    expect(complaints.at(-1)).toContain('--token needs --url')
    expect(asked).toEqual([])
  })

  it('lists a page of sales and says how to continue, or all pages', async () => {
    const page = { status: 200, body: { sales: [sale], next: '5.mugs' } }
    const last = { status: 200, body: { sales: [{ ...sale, saleId: 'lamp' }], next: null } }
    troubles = [page]
    await run('list')
    expect(lines.at(-1)).toContain('There are more: list --after 5.mugs, or list --all')
    troubles = [last]
    await run('list', '--after', '5.mugs')
    expect(asked.at(-1)?.path).toBe('/api/control/sales?after=5.mugs')
    expect(lines.at(-1)).not.toContain('more')
    troubles = [{ ...last, body: { ...last.body, sales: [{ ...sale, archivedAt: 1_800_000_000_000 }] } }]
    await run('list', '--archived', '--after', '5.mugs')
    expect(asked.at(-1)?.path).toBe('/api/control/sales?after=5.mugs&archived=true')
    expect(lines.at(-1)).toMatch(/mugs .* archived /)
    troubles = [page, last]
    await run('list', '--all')
    expect(lines.at(-1)).toMatch(/mugs (?:.|\n)*\nlamp /)
    expect(lines.at(-1)).not.toContain('There are more')
  })

  it('searches until it has a page of sales, and says how to go on', async () => {
    const few = { status: 200, body: { sales: [sale], next: '5.mugs' } }
    const none = { status: 200, body: { sales: [], next: null } }
    troubles = [few, { ...none, body: { ...none.body, next: '3.mugs' } }, none]
    await run('list', '--find', '50 * 杯', '--kind', 'goods', '--state', 'live')
    const query = 'find=50+%2A+%E6%9D%AF&kind=goods&state=live'
    expect(asked.slice(1).map(({ path }) => path.split('?')[1])).toEqual([
      ...[query, `after=5.mugs&${query}`, `after=3.mugs&${query}`],
    ])
    expect(lines.at(-1)).toMatch(/mugs/)
    expect(lines.at(-1)).not.toContain('There are more')
    const many = { sales: Array.from({ length: 50 }, () => sale), next: '5.mugs' }
    troubles = [{ status: 200, body: many }]
    await run('list', '--archived', '--find', 'a "mug"')
    expect(lines.at(-1)).toContain('There are more: list --archived --find "a \\"mug\\"" --after 5.mugs')
    troubles = [none]
    await run('list', '--state', 'paused')
    expect(lines.at(-1)).toBe('No sales found.')
    expect(await run('list', '--state', 'sold-out')).toBe(1)
  })

  it('keeps a sale as a template, lists templates, and begins a new sale with one', async () => {
    const definition = copyOf(sale, now())
    const kept = { name: 'Mugs 🍵', savedAt: 1_700_000_000_000, definition: definitionOf(sale) }
    const unreadable = { name: 'Old', savedAt: 5, definition: null }
    answer.body = kept
    expect(await run('template', 'mugs', 'Mugs 🍵')).toBe(0)
    expect(asked.at(-1)).toMatchObject({
      ...{ method: 'PUT', path: '/api/control/templates', body: { name: 'Mugs 🍵', saleId: 'mugs' } },
    })
    answer.body = { templates: [kept, unreadable] }
    expect(await run('templates')).toBe(0)
    expect(lines.at(-1)).toMatch(/Mugs 🍵 +goods +Stoneware mug(?:.|\n)*Old +- +of another version/)
    troubles = [answer]
    answer = { status: 201, body: sale }
    expect(await run('create', 'mugs-2', '--template', ' Mugs 🍵 ', '--stock', '7')).toBe(0)
    expect(asked.at(-1)).toMatchObject({
      ...{ method: 'POST', path: '/api/control/sales' },
      body: { ...JSON.parse(JSON.stringify(definition)), saleId: 'mugs-2', stock: 7 },
    })
    const templates = { status: 200, body: { templates: [unreadable] } }
    troubles = [templates, templates]
    expect(await run('create', 'mugs-3', '--template', 'Old')).toBe(1)
    expect(complaints.at(-1)).toContain('saved by another version')
    expect(await run('create', 'mugs-3', '--template', 'Mugs')).toBe(1)
    expect(complaints.at(-1)).toContain('there is no template "Mugs"')
    answer = { status: 200, body: { name: 'Old' } }
    expect(await run('delete-template', 'Old')).toBe(0)
    expect(asked.at(-1)).toMatchObject({ path: '/api/control/templates/delete', body: { name: 'Old' } })
  })

  it('finds the local system on any port', async () => {
    answer.body = { sales: [sale], next: null }
    expect(await runIn({ at: url }, 'list')).toBe(0)
    expect(asked.at(-1)).toMatchObject({ path: '/api/control/sales' })
  })

  it('names the target before a changing call, and prints nothing for a reading one', async () => {
    await run('close', 'mugs')
    expect(notes).toEqual([`Changing ${url} (--url)`])
    await run('show', 'mugs')
    await run('live', 'mugs')
    expect(notes).toHaveLength(1)
  })

  it('refuses an invalid address', async () => {
    expect(await runIn({ url: 'shop.example' }, 'list')).toBe(1)
    expect(complaints).toEqual(['SLUICE_URL: "shop.example" is not an http address'])
  })

  it('shows the phase of a sale, and whether it opens by itself or needs a start', async () => {
    const [begins, words] = [1_800_000_000_000, (text: string) => expect.stringContaining(text)]
    const armed = { ...sale, warmed: true, flag: 'on', epoch: 1 }
    answer.body = {
      sales: [
        { ...sale, warmed: true },
        { ...armed, saleId: 'armed' },
      ],
      next: null,
    }
    now = () => begins - 3_600_000
    await run('list')
    expect(lines.at(-1)).toMatch(/mugs +goods +off +scheduled +Needs your start +\d/)
    expect(lines.at(-1)).toMatch(/armed +goods +on +scheduled +Opens by itself at \d{4}-/)
    now = () => begins
    await run('list')
    expect(lines.at(-1)).toMatch(/mugs .*Needs your start: it should have opened at \d{4}-/)
    expect(lines.at(-1)).toMatch(/armed +goods +on +open +- /)
    answer.body = armed
    now = () => begins - 1
    await run('show', 'mugs')
    expect(lines.at(-1)).toEqual(words('phase   scheduled\nopening Opens by itself at '))
  })

  it('shows times with their zone', async () => {
    await run('show', 'mugs')
    expect(lines.at(-1)).toMatch(/starts {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d\d:\d\d\n/)
    const [, day, time, zone] = /starts {2}(\S+) (\S+) (\S+)/.exec(lines.at(-1) ?? '') ?? []
    expect(Date.parse(`${day}T${time}${zone}`)).toBe(sale.startsAt)
  })

  it('counts the packets of all windows alike in list, show and live', async () => {
    const windows = [
      { startsAt: sale.startsAt, endsAt: sale.startsAt + 1, stock: 30, totalAmount: 15_000 },
      { startsAt: sale.endsAt, endsAt: sale.endsAt + 1, stock: 20, totalAmount: 9900 },
    ]
    const rain = {
      ...sale,
      kind: 'red-packet',
      price: 0,
      stock: 30,
      packets: { count: 30, totalAmount: 15_000 },
      windows,
    }
    answer.body = { sales: [rain], next: null }
    await run('list')
    answer.body = rain
    await run('show', 'rain')
    answer.body = {
      ...{ sale: rain, phase: 'open', inStep: true, frozen: false, drift: 0, outbox: 0, queue: null },
      ...{ split: null },
      ...{
        deadLetters: 0,
        admissions: null,
        money: null,
        demand: null,
        paid: null,
        redeemed: null,
        unavailable: [],
        now: 1,
      },
      ...{ stock: { total: 30, booked: 4, heldBack: 0, available: 26 }, orders: { sold: 4, orders: 4 } },
    }
    await run('live', 'rain')
    for (const text of lines) expect(text).toContain('50 packets')
  })

  it('creates a sale from flags, with times in epoch ms and the price in minor units', async () => {
    const price = ['--price', '0.10', '--currency', 'CNY']
    await run(
      'create',
      'mugs',
      '--title',
      'Mug',
      ...price,
      '--starts',
      '+90s',
      '--ends',
      '+1h',
      '--pay-grace',
      '30',
    )
    expect(asked.at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/control/sales',
      body: {
        kind: 'goods',
        saleId: 'mugs',
        title: 'Mug',
        price: 10,
        currency: 'CNY',
        limitPerShopper: 1,
        maxPerOrder: 1,
        paymentGraceSeconds: 30,
        startsAt: 1_700_000_090_000,
        endsAt: 1_700_003_600_000,
      },
    })
  })

  it('reads the settings of the gate and the windows from flags (R2-R7, G5)', async () => {
    const gate = ['--admission-ratio', '1.5', '--min-level', '3', '--challenge', 'pow']
    const throttles = ['--throttle-shopper', '5/60', '--throttle-ip', '900/60', '--admit-per-second', '50']
    const windows = ['--window', '+1m,+2m,3', '--window', '+3m,+4m,2']
    await run('create', 'mugs', ...gate, ...throttles, ...windows)
    const at = (seconds: number) => 1_700_000_000_000 + seconds * 1000
    expect(asked.at(-1)?.body).toMatchObject({
      admissionRatio: 1.5,
      minLevel: 3,
      challenge: 'pow',
      throttle: {
        perShopper: { limit: 5, windowSeconds: 60 },
        perIp: { limit: 900, windowSeconds: 60 },
      },
      admitPerSecond: 50,
      startsAt: at(60),
      stock: 3,
      windows: [
        { startsAt: at(60), endsAt: at(120), stock: 3 },
        { startsAt: at(180), endsAt: at(240), stock: 2 },
      ],
    })
  })

  it('creates coupons that cost nothing and have a validity', async () => {
    const valid = ['--valid-from', '2026-12-01T00:00Z', '--valid-until', '+30d']
    expect(
      await run('create', 'tea', '--kind', 'coupon', '--currency', 'EUR', '--stock', '200', ...valid),
    ).toBe(0)
    expect(asked.at(-1)?.body).toMatchObject({
      kind: 'coupon',
      stock: 200,
      coupons: {
        validFrom: Date.parse('2026-12-01T00:00Z'),
        validUntil: 1_700_000_000_000 + 30 * 86_400_000,
      },
    })
  })

  it('creates red packets from their number and total amount, or window by window (P1, R7)', async () => {
    const rain = ['--kind', 'red-packet', '--currency', 'CNY']
    const times = ['--starts', '+60s', '--ends', '+1h']
    const named = [
      '--title',
      'Rain',
      '--description',
      'It rains.',
      '--picture',
      '/assets/pictures/packet.svg The product',
    ]
    expect(
      await run('create', 'rain', ...named, ...rain, ...times, '--packets', '1000', '--total', '5000.00'),
    ).toBe(0)
    expect(parse(saleDefinition, asked.at(-1)?.body)).toMatchObject({
      ok: true,
      value: { packets: { count: 1000, totalAmount: 500_000 }, stock: 1000, price: 0, limitPerShopper: 1 },
    })
    const waves = ['--window', '+1m,+2m,30,150.00', '--window', '+3m,+4m,20,99']
    expect(await run('create', 'rain', ...named, ...rain, ...waves)).toBe(0)
    expect(parse(saleDefinition, asked.at(-1)?.body)).toMatchObject({
      ok: true,
      value: {
        packets: { count: 30, totalAmount: 15_000 },
        stock: 30,
        windows: [{ totalAmount: 15_000 }, { totalAmount: 9900 }],
      },
    })
  })

  it('changes the number of packets alone, and keeps the total amount', async () => {
    const packets = { count: 10, totalAmount: 5000 }
    answer.body = { ...sale, kind: 'red-packet', price: 0, packets }
    await run('edit', 'mugs', '--packets', '20')
    expect(asked.at(-1)?.body).toEqual({ packets: { count: 20, totalAmount: 5000 }, stock: 20 })
  })

  it('shows the kind of a sale, and its settings', async () => {
    const windows = [{ startsAt: 1_800_000_000_000, endsAt: 1_800_000_060_000, stock: 10, totalAmount: 5000 }]
    const packets = { count: 10, totalAmount: 5000 }
    const rain = { ...sale, kind: 'red-packet', price: 0, packets, windows }
    answer.body = rain
    await run('show', 'mugs')
    const coupons = { validUntil: 1_800_000_000_000 }
    answer.body = { ...sale, kind: 'coupon', price: 0, coupons }
    await run('show', 'mugs')
    const [packetsTold, couponsTold] = lines
    expect(packetsTold).toContain('kind    red-packet')
    expect(packetsTold).toContain('price   CN¥50.00 in total')
    expect(packetsTold).toMatch(/10 packets with CN¥50\.00 \(current\)/)
    expect(couponsTold).toContain('price   free')
    expect(couponsTold).toMatch(/valid {3}from the start, until \d{4}-/)
    answer.body = { sales: [rain, sale], next: null }
    await run('list')
    expect(lines.at(-1)).toMatch(/mugs +red-packet .*CN¥50\.00 in total .*\nmugs +goods .*CN¥0\.10 /)
  })

  it('changes one throttle and leaves the others unchanged (R2-R4)', async () => {
    await run('edit', 'mugs', '--throttle-ip', '7/60')
    const { method, body } = asked.at(-1) ?? {}
    expect(method).toBe('PATCH')
    expect(body).toEqual({ throttle: { perIp: { limit: 7, windowSeconds: 60 } } })
  })

  it('shows the gate of a sale and its windows, the current one marked (R7)', async () => {
    const windows = [
      { startsAt: 1_800_000_000_000, endsAt: 1_800_000_060_000, stock: 3 },
      { startsAt: 1_800_000_120_000, endsAt: 1_800_000_180_000, stock: 2 },
    ]
    answer.body = { ...sale, challenge: 'pow', minLevel: 3, windows, windowIndex: 1 }
    await run('show', 'mugs')
    const shown = lines.join('\n')
    expect(shown).toContain('gate    1.2 clicks per unit, minimum level 3, bot check pow')
    expect(shown).toContain('limits  2000 clicks/s, shopper 5/60, IP 3000/60')
    expect(shown).toMatch(/round {3}.* to .*, 3 units\nround {3}.* to .*, 2 units \(current\)/)
  })

  it.each([
    [['block', 'shopper', 'ann|1@example.org'], 'PUT', 'shopper/ann|1@example.org', 'is blocked'],
    [['block', 'ip', '2001:DB8:0::7/32'], 'PUT', 'ip/2001:db8::/32', 'is blocked'],
    [['unblock', 'ip', '203.0.113.7'], 'DELETE', 'ip/203.0.113.7', 'is unblocked'],
  ])('sends %j as %s …/%s, in the one form of the value (R8)', async (args, method, path, words) => {
    answer.body = { kind: 'ip', value: '203.0.113.7', who: 'marketer', when: 1_800_000_000_000 }
    expect(await run(...args)).toBe(0)
    expect(asked.at(-1)).toMatchObject({ method, path: `/api/control/blocklist/${path}`, body: null })
    expect(lines.join()).toContain(words)
  })

  it('lists the blocks of the gate, and their times (R8)', async () => {
    answer.body = { entries: [{ kind: 'shopper', value: 'bot', who: 'mia', when: 1_800_000_000_000 }] }
    await run('blocklist')
    expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/api/control/blocklist' })
    expect(lines.join()).toMatch(/shopper +bot +mia +\d{4}-\d\d-\d\d/)
    answer.body = { entries: [] }
    await run('blocklist')
    expect(lines.at(-1)).toBe('The blocklist is empty.')
  })

  it('shows the brand of the shop', async () => {
    const links = [{ label: { en: 'Terms', 'zh-CN': '服务条款' }, href: '/terms' }]
    answer.body = { revision: 2, brand: { name: 'Lantern', links, support: 'help@lantern.example' } }
    expect(await run('brand')).toBe(0)
    expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/api/control/brand' })
    const shown = lines.join('\n')
    for (const text of ['Lantern (revision 2)', 'Terms | 服务条款 | /terms', 'help@lantern.example']) {
      expect(shown).toContain(text)
    }
  })

  it('changes what is given of the brand, over the revision that it read, and keeps the rest', async () => {
    answer.body = { revision: 2, brand: { name: 'Lantern', support: 'help@lantern.example' } }
    const colours = ['--light', '#0b5a8a', '--dark', '#7cc4f0']
    const texts = ['--tagline', 'Light for all|点亮生活', '--link', 'Terms | 服务条款 | /terms']
    expect(await run('brand', '--name', 'Lantern & Co.', ...colours, ...texts)).toBe(0)
    expect(asked.at(-1)).toMatchObject({
      method: 'PUT',
      path: '/api/control/brand',
      body: {
        revision: 2,
        brand: {
          name: 'Lantern & Co.',
          support: 'help@lantern.example',
          colours: { light: '#0b5a8a', dark: '#7cc4f0' },
          tagline: { en: 'Light for all', 'zh-CN': '点亮生活' },
          links: [{ label: { en: 'Terms', 'zh-CN': '服务条款' }, href: '/terms' }],
        },
      },
    })
    expect(await run('brand', '--reset')).toBe(0)
    expect(asked.at(-1)).toMatchObject({ body: { revision: 2, brand: {} } })
  })

  it.each([
    [['--light', '#0b5a8a'], 'both colours'],
    [['--tagline', 'Light for all'], 'english|chinese'],
    [['--link', 'Terms|/terms'], 'english|chinese|address'],
  ])('changes no brand with %j', async (args, words) => {
    answer.body = { revision: 0, brand: {} }
    expect(await run('brand', ...args)).toBe(1)
    expect(complaints.join()).toContain(words)
    expect(asked.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  it('shows which database has which sale, and how much of it they would use (S16)', async () => {
    const database = (name: string, share: number, sales: object[]) => ({
      ...{ name, commandsPerSecond: 10_000, share, sales },
    })
    const rows = [{ sale, isBig: true }]
    answer.body = { databases: [database('main', 0.2, []), database('db-2', 900, rows)] }
    await run('placement')
    expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/api/control/databases' })
    expect(lines.join('\n')).toMatch(/main +10000 +20 % +-\n/)
    expect(lines.join('\n')).toMatch(
      new RegExp(`db-2 +10000 +over 1000 % +${sale.saleId} +\\d+ +big +\\d{4}-`),
    )
  })

  it('names the target of a block in the audit (R8)', async () => {
    const entry = { who: 'mia', saleId: null, when: 1_800_000_000_000, requestId: 'r.1' }
    const [eve, range] = [
      { kind: 'shopper', value: 'eve' },
      { kind: 'ip', value: '10.0.0.0/8' },
    ]
    answer.body = {
      day: '2027-01-15',
      entries: [
        { ...entry, what: 'block', before: null, after: eve },
        { ...entry, what: 'unblock', before: range, after: null },
        { ...entry, what: 'redrive', before: null, after: null },
      ],
    }
    await run('audit')
    expect(lines.join()).toMatch(/ block +eve +r\.1\n.* unblock +10\.0\.0\.0\/8 +r\.1\n.* redrive +- +r\.1/)
  })

  it('accepts the README’s own command line as a complete definition (C1)', async () => {
    expect(await run(...readmeCreate())).toBe(0)
    const definition = parse(saleDefinition, asked.at(-1)?.body)
    expect(definition).toMatchObject({
      ok: true,
      value: { saleId: 'autumn-mug', price: 10, currency: 'CNY', stock: 10, limitPerShopper: 1 },
    })
  })

  it('reads a new price in the currency of the sale', async () => {
    answer.body = { ...sale, currency: 'JPY' }
    await run('edit', 'mugs', '--price', '250')
    expect(asked.at(-1)).toMatchObject({ method: 'PATCH', body: { price: 250 } })
    expect(await run('edit', 'mugs', '--price', '2.50')).toBe(1)
    expect(complaints).toEqual(['"2.50" has more decimals than JPY, which has 0'])
  })

  it.each([
    [['warm', 'mugs'], 'POST', '/warm', {}],
    [['start', 'mugs'], 'POST', '/start', {}],
    [['start', 'mugs', '--now'], 'POST', '/start', { now: true }],
    [['pause', 'mugs'], 'POST', '/pause', {}],
    [['resume', 'mugs'], 'POST', '/resume', {}],
    [['close', 'mugs'], 'POST', '/close', {}],
    [['edit', 'mugs', '--title', 'New'], 'PATCH', '', { title: 'New' }],
    [['delete', 'mugs'], 'DELETE', '', null],
  ])('sends %j as %s %s', async (args, method, path, body) => {
    expect(await run(...args)).toBe(0)
    expect(asked.at(-1)).toMatchObject({ method, path: `/api/control/sales/mugs${path}`, body })
  })

  it.each([
    ['+10', 10],
    ['-10', -10],
  ])('changes the stock by %s', async (text, delta) => {
    answer.body = { total: 20, booked: 3 }
    expect(await run('stock', 'mugs', text)).toBe(0)
    expect(asked.at(-1)).toMatchObject({ path: '/api/control/sales/mugs/stock', body: { delta } })
    expect(lines).toEqual(['mugs: 20 in total, 3 reserved'])
  })

  it.each([
    ['lost', 'lost' as const],
    ['503', { status: 503, body: problem('unavailable', 'A part of the shop does not answer.') }],
  ])('repeats a stock change with the same key when the answer is %s (I5)', async (_name, trouble) => {
    answer.body = { total: 20, booked: 3 }
    troubles = [trouble]
    expect(await run('--token', 'mine', 'stock', 'mugs', '+10')).toBe(0)
    const [first, second] = asked
    expect(asked).toHaveLength(2)
    expect(first?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toEqual(first)
    await run('--token', 'mine', 'stock', 'mugs', '+10')
    expect(asked.at(-1)?.key).not.toBe(first?.key)
  })

  it('sends a stock change twice at most, and a refused one once', async () => {
    troubles = ['lost', 'lost', 'lost']
    expect(await run('--token', 'mine', 'stock', 'mugs', '+10')).toBe(1)
    expect(asked).toHaveLength(2)
    troubles = [{ status: 409, body: problem('conflict', 'Too many.') }]
    expect(await run('--token', 'mine', 'stock', 'mugs', '-10')).toBe(1)
    expect(asked).toHaveLength(3)
  })

  it('names the variant of a stock change, and shows variants in every answer (N1)', async () => {
    answer.body = { total: 15, booked: 3 }
    expect(await run('stock', 'mugs', '-10', '--variant', 's')).toBe(0)
    expect(asked.at(-1)?.body).toEqual({ delta: -10, variant: 's' })
    const variants = [
      { id: 's', name: 'Small', stock: 10 },
      { id: 'black-m', name: 'Black, M', stock: 5 },
    ]
    const windows = [{ startsAt: 1, endsAt: 2, stock: 15, units: { s: 10, 'black-m': 5 } }]
    answer.body = { ...sale, stock: 15, variants, windows }
    await run('show', 'mugs')
    expect(lines.at(-1)).toContain('variant s  Small, 10\nvariant black-m  Black, M, 5\n')
    expect(lines.at(-1)).toContain('15 units (black-m*5+s*10) (current)')
    const counters = { s: { total: 10, left: 7, booked: 3 }, 'black-m': { total: 5, left: 0, booked: 5 } }
    answer.body = { ...aLive, sale: { ...sale, variants }, variants: counters }
    await run('live', 'mugs')
    expect(lines.at(-1)?.split('\n').slice(1)).toEqual([
      'VARIANT  NAME      TOTAL  RESERVED  LEFT',
      's        Small     10     3         7',
      'black-m  Black, M  5      5         0',
    ])
  })

  it('shows the live numbers in one line', async () => {
    answer.body = {
      sale,
      phase: 'open',
      inStep: true,
      frozen: false,
      split: null,
      stock: { total: 10, booked: 4, heldBack: 0, available: 6 },
      orders: { sold: 3, orders: 2 },
      drift: null,
      outbox: 1,
      queue: { visible: 1, inFlight: 1, delayed: 0 },
      deadLetters: 0,
      admissions: { remaining: 5, out: 2, rate: 40 },
      money: null,
      demand: null,
      paid: null,
      redeemed: null,
      unavailable: [],
      now: 1_800_000_000_000,
    }
    await run('live', 'mugs')
    expect(lines.join()).toMatch(
      /open · 6 left, 4 reserved · admissions: 5 left, 2 pending, 40\/2000 per second · sold 3 in 2 orders · drift \? · outbox 1 · queue 2 · dead letters 0$/,
    )
  })

  it('shows each database of a split stock, with its place in the sale', async () => {
    const placed = { ...sale, shards: 4, databases: ['main', 'db-2', 'db-3', 'db-4'] }
    answer.body = placed
    await run('show', 'mugs')
    expect(lines.at(-1)).toContain('shards  4 (main, db-2, db-3, db-4)\n')
    answer.body = { ...placed, databases: [] }
    await run('show', 'mugs')
    expect(lines.at(-1)).toContain('shards  4\n')
    answer.body = sale
    await run('show', 'mugs')
    expect(lines.at(-1)).not.toContain('shards')

    const shards = [
      { database: 'main', state: 'selling', granted: 40, booked: 31, left: 9 },
      { database: 'db-2', state: 'frozen', granted: 7, booked: 7, left: 0 },
      { database: 'db-3', state: 'missing', granted: 20, booked: null, left: null },
      { database: 'db-4', state: 'unreachable', granted: 1200, booked: null, left: null },
    ]
    answer.body = { ...aLive, sale: placed, split: { pool: 12, shards } }
    await run('live', 'mugs')
    expect(lines.at(-1)?.split('\n').slice(1)).toEqual([
      'DATABASE  STATUS             ALLOCATED  RESERVED  LEFT',
      'main      working            40         31        9',
      'db-2      being rebuilt      7          7         0',
      'db-3      data lost          20         ?         ?',
      'db-4      not responding     1200       ?         ?',
      '(none)    not allocated yet  12',
    ])
  })

  it.each([
    [
      'while it runs',
      { budget: 500_000, claimed: 120_000, left: 380_000, returned: null },
      'CN¥1,200.00 of CN¥5,000.00 credited, CN¥3,800.00 left',
    ],
    [
      'once the budget is closed',
      { budget: 500_000, claimed: 120_000, left: 380_000, returned: 380_000 },
      'CN¥1,200.00 of CN¥5,000.00 credited, CN¥3,800.00 returned',
    ],
    ['while it is unknown', null, 'money ?'],
  ])('shows the money of red packets %s (P1)', async (_name, money, words) => {
    const packets = { count: 1000, totalAmount: 500_000 }
    answer.body = {
      sale: { ...sale, kind: 'red-packet', price: 0, packets },
      phase: 'open',
      inStep: true,
      frozen: false,
      split: null,
      stock: { total: 1000, booked: 240, heldBack: 0, available: 760 },
      orders: { sold: 238, orders: 238 },
      drift: 0,
      outbox: 2,
      queue: { visible: 0, inFlight: 0, delayed: 0 },
      deadLetters: 0,
      admissions: null,
      money,
      demand: null,
      paid: null,
      redeemed: null,
      unavailable: [],
      now: 1_800_000_000_000,
    }
    await run('live', 'mugs')
    expect(lines.join()).toContain(
      `760 left, 240 reserved, 1000 packets in total · admissions: ? · 238 red packets credited · ${words} · drift 0`,
    )
  })

  it('names the part that does not answer, and shows the rest', async () => {
    const unknown = {
      split: null,
      inStep: false,
      frozen: false,
      stock: null,
      drift: null,
      outbox: null,
      queue: null,
      deadLetters: null,
      admissions: null,
      money: null,
      demand: null,
      paid: null,
      redeemed: null,
      unavailable: ['redis', 'sqs', 'gate'],
    }
    answer.body = { sale, phase: 'open', orders: { sold: 3, orders: 3 }, now: 1_800_000_000_000, ...unknown }
    await run('live', 'mugs')
    expect(lines.join()).toMatch(
      /stock unknown · admissions: \? · sold 3 in 3 orders .* redis isn’t responding · sqs isn’t responding · gate isn’t responding$/,
    )
  })

  it.each([
    ['has missed the last action', { inStep: false }, 'Redis is behind: repeat the last command'],
    ['is being rebuilt', { frozen: true }, 'being rebuilt: sells nothing until that is done'],
    ['disagrees with the orders', { drift: -2 }, 'drift -2'],
  ])('reports when Redis %s', async (_name, change, words) => {
    const facts = {
      split: null,
      orders: { sold: 3, orders: 3 },
      outbox: 0,
      queue: null,
      deadLetters: null,
      admissions: null,
      money: null,
      demand: null,
      paid: null,
      redeemed: null,
      now: 1_800_000_000_000,
    }
    const calm = { phase: 'ended', stock: null, inStep: true, frozen: false, drift: 0, unavailable: [] }
    answer.body = { sale, ...calm, ...facts, ...change }
    await run('live', 'mugs')
    expect(lines.join()).toContain(words)
  })

  it.each([
    [['recover', 'mugs'], '/sales/mugs/recover'],
    [['reconcile', 'mugs'], '/sales/mugs/reconcile'],
    [['refund', 'mugs-1'], '/orders/mugs-1/refund'],
    [['settle-refund', 'mugs-1'], '/orders/mugs-1/settle-refund'],
    [['redrive'], '/dead-letters/redrive'],
    [['pause-all'], '/pause'],
    [['resume-all'], '/resume'],
  ])('sends %j as POST %s without options', async (args, path) => {
    await run(...args)
    expect(asked.at(-1)).toMatchObject({ method: 'POST', path: `/api/control${path}`, body: {} })
  })

  it('finds orders by number or shopper, and prints payments, refunds and history', async () => {
    const orderId = `mugs-${'a'.repeat(26)}`
    const order = {
      ...{ orderId, saleId: 'mugs', shopperId: 'ann', quantity: 2, amount: 1990, currency: 'CNY' },
      ...{ status: 'refund-due', reservedAt: 1, writtenAt: 2, payBy: null },
      payment: { paymentId: 'pay-1', attempt: 1, startedAt: 3, state: 'succeeded' },
      refunds: [
        { paymentId: 'pay-1', amount: 1990, currency: 'CNY', returned: 0, failedAt: 1_800_000_000_000 },
        { paymentId: 'pay-2', amount: 0, currency: 'CNY', returned: 400 },
      ],
      history: [{ at: 1_800_000_000_000, what: 'payment-succeeded', status: 'paid' }],
    }
    answer.body = { orders: [order], next: '1.x' }
    expect(await run('find', 'ann')).toBe(0)
    expect(asked.at(-1)).toMatchObject({
      method: 'POST',
      path: '/api/control/orders/find',
      body: { find: 'ann' },
    })
    for (const words of [
      `${orderId}  refund-due`,
      'payment pay-1 succeeded',
      'refund of pay-1: CN¥0.00 of CN¥19.90 returned',
      'the bank returned the refund of pay-1 at 2027-',
      `npm run sale -- settle-refund ${orderId}`,
      'refund of pay-2: CN¥4.00 of CN¥4.00 returned',
      'payment-succeeded (paid)',
      '--after 1.x',
    ]) {
      expect(lines.join('\n')).toContain(words)
    }
  })

  it('says who the token is of, and with a refusal which roles could make the call', async () => {
    answer.body = { who: 'vera', roles: ['viewer'] }
    expect(await run('me')).toBe(0)
    expect(lines.at(-1)).toBe('vera: viewer')
    Object.assign(answer, {
      status: 403,
      body: { code: 'role-required', status: 403, detail: roleDetail(['marketer', 'support']) },
    })
    expect(await run('redrive')).toBe(1)
    expect(complaints.at(-1)).toBe('role-required: This needs the role marketer or support.')
  })

  it('prints what was rebuilt', async () => {
    const rebuilt = `mugs is rebuilt: 3 units held by 2 orders, epoch ${sale.epoch}`
    const movedShards: object[] = []
    answer.body = { sale, orders: 2, units: 3, heldBack: 0, movedShards }
    expect(await run('recover', 'mugs')).toBe(0)
    expect(lines).toEqual([rebuilt])
    answer.body = { sale, orders: 2, units: 3, heldBack: 5, movedShards }
    expect(await run('recover', 'mugs')).toBe(0)
    expect(lines.at(-1)).toBe(`${rebuilt}; 5 more are held back for orders that may still arrive`)
    movedShards.push({ shard: 1, from: 'db-2', to: 'db-4' })
    expect(await run('recover', 'mugs')).toBe(0)
    expect(lines.at(-1)).toContain('arrive\nshard 2 moved from db-2 to db-4')
  })

  it('prints what a comparison found, and nothing else', async () => {
    const nothing = {
      state: 'in-step',
      resent: 0,
      waiting: 0,
      oldestAgeMs: 0,
      givenUp: 0,
      drift: 0,
      holds: null,
      released: 0,
    }
    answer.body = nothing
    await run('reconcile', 'mugs')
    const holds = { restored: 2, released: 0, lost: 1, overdue: 0 }
    answer.body = { ...nothing, state: 'to-recover', resent: 1, drift: -2, holds }
    await run('reconcile', 'mugs')
    expect(lines).toEqual([
      'everything is in order',
      [
        '1 messages sent again',
        '2 orders whose reservation was restored',
        '1 orders rejected because their message was lost',
        '2 units ordered but not reserved in Redis',
        'Redis has lost this sale: run “recover”',
      ].join('\n'),
    ])
  })

  it.each([
    [
      'paid',
      { status: 'refund-due', refund: { paymentId: 'pay-1', amount: 1990, currency: 'CNY' } },
      'is now refund-due; CN¥19.90 refunded',
    ],
    ['unpaid', { status: 'cancelled', refund: null }, 'is now cancelled'],
  ])('prints the result for a refunded order that was %s', async (_name, body, words) => {
    const orderId = orderIdOf(saleIdOf('mugs'), 1, 1)
    answer.body = { orderId, saleId: 'mugs', ...body }
    expect(await run('refund', orderId)).toBe(0)
    expect(lines).toEqual([`${orderId} ${words}`])
  })

  it('places the orders of a CSV file, a hundred in a call, and says what came of each', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orders-'))
    const file = join(folder, 'orders.csv')
    const rows = Array.from({ length: 101 }, (_, at) => `shopper-${at},2,line-${at}`)
    writeFileSync(file, `shopper,quantity,key\r\n${rows.join('\r\n')}\r\n\r\n`)
    const orderId = orderIdOf(saleIdOf('mugs'), 1, 1)
    const line = { shopperId: 'shopper-0', key: 'line-0', code: 'reserved', orderId, quantity: 2 }
    const soldOut = { ...line, shopperId: 'shopper-100', code: 'sold-out', orderId: null, quantity: 0 }
    troubles = ['lost', { status: 200, body: { lines: [line] } }]
    answer.body = { lines: [soldOut] }
    expect(await run('order', 'mugs', file)).toBe(0)
    const calls = asked.filter(({ path }) => path === '/api/control/sales/mugs/orders')
    const sent = rows.map((_, at) => ({ shopperId: `shopper-${at}`, quantity: 2, key: `line-${at}` }))
    expect(calls.map(({ method, body }) => [method, body])).toEqual([
      ['POST', { lines: sent.slice(0, 100) }],
      ['POST', { lines: sent.slice(0, 100) }],
      ['POST', { lines: sent.slice(100) }],
    ])
    expect(cells()).toEqual([
      ['SHOPPER', 'KEY', 'RESULT', 'UNITS', 'ORDER'],
      ['shopper-0', 'line-0', 'reserved', '2', orderId],
      ['shopper-100', 'line-0', 'sold-out', '0', '-'],
      ['1 reserved, 1 sold-out'],
    ])
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['ann,0,a', 'line 2: quantity must be a whole number from 1'],
    ['ann,1', 'line 2 has a wrong number of cells, or a quote that is not closed'],
    ['ann,one,a', 'line 2: quantity must be a whole number from 1'],
    ['ann,1,a,b', 'line 2 has a wrong number of cells, or a quote that is not closed'],
  ])('places no order of a file with the line %s', async (row, complaint) => {
    const folder = mkdtempSync(join(tmpdir(), 'orders-'))
    writeFileSync(join(folder, 'orders.csv'), `shopper,quantity,key\n${row}\nbob,1,b\n`)
    expect(await run('order', 'mugs', join(folder, 'orders.csv'))).toBe(1)
    expect(complaints).toEqual([complaint])
    expect(asked.filter(({ path }) => path !== '/local/sign-in')).toEqual([])
    rmSync(folder, { recursive: true })
  })

  describe('early', () => {
    const folder = mkdtempSync(join(tmpdir(), 'members-'))
    const file = join(folder, 'members.csv')
    afterAll(() => rmSync(folder, { recursive: true }))
    const sent = () =>
      asked
        .filter(({ path }) => path.startsWith('/api/control/sales/mugs/early'))
        .map(({ method, body }) => ({ method, body }))

    it('adds the shoppers of a file in calls of a thousand, again after a lost one (I5)', async () => {
      const ids = Array.from({ length: 1001 }, (_, at) => `s-${at}`)
      writeFileSync(file, `shopperId\n${ids.join('\n')}\n`)
      troubles = ['lost', { status: 200, body: { changed: 990, same: 10 } }]
      answer.body = { changed: 1, same: 0 }
      expect(await run('early', 'mugs', file)).toBe(0)
      expect(lines).toEqual(['991 added, 10 already on the list'])
      const first = { method: 'PUT', body: { shoppers: ids.slice(0, 1000) } }
      expect(sent()).toEqual([first, first, { method: 'PUT', body: { shoppers: ['s-1000'] } }])
    })

    it('removes them, or only says what it would do', async () => {
      writeFileSync(file, 'shopperId\nann\n')
      answer.body = { changed: 1, same: 0 }
      expect(await run('early', 'mugs', file, '--remove', '--dry-run')).toBe(0)
      expect(lines).toEqual(['1 would be removed, 0 not on the list'])
      expect(sent()).toEqual([{ method: 'POST', body: { shoppers: ['ann'], dryRun: true } }])
      lines.length = 0
      expect(await run('early', 'mugs', file, '--dry-run')).toBe(0)
      expect(lines).toEqual(['1 would be added, 0 already on the list'])
      lines.length = 0
      expect(await run('early', 'mugs', file, '--remove')).toBe(0)
      expect(lines).toEqual(['1 removed, 0 not on the list'])
    })

    it('names each line that cannot be imported, sends the others, and ends with an error', async () => {
      writeFileSync(file, 'shopperId,note\nann,\nno id,\nann,\n')
      answer.body = { changed: 1, same: 0 }
      expect(await run('early', 'mugs', file)).toBe(1)
      expect(cells()).toEqual([
        ['ignored columns: note'],
        ['LINE', 'SHOPPER', 'RESULT'],
        ['3', 'no id', 'invalid'],
        ['4', 'ann', 'duplicate'],
        ['1 added, 0 already on the list'],
      ])
      expect(complaints).toEqual(['2 lines cannot be imported'])
      expect(sent()).toEqual([{ method: 'PUT', body: { shoppers: ['ann'] } }])
    })

    it('shows the list page by page', async () => {
      answer.body = { count: 3, shoppers: ['ann', 'ben'], next: 'ben' }
      expect(await run('early', 'mugs', '--after', 'a')).toBe(0)
      expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/api/control/sales/mugs/early?after=a' })
      expect(lines.join('\n')).toBe('ann\nben\nmore: --after ben\n3 in all')
    })
  })

  describe('ship', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tracking-'))
    const file = join(folder, 'tracking.csv')
    afterAll(() => rmSync(folder, { recursive: true }))
    const orderId = (n: number) => orderIdOf(saleIdOf('mugs'), n, 1)
    const head = 'orderId,carrier,tracking,status'
    const sent = () => asked.filter(({ path }) => path === '/api/control/sales/mugs/shipments')
    const shipped = (n: number) => ({ orderId: orderId(n), code: 'shipped' })

    it('sends a hundred lines in a call, again after a lost one, and sums up what came of them (I5)', async () => {
      const rows = Array.from({ length: 101 }, (_, at) => `${orderId(at)},DHL,N${at},shipped`)
      writeFileSync(file, `\ufeff${head}\r\n${rows.join('\r\n')}\r\n`)
      const hundred = Array.from({ length: 100 }, (_, at) => shipped(at))
      troubles = ['lost', { status: 200, body: { lines: hundred } }]
      answer.body = { lines: [{ orderId: orderId(100), code: 'repeat' }] }
      expect(await run('ship', 'mugs', '--file', file)).toBe(0)
      expect(lines).toEqual(['100 shipped, 1 repeat'])
      const line = (at: number) => ({
        orderId: orderId(at),
        carrier: 'DHL',
        tracking: `N${at}`,
        status: 'shipped',
      })
      const first = { lines: hundred.map((_, at) => line(at)) }
      expect(sent().map(({ body }) => body)).toEqual([first, first, { lines: [line(100)] }])
    })

    it('names each line that cannot be imported, and ends with an error', async () => {
      writeFileSync(file, `note,${head}\nx,${orderId(1)},=1+1,1,shipped\nx,${orderId(2)},DHL,2,delivered\n`)
      answer.body = { lines: [{ orderId: orderId(2), code: 'not-paid' }] }
      expect(await run('ship', 'mugs', '--file', file)).toBe(1)
      expect(cells()).toEqual([
        ['ignored columns: note'],
        ['LINE', 'ORDER', 'RESULT'],
        ['2', orderId(1), 'invalid carrier'],
        ['3', orderId(2), 'not-paid'],
        ['1 invalid, 1 not-paid'],
      ])
      expect(complaints).toEqual(['2 of 2 lines cannot be imported'])
    })

    it('asks for nothing but answers in a dry run', async () => {
      writeFileSync(file, `${head}\n${orderId(1)},DHL,,shipped\n`)
      answer.body = { lines: [shipped(1)] }
      expect(await run('ship', 'mugs', '--file', file, '--dry-run')).toBe(0)
      expect(sent().map(({ body }) => body)).toEqual([
        { lines: [{ orderId: orderId(1), carrier: 'DHL', status: 'shipped' }], dryRun: true },
      ])
    })

    it.each([
      ['', 'the file is empty'],
      [`${head}\n`, 'the file has no lines below the names of its columns'],
      [
        'orderId,tracking,status\nx,1,shipped\n',
        'the column carrier is missing: the first line names the columns',
      ],
      [`${head},status\n`, 'the column status is there twice'],
      [`${head}\n"x,DHL,1,shipped\n`, 'line 2 has a wrong number of cells, or a quote that is not closed'],
      ['\0', 'the file is not text in UTF-8: save it as CSV in UTF-8'],
      ['x'.repeat(4_000_001), 'the file is larger than 4 MB: split it'],
    ])('sends nothing of a file that cannot be read, and says why', async (text, complaint) => {
      writeFileSync(file, text)
      expect(await run('ship', 'mugs', '--file', file)).toBe(1)
      expect(complaints).toEqual([complaint])
      expect(sent()).toEqual([])
    })
  })

  it('prints how many dead letters were moved', async () => {
    answer.body = { moved: 3, left: 1 }
    await run('redrive')
    expect(lines).toEqual(['3 retried, 1 left'])
  })

  it('prints orders as the system sends them', async () => {
    answer.body = 'orderId,status\r\nmugs-1,paid\r\n'
    expect(await run('orders', 'mugs')).toBe(0)
    expect(asked.at(-1)).toMatchObject({ method: 'GET', path: '/api/control/sales/mugs/orders.csv?after=' })
    expect(lines).toEqual(['orderId,status\r\nmugs-1,paid'])
    answer = { status: 404, body: problem('unknown-sale', 'There is no sale of that id.') }
    expect(await run('orders', 'mugs')).toBe(1)
    expect(complaints).toEqual(['unknown-sale: There is no sale of that id.'])
  })

  it('prints the whole answer as JSON on request', async () => {
    answer.body = { ...sale, extra: 'kept' }
    await run('--json', 'show', 'mugs')
    expect(JSON.parse(lines.join('\n'))).toEqual(answer.body)
  })

  it('names the wrong field and exits 1', async () => {
    answer = {
      status: 400,
      body: problem('invalid-request', 'endsAt must be after startsAt', { field: 'endsAt' }),
    }
    expect(await run('create', 'mugs')).toBe(1)
    expect(complaints).toEqual(['invalid-request (endsAt): endsAt must be after startsAt'])
  })

  it.each([
    [['nonsense'], 'unknown command'],
    [['stock', 'mugs', 'many'], 'whole number'],
    [['create', 'mugs', '--starts', 'noon'], 'is not a time'],
    [['create', 'mugs', '--window', '+1m,+2m'], 'start,end,units'],
    [['create', 'mugs', '--window', ',,'], 'start,end,units'],
    [['create', 'mugs', '--kind', 'lottery'], 'goods, coupon, red-packet'],
    [['create', 'rain', '--packets', '10', '--stock', '10'], 'leave out --stock'],
    [['create', 'rain', '--window', '+1m,+2m,3,4.00', '--total', '9'], 'leave out'],
    [['create', 'rain', '--packets', '10', '--total', '5'], '--currency'],
    [['create', 'mugs', '--admission-ratio', 'some'], 'not a number'],
    [['block', 'ip', '10.0.0.0/33'], 'not an IP address or a range'],
    [['block', 'shopper', 'no spaces'], 'not a shopper ID'],
    [['block', 'sale', 'mugs'], 'use shopper or ip'],
    [['create', 'mugs', '--price', '1.5'], '--currency'],
    [['create', 'mugs', '--price', '0.105', '--currency', 'CNY'], 'more decimals than CNY, which has 2'],
    [['create', 'mugs', '--price', '1', '--currency', 'yuan'], 'ISO 4217'],
    [['create', 'mugs', '--price', 'free', '--currency', 'CNY'], 'not an amount'],
  ])('exits 1 for %j with a plain sentence', async (args, sentence) => {
    expect(await run(...args)).toBe(1)
    expect(complaints.join(' ')).toContain(sentence)
    expect(asked.filter((a) => a.path.startsWith('/api/control'))).toEqual([])
  })

  it('reports when nothing answers', async () => {
    server.close()
    await once(server, 'close')
    expect(await run('list')).toBe(1)
    expect(complaints.join()).toContain('npm start')
  })

  it('prints a local token for any shopper id', async () => {
    expect(await run('sign-in', 'ann')).toBe(0)
    expect(asked.at(-1)?.body).toEqual({ shopperId: 'ann', roles: [] })
    expect(lines).toEqual(['local-token'])
  })
})

describe('the tables of a sale on the command line', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'coupons-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const csv = (...codes: string[]) => ['code,orderId', ...codes, ''].join('\r\n')
  const inParts = () => {
    troubles = [
      { status: 200, body: csv('AAAA,o-1'), next: 'tea-1' },
      { status: 200, body: 'BBBB,o-2\r\n', next: 'tea-2' },
      { status: 200, body: '' },
    ]
  }

  it.each(['orders', 'coupons', 'packets'])('are printed as the system sends them: %s', async (table) => {
    answer.body = csv('AAAA,o-1', 'BBBB,o-2')
    expect(await run(table, 'tea')).toBe(0)
    expect(asked.at(-1)).toMatchObject({ method: 'GET', path: `/api/control/sales/tea/${table}.csv?after=` })
    expect(lines).toEqual(['code,orderId\r\nAAAA,o-1\r\nBBBB,o-2'])
  })

  it('are joined from parts that follow each other', async () => {
    inParts()
    expect(await run('coupons', 'tea')).toBe(0)
    expect(asked.slice(1).map(({ path }) => path)).toEqual([
      '/api/control/sales/tea/coupons.csv?after=',
      '/api/control/sales/tea/coupons.csv?after=tea-1',
      '/api/control/sales/tea/coupons.csv?after=tea-2',
    ])
    expect(lines).toEqual(['code,orderId\r\nAAAA,o-1', 'BBBB,o-2'])
  })

  it('are saved in a file with all of them', async () => {
    inParts()
    const out = join(folder, 'codes.csv')
    expect(await run('coupons', 'tea', '--out', out)).toBe(0)
    expect(readFileSync(out, 'utf8')).toBe('code,orderId\r\nAAAA,o-1\r\nBBBB,o-2\r\n')
    expect(readdirSync(folder)).toEqual(['codes.csv'])
    expect(lines).toEqual([`coupons of tea written to ${out}`])
  })

  it('ask once more for a part that got no answer', async () => {
    inParts()
    troubles.splice(1, 0, 'lost')
    expect(await run('coupons', 'tea')).toBe(0)
    expect(lines).toEqual(['code,orderId\r\nAAAA,o-1', 'BBBB,o-2'])
  })

  it('leave no incomplete file behind', async () => {
    inParts()
    const down = { status: 503, body: problem('unavailable', 'A part of the shop does not answer.') }
    troubles.splice(1, 2, down, down)
    expect(await run('coupons', 'tea', '--out', join(folder, 'codes.csv'))).toBe(1)
    expect(complaints).toEqual(['unavailable: A part of the shop does not answer.'])
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the refusals of the API', () => {
  const folder = new URL('../../functions/control/', import.meta.url)
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  const code = sources.join('\n').replace(/\/\*[\s\S]*?\*\//g, '')
  const speaksApi = /\?\w+=|\b(?:GET|POST|PUT|PATCH|DELETE) \S*[/…]/
  const inCode = [...code.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(
    ([, plain, template]) => plain ?? template ?? '',
  )
  const sentences = [...inCode, ...Object.values(refusalReasons)]
    .filter((text) => speaksApi.test(text))
    // The command line asks for the parts of a table by itself.
    .filter((text) => !text.includes('?after='))

  it('name no API call when the command line prints them', () => {
    expect(sentences).toHaveLength(2)
    expect(sentences.map(atCommandLine).filter((text) => speaksApi.test(text))).toEqual([])
  })
})
