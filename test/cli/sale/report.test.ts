/** `npm run sale -- report`. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { csvLine } from '../../../core/lib/csv-line.ts'
import { problem } from '../../../core/outcome.ts'
import { sentOrdersTable } from '../../../functions/people/orders-table.ts'
import { liveOf, orderOf } from '../../core/report/tables.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'
import { fakeControlApi } from './control-api.ts'

const opens = Date.UTC(2026, 10, 20, 11)
const sale = aSale({
  ...{ saleId: saleIdOf('mugs'), startsAt: opens, endsAt: opens + 3_600_000 },
  ...{ stock: 2, price: 1290, currency: 'EUR', title: 'Stoneware mug' },
})
const lineOf = (shopper: number) =>
  sentOrdersTable
    .linesOf({ order: orderOf(sale, { shopper, status: 'paid', at: opens + 1000, paidAt: opens + 9000 }) })
    .map(csvLine)
    .join('')

const { asked, bars, complaints, lines, pages, run: runAny } = fakeControlApi()
let folder: string

beforeEach(() => {
  const first = csvLine(sentOrdersTable.headings) + lineOf(1)
  const live = liveOf(sale, { orders: { sold: 2, orders: 2 } })
  Object.assign(pages, {
    '/brand': { status: 200, body: { revision: 1, brand: { name: 'Kiln & Co' } } },
    '/sales/mugs/live': { status: 200, body: live },
    '/sales/mugs/orders.csv?after=&columns=report': { status: 200, body: first, next: 'mugs-1' },
    '/sales/mugs/orders.csv?after=mugs-1&columns=report': { status: 200, body: lineOf(2) },
  })
  folder = mkdtempSync(join(tmpdir(), 'report-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => runAny('--token', 'a-token', 'report', 'mugs', ...args)

describe('the report at the command line', () => {
  it('is one HTML file, made of all parts of the table', async () => {
    const out = join(folder, 'mugs.html')
    expect([await run('--out', out, '--zone', 'Europe/Berlin', '--language', 'en'), complaints]).toEqual([0, []])
    const page = readFileSync(out, 'utf8')
    expect(page).toContain('Sold out in 1 s: 2 of 2 units to 2 shoppers; 2 orders paid, €25.80.')
    expect(page).toContain('Kiln &amp; Co')
    expect(page).toContain('All times: Europe/Berlin (GMT+1).')
    expect(readdirSync(folder)).toEqual(['mugs.html'])
    expect(lines).toEqual([`report of mugs written to ${out}`])
    expect(bars).toEqual(['orders 1/2', 'orders 2/2', 'ended'])
    expect(asked.filter(({ path }) => path.includes('.csv'))).toHaveLength(2)
  })

  it('is printed, in Chinese, and in the zone of the shell', async () => {
    expect(await run('--language', 'zh-CN')).toBe(0)
    expect(lines.join('\n')).toContain('1 秒售罄：共 2 件，售出 2 件，2 位用户抢到')
    expect(lines.join('\n')).toContain(Intl.DateTimeFormat().resolvedOptions().timeZone)
  })

  it('is a table on request', async () => {
    expect(await run('--csv')).toBe(0)
    expect(lines[0]).toContain('payments,revenue,25.80,EUR\r\n')
  })

  it('has an earlier sale beside it', async () => {
    const earlier = { ...sale, saleId: saleIdOf('cups'), title: 'Cup', stock: 5 }
    Object.assign(pages, {
      '/sales/cups/live': { status: 200, body: liveOf(earlier, { orders: { sold: 1, orders: 1 } }) },
      '/sales/cups/orders.csv?after=&columns=report': {
        ...{ status: 200, body: csvLine(sentOrdersTable.headings) + lineOf(1) },
      },
    })
    expect(await run('--csv', '--compare', 'cups')).toBe(0)
    expect(lines[0]).toContain('earlier,sold,1,units\r\ndifference,sold,1,units\r\n')
  })

  it('leaves no file behind when a part does not come', async () => {
    pages['/sales/mugs/orders.csv?after=mugs-1&columns=report'] = {
      status: 409,
      body: problem('conflict', 'Not now.'),
    }
    expect(await run('--out', join(folder, 'mugs.html'))).toBe(1)
    expect(complaints).toEqual(['conflict: Not now.'])
    expect(readdirSync(folder)).toEqual([])
    expect(bars.at(-1)).toBe('ended')
  })

  it('refuses a zone and a language that do not exist before it asks for anything', async () => {
    expect(await run('--zone', 'Moon/Tranquility')).toBe(1)
    expect(await run('--language', 'tlh')).toBe(1)
    expect(complaints[0]).toContain('Moon/Tranquility')
    expect(complaints[1]).toContain('Allowed choices are en, ')
    expect(asked).toEqual([])
  })
})
