/** The output of the sale command for each answer of the control API. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { problem } from '../../../core/outcome.ts'
import { aLive } from '../../core/api/live-answer.ts'
import { newFolder } from '../../folders.ts'
import { orderIdOf } from '../../redis/support.ts'
import { fakeControlApi, sale } from './control-api.ts'

const { answer, api, asked, calls, complaints, lines, run, troubles } = fakeControlApi()

const day = 1_800_000_000_000
const orderId = orderIdOf(sale.saleId, 1, 1)
const rain = {
  ...sale,
  ...{ kind: 'red-packet', price: 0, stock: 30, packets: { count: 30, totalAmount: 15_000 } },
  windows: [
    { startsAt: sale.startsAt, endsAt: sale.startsAt + 1, stock: 30, totalAmount: 15_000 },
    { startsAt: sale.endsAt, endsAt: sale.endsAt + 1, stock: 20, totalAmount: 9900 },
  ],
}
const variants = [
  { id: 's', name: 'Small', stock: 10 },
  { id: 'black-m', name: 'Black, M', stock: 5 },
]
const placed = { ...sale, shards: 4, databases: ['main', 'db-2', 'db-3', 'db-4'] }
const live = (change: object) => ({ ...aLive, sale, ...change })
const liveRain = (money: object | null) => live({ sale: rain, admissions: null, money })
const database = (name: string, share: number, sales: object[]) => ({ name, commandsPerSecond: 10_000, share, sales })
const rebuilt = { sale, orders: 2, units: 3, heldBack: 0, movedShards: [] }
const inOrder = {
  ...{ state: 'in-step', resent: 0, waiting: 0, oldestAgeMs: 0, givenUp: 0 },
  ...{ drift: 0, holds: null, released: 0 },
}
const entry = { who: 'mia', saleId: null, when: day, requestId: 'r.1' }
const blocked = { kind: 'ip', value: '203.0.113.7', who: 'mia', when: day }
const found = {
  ...{ orderId, saleId: 'mugs', shopperId: 'ann', quantity: 2, amount: 1990, currency: 'CNY' },
  ...{ status: 'refund-due', reservedAt: 1, writtenAt: 2, payBy: null },
  payment: { paymentId: 'pay-1', attempt: 1, startedAt: 3, state: 'succeeded' },
  refunds: [
    { paymentId: 'pay-1', amount: 1990, currency: 'CNY', returned: 0, failedAt: day },
    { paymentId: 'pay-2', amount: 0, currency: 'CNY', returned: 400 },
  ],
  history: [{ at: day, what: 'payment-succeeded', status: 'paid' }],
}
const terms = { label: { en: 'Terms', 'zh-CN': '服务条款' }, href: '/terms' }

type Printed = [what: string, command: string, body: unknown, ...prints: (string | RegExp)[]]

const sales: Printed[] = [
  [
    ...(['its end by hand beside the planned one', 'show mugs'] as const),
    { ...sale, startsAt: day, endsAt: day + 3_600_000, flag: 'closed', endedAt: day + 60_000 },
    /\nends {4}[^\n(]+ \(planned for [^\n)]+\)\n/,
  ],
  ['its state and gate', 'show mugs', sale, 'phase   draft\nopening Needs your start\n', 'kind    goods'],
  [
    ...(['the gate and its windows, the current one marked (R7)', 'show mugs'] as const),
    {
      ...{ ...sale, challenge: 'pow', minLevel: 3, windowIndex: 1 },
      windows: [
        { startsAt: day, endsAt: day + 60_000, stock: 3 },
        { startsAt: day + 120_000, endsAt: day + 180_000, stock: 2 },
      ],
    },
    'gate    1.2 clicks per unit, minimum level 3, bot check pow',
    'limits  2000 clicks/s, shopper 5/60, IP 3000/60',
    /round {3}.* to .*, 3 units\nround {3}.* to .*, 2 units \(current\)/,
  ],
  [
    ...(['red packets', 'show mugs', rain] as const),
    ...['kind    red-packet', 'price   CN¥249.00 in total', 'stock   50 packets'],
    /30 packets with CN¥150\.00 \(current\)/,
  ],
  [
    ...(['coupons', 'show mugs'] as const),
    { ...sale, kind: 'coupon', price: 0, coupons: { validUntil: day } },
    ...['price   free', /valid {3}from the start, until \d{4}-/],
  ],
  [
    ...(['variants (N1)', 'show mugs'] as const),
    { ...sale, stock: 15, variants, windows: [{ startsAt: 1, endsAt: 2, stock: 15, units: { s: 10, 'black-m': 5 } }] },
    'variant s  Small, 10\nvariant black-m  Black, M, 5\n',
    '15 units (black-m*5+s*10) (current)',
  ],
  ['a split stock', 'show mugs', placed, 'shards  4 (main, db-2, db-3, db-4)\n'],
  ['a split stock that is not published', 'show mugs', { ...placed, databases: [] }, 'shards  4\n'],
  ['no shards where there are none', 'show mugs', sale, /^(?!(?:.|\n)*shards)/],
  [
    ...(['sales of each kind', 'list', { sales: [rain, sale], next: null }] as const),
    /mugs +red-packet .*50 packets.*CN¥249\.00 in total .*\nmugs +goods .*CN¥0\.10 /,
  ],
  [
    ...(['which database has which sale, and how much of it they would use (S16)', 'placement'] as const),
    { databases: [database('main', 0.2, []), database('db-2', 900, [{ sale, isBig: true }])] },
    /main +10000 +20 % +-\n/,
    /db-2 +10000 +over 1000 % +mugs +\d+ +big +\d{4}-/,
  ],
]

const lives: Printed[] = [
  [
    ...(['the numbers in one line', 'live mugs', live({ drift: null })] as const),
    / · open · 60 left, 40 reserved · admissions: 70 left, 10 pending, 500\/2000 per second · sold 38 in 30 orders · 12 paid for CN¥4.80 · drift \? · outbox 2 · queue 4 · dead letters 0$/,
  ],
  [
    ...(['each variant (N1)', 'live mugs'] as const),
    live({
      sale: { ...sale, variants },
      variants: { s: { total: 10, left: 7, booked: 3 }, 'black-m': { total: 5, left: 0, booked: 5 } },
    }),
    [
      ...['\nVARIANT  NAME      TOTAL  RESERVED  LEFT', 's        Small     10     3         7'],
      'black-m  Black, M  5      5         0',
    ].join('\n'),
  ],
  [
    ...(['each database of a split stock', 'live mugs'] as const),
    live({
      sale: placed,
      split: {
        pool: 12,
        shards: [
          { database: 'main', state: 'selling', granted: 40, booked: 31, left: 9 },
          { database: 'db-2', state: 'frozen', granted: 7, booked: 7, left: 0 },
          { database: 'db-3', state: 'missing', granted: 20, booked: null, left: null },
          { database: 'db-4', state: 'unreachable', granted: 1200, booked: null, left: null },
        ],
      },
    }),
    [
      '\nDATABASE  STATUS             ALLOCATED  RESERVED  LEFT',
      'main      working            40         31        9',
      'db-2      being rebuilt      7          7         0',
      'db-3      data lost          20         ?         ?',
      'db-4      not responding     1200       ?         ?',
      '(none)    not allocated yet  12',
    ].join('\n'),
  ],
  [
    ...(['the money of red packets while they rain (P1)', 'live mugs'] as const),
    liveRain({ budget: 24_900, claimed: 12_000, left: 12_900, returned: null }),
    '60 left, 40 reserved, 50 packets in total · admissions: ? · 38 red packets credited · CN¥120.00 of CN¥249.00 credited, CN¥129.00 left · drift 0',
  ],
  [
    ...(['the money of red packets once the budget is closed (P1)', 'live mugs'] as const),
    liveRain({ budget: 24_900, claimed: 12_000, left: 12_900, returned: 12_900 }),
    'CN¥120.00 of CN¥249.00 credited, CN¥129.00 returned',
  ],
  ['unknown money of red packets', 'live mugs', liveRain(null), 'money ?'],
  [
    ...(['the parts that do not answer, and the rest', 'live mugs'] as const),
    live({
      ...{ inStep: false, stock: null, drift: null, outbox: null, queue: null, deadLetters: null },
      ...{ admissions: null, unavailable: ['redis', 'sqs', 'gate'] },
    }),
    /stock unknown · admissions: \? · sold 38 in 30 orders · 12 paid for CN¥4.80 · drift \? · outbox \? · queue \? · dead letters \? · redis isn’t responding · sqs isn’t responding · gate isn’t responding$/,
  ],
  [
    ...(['a Redis that has missed the last action', 'live mugs', live({ inStep: false })] as const),
    'Redis is behind: repeat the last command',
  ],
  [
    ...(['a Redis that is rebuilt', 'live mugs', live({ frozen: true })] as const),
    'being rebuilt: sells nothing until that is done',
  ],
  ['a drift', 'live mugs', live({ drift: -2 }), 'drift -2'],
]

const others: Printed[] = [
  ['the blocks of the gate (R8)', 'block list', { entries: [] }, /^The blocklist is empty\.$/],
  [
    ...(['the blocks of the gate, and their times (R8)', 'block list'] as const),
    { entries: [{ kind: 'shopper', value: 'bot', who: 'mia', when: day }] },
    /shopper +bot +mia +\d{4}-\d\d-\d\d/,
  ],
  ['a block (R8)', 'block add ip 203.0.113.7', blocked, '203.0.113.7 is blocked'],
  ['the end of a block (R8)', 'block remove ip 203.0.113.7', blocked, '203.0.113.7 is unblocked'],
  [
    ...(['the target of a block in the audit (R8)', 'audit'] as const),
    {
      day: '2027-01-15',
      entries: [
        { ...entry, what: 'block', before: null, after: { kind: 'shopper', value: 'eve' } },
        { ...entry, what: 'unblock', before: { kind: 'ip', value: '10.0.0.0/8' }, after: null },
        { ...entry, what: 'redrive', before: null, after: null },
      ],
    },
    / block +eve +r\.1\n.* unblock +10\.0\.0\.0\/8 +r\.1\n.* redrive +- +r\.1/,
  ],
  [
    ...(['the brand of the shop', 'brand'] as const),
    { revision: 2, brand: { name: 'Lantern', links: [terms], support: 'help@lantern.example' } },
    ...['Lantern (revision 2)', 'Terms | 服务条款 | /terms', 'help@lantern.example'],
  ],
  [
    ...(['orders with payments, refunds and history', 'find ann'] as const),
    { orders: [found], next: '1.x' },
    ...[`${orderId}  refund-due`, 'payment pay-1 succeeded', 'refund of pay-1: CN¥0.00 of CN¥19.90 returned'],
    ...['the bank returned the refund of pay-1 at 2027-', `npm run sale -- settle-refund ${orderId}`],
    ...['refund of pay-2: CN¥4.00 of CN¥4.00 returned', 'payment-succeeded (paid)', '--after 1.x'],
  ],
  ['who the token is of', 'me', { who: 'vera', roles: ['viewer'] }, /^vera: viewer$/],
  ['a changed stock', 'stock mugs +1', { total: 20, booked: 3 }, /^mugs: 20 in total, 3 reserved$/],
  [...(['what was rebuilt', 'recover mugs', rebuilt] as const), /^mugs is rebuilt: 3 units held by 2 orders, epoch 0$/],
  [
    ...(['what was rebuilt, held back and moved', 'recover mugs'] as const),
    { ...rebuilt, heldBack: 5, movedShards: [{ shard: 1, from: 'db-2', to: 'db-4' }] },
    /epoch 0; 5 more are held back for orders that may still arrive\nshard 2 moved from db-2 to db-4$/,
  ],
  ['a comparison without a finding', 'reconcile mugs', inOrder, /^everything is in order$/],
  [
    ...(['what a comparison found, and nothing else', 'reconcile mugs'] as const),
    { ...inOrder, state: 'to-recover', resent: 1, drift: -2, holds: { restored: 2, released: 0, lost: 1, overdue: 0 } },
    new RegExp(
      `^${[
        '1 message sent again',
        '2 orders whose reservation was restored',
        '1 order sent again because its message was lost',
        '2 units ordered but not reserved in Redis',
        'Redis has lost this sale: run “recover”',
      ].join('\n')}$`,
    ),
  ],
  [
    ...(['a refund', `refund ${orderId}`] as const),
    { orderId, saleId: 'mugs', status: 'refund-due', refund: { paymentId: 'pay-1', amount: 1990, currency: 'CNY' } },
    new RegExp(`^${orderId} is now refund-due; CN¥19.90 refunded$`),
  ],
  [
    ...(['the refund of an unpaid order', `refund ${orderId}`] as const),
    { orderId, saleId: 'mugs', status: 'cancelled', refund: null },
    new RegExp(`^${orderId} is now cancelled$`),
  ],
  ['how many dead letters were moved', 'redrive', { moved: 3, left: 1 }, /^3 retried, 1 left$/],
  [
    'from when passes of a leaked key are refused',
    'rotate-pass-keys',
    { rotatedAt: 1_800_000_000_000 },
    /^the gate refuses every earlier pass within 2 seconds$/,
  ],
]

describe('the sale command prints', () => {
  it.each([...sales, ...lives, ...others])('%s', async (_, command, body, ...prints) => {
    answer.body = body
    expect([await run(...command.split(' ')), complaints]).toEqual([0, []])
    for (const one of prints) expect(lines.join('\n')).toMatch(one)
  })

  it('whether a sale opens by itself or needs a start', async () => {
    const armed = { ...sale, saleId: 'armed', warmed: true, flag: 'on', epoch: 1 }
    answer.body = { sales: [{ ...sale, warmed: true }, armed], next: null }
    api.now = day - 3_600_000
    await run('list')
    expect(lines.at(-1)).toMatch(/mugs +goods +off +scheduled +Needs your start +\d/)
    expect(lines.at(-1)).toMatch(/armed +goods +on +scheduled +Opens automatically at \d{4}-/)
    api.now = day
    await run('list')
    expect(lines.at(-1)).toMatch(/mugs .*Needs your start: it should have opened at \d{4}-/)
    expect(lines.at(-1)).toMatch(/armed +goods +on +open +- /)
    answer.body = armed
    api.now = day - 1
    await run('show', 'mugs')
    expect(lines.at(-1)).toContain('phase   scheduled\nopening Opens automatically at ')
  })

  it('times with their zone', async () => {
    await run('show', 'mugs')
    const [, date, time, zone] =
      /starts {2}(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-]\d\d:\d\d)\n/.exec(lines.at(-1) ?? '') ?? []
    expect(Date.parse(`${date}T${time}${zone}`)).toBe(sale.startsAt)
  })

  it('the whole answer as JSON on request', async () => {
    answer.body = { ...sale, extra: 'kept' }
    await run('--json', 'show', 'mugs')
    expect(JSON.parse(lines.join('\n'))).toEqual(answer.body)
  })
})

it('signs any shopper in on this machine', async () => {
  expect(await run('sign-in', 'ann')).toBe(0)
  expect(asked.at(-1)?.body).toEqual({ shopperId: 'ann', roles: [] })
  expect(lines).toEqual(['local-token'])
})

it('finds orders by number or shopper', async () => {
  answer.body = { orders: [], next: null }
  await run('find', 'ann')
  expect(calls()).toEqual([['POST', '/orders/find', { find: 'ann' }]])
  expect(lines).toEqual(['No orders.'])
})

describe('the tables of a sale on the command line', () => {
  const csv = (...codes: string[]) => ['code,orderId', ...codes, ''].join('\r\n')
  const inParts = () =>
    troubles.push(
      { status: 200, body: csv('AAAA,o-1'), next: 'tea-1' },
      { status: 200, body: 'BBBB,o-2\r\n', next: 'tea-2' },
      { status: 200, body: '' },
    )

  it.each(['orders', 'coupons', 'packets'])('are printed as the system sends them: %s', async (table) => {
    answer.body = csv('AAAA,o-1', 'BBBB,o-2')
    expect(await run(table, 'tea')).toBe(0)
    expect(calls()).toEqual([['GET', `/sales/tea/${table}.csv?after=`, null]])
    expect(lines).toEqual(['\ufeffcode,orderId\r\nAAAA,o-1\r\nBBBB,o-2'])
    Object.assign(answer, { status: 404, body: problem('unknown-sale', 'There is no sale of that id.') })
    expect(await run(table, 'tea')).toBe(1)
    expect(complaints).toEqual(['unknown-sale: There is no sale of that id.'])
  })

  it('are joined from parts that follow each other, a part without an answer asked for once more', async () => {
    inParts()
    troubles.splice(1, 0, 'lost')
    expect(await run('coupons', 'tea')).toBe(0)
    expect(asked.slice(1).map(({ path }) => path.split('?')[1])).toEqual([
      ...['after=', 'after=tea-1', 'after=tea-1', 'after=tea-2'],
    ])
    expect(lines).toEqual(['\ufeffcode,orderId\r\nAAAA,o-1', 'BBBB,o-2'])
  })

  it('are saved in a file with all of them', async () => {
    inParts()
    const folder = newFolder('coupons')
    const out = join(folder, 'codes.csv')
    expect(await run('coupons', 'tea', '--out', out)).toBe(0)
    expect(readFileSync(out, 'utf8')).toBe('\ufeffcode,orderId\r\nAAAA,o-1\r\nBBBB,o-2\r\n')
    expect(readdirSync(folder)).toEqual(['codes.csv'])
    expect(lines).toEqual([`coupons of tea written to ${out}`])
  })

  it('leave no incomplete file behind', async () => {
    inParts()
    const folder = newFolder('coupons')
    const down = { status: 503, body: problem('unavailable', 'A part of the shop does not answer.') }
    troubles.splice(1, 2, down, down)
    expect(await run('coupons', 'tea', '--out', join(folder, 'codes.csv'))).toBe(1)
    expect(complaints).toEqual(['unavailable: A part of the shop does not answer.'])
    expect(readdirSync(folder)).toEqual([])
  })
})
