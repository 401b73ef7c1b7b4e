/** The sale command on a whole system. */
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { runSaleCli } from '../../../cli/sale.ts'
import { sentOrdersTable } from '../../../functions/people/list-orders.ts'
import { shopAt } from '../../journey/support.ts'

const stack = shopAt(inject('shopUrl'))

const lines: string[] = []
const complaints: string[] = []
beforeEach(() => {
  lines.length = 0
  complaints.length = 0
})

/** Longer than a run of the schedule. */
const patience = { timeout: 60_000, interval: 250 }

const run = (...args: string[]): Promise<number> =>
  runSaleCli(['--url', stack.url, ...args], {
    print: (line) => lines.push(line),
    printError: (line) => complaints.push(line),
    note: () => {},
    startStep: () => ({ to: () => {}, end: () => {} }),
    now: Date.now,
    environment: { url: undefined, token: undefined },
    running: async () => undefined,
  })

/** Returns the output of the command, errors included. */
async function printed(...args: string[]): Promise<string> {
  lines.length = 0
  complaints.length = 0
  await run(...args)
  return [...lines, ...complaints].join('\n')
}

/** Returns the output of a command that must succeed. */
async function say(...args: string[]): Promise<string> {
  const said = await printed(...args)
  expect(complaints).toEqual([])
  return said
}

/** The fields about the product that every definition has. */
const product = ['--title', 'Mug', '--description', 'A mug.', '--picture', '/assets/pictures/mug.svg The product']
const goods = (price: string, ...times: string[]) => [
  ...[...product, '--price', price, '--currency', 'CNY', '--stock', '10'],
  ...['--starts', times[0] ?? '+60s', '--ends', times[1] ?? '+1h'],
]

describe('the sale command on the running system', () => {
  it('takes a sale from its definition to its end, and shows who did what', async () => {
    expect(await say('create', '--id', 'cli-mugs', ...goods('0.10'))).toContain('not published')
    expect(await say('edit', 'cli-mugs', '--title', 'Better mug')).toContain('Better mug')
    expect(await say('warm', 'cli-mugs')).not.toContain('not published')
    expect(await say('live', 'cli-mugs')).toContain('scheduled · 10 left')
    expect(await say('start', 'cli-mugs', '--now')).toContain('flag    on (epoch 1')
    expect(await say('live', 'cli-mugs')).toContain('open · 10 left')
    expect(await say('stock', 'cli-mugs', '-3')).toBe('cli-mugs: 7 in total, 0 reserved')
    // The scheduled repair may be at work on the same sale.
    await expect.poll(() => printed('reconcile', 'cli-mugs'), patience).toBe('everything is in order')
    const rebuilt = /^cli-mugs is rebuilt: 0 units held by 0 orders, epoch [2-9]$/
    await expect.poll(() => printed('recover', 'cli-mugs'), patience).toMatch(rebuilt)
    await expect
      .poll(() => printed('live', 'cli-mugs'), patience)
      .toContain(
        'open · 7 left, 0 reserved · admissions: 9 left, 0 pending, 2000/2000 per second · sold 0 in 0 orders · 0 paid for CN¥0.00 · drift 0',
      )
    expect(await say('orders', 'cli-mugs')).toBe(`\ufeff${sentOrdersTable.headings.join(',')}`)
    expect(await say('report', 'cli-mugs')).toContain('units,sold,0,units')
    expect(await say('pause', 'cli-mugs')).toContain('paused')
    // One more where the schedule has rebuilt the sale as well.
    expect(await say('resume', 'cli-mugs')).toMatch(/on \(epoch [2-9],/)
    expect(await say('close', 'cli-mugs')).toContain('closed')
    expect(await say('list')).toMatch(/cli-mugs +goods +closed/)
    expect(await say('audit')).toMatch(/marketer +close +cli-mugs/)
  })

  it('runs coupons and red packets, and prints the results (P1)', async () => {
    const rain = ['--kind', 'red-packet', '--currency', 'CNY', '--stock', '30', '--total', '150']
    const times = ['--starts', '+1h', '--ends', '+2h']
    expect(await say('create', '--id', 'cli-rain', ...product, ...rain, ...times)).toContain(
      'price   CN¥150.00 in total',
    )
    const more = ['--stock', '40', '--total', '200.50']
    expect(await say('edit', 'cli-rain', ...more)).toContain('price   CN¥200.50 in total')
    expect(await say('warm', 'cli-rain')).toContain('stock   40 packets')
    expect(await say('live', 'cli-rain')).toContain(
      'scheduled · 40 left, 0 reserved, 40 packets in total · admissions: 48 left, 0 pending, 2000/2000 per second · 0 red packets credited · CN¥0.00 of CN¥200.50 credited, CN¥200.50 left',
    )
    const coupons = ['--kind', 'coupon', '--currency', 'CNY', '--stock', '5', '--starts', 'now', '--ends', '+1h']
    expect(await say('create', '--id', 'cli-tea', ...product, ...coupons)).toContain('price   free')
    expect(await say('start', 'cli-tea')).toContain('flag    on')
    expect(await say('coupons', 'cli-tea')).toMatch(/^\ufeffcode,orderId,/)
    expect(await run('coupons', 'cli-rain')).toBe(1)
    expect(complaints.join()).toMatch(/^conflict: /)
  })

  it('names --force, and no part of an API address, when it refuses a range that is too wide', async () => {
    expect(await run('block', 'add', 'ip', '100.0.0.0/7')).toBe(1)
    expect(complaints.join()).toContain('To block it all the same, add --force.')
    expect(await run('block', 'add', 'ip', '100.0.0.0/7', '--force')).toBe(0)
    expect(await run('block', 'remove', 'ip', '100.0.0.0/7')).toBe(0)
  })
})
