/** `npm run sale -- report`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { csvLine } from '../../../core/lib/csv-line.ts'
import { problem } from '../../../core/outcome.ts'
import { reportedOrdersTable } from '../../../functions/control/tables.ts'
import { reportedOrder } from '../../../functions/table/orders/reported-order.ts'
import { liveOf, orderOf } from '../../core/report/tables.ts'
import { newFolder } from '../../folders.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'
import { fakeControlApi } from './control-api.ts'

const opens = Date.UTC(2026, 10, 20, 11)
const sale = aSale({
  ...{ saleId: saleIdOf('mugs'), startsAt: opens, endsAt: opens + 3_600_000 },
  ...{ stock: 2, price: 1290, currency: 'EUR', title: 'Stoneware mug' },
})
const lineOf = (shopper: number) =>
  reportedOrdersTable
    .linesOf(reportedOrder(orderOf(sale, { shopper, status: 'paid', at: opens + 1000, paidAt: opens + 9000 })))
    .map(csvLine)
    .join('')

const { asked, bars, complaints, lines, pages, run: runAny } = fakeControlApi()
let folder: string

beforeEach(() => {
  const first = csvLine(reportedOrdersTable.headings) + lineOf(1)
  const live = liveOf(sale, { orders: { sold: 2, orders: 2 } })
  Object.assign(pages, {
    '/sales/mugs/live': { status: 200, body: live },
    '/sales/mugs/orders.csv?after=&columns=report': { status: 200, body: first, next: 'mugs-1' },
    '/sales/mugs/orders.csv?after=mugs-1&columns=report': { status: 200, body: lineOf(2) },
  })
  folder = newFolder('report')
})

const run = (...args: string[]) => runAny('--token', 'a-token', 'report', 'mugs', ...args)

describe('the report at the command line', () => {
  it('is a table of sums, made of all parts of the table', async () => {
    const out = join(folder, 'mugs.csv')
    expect([await run('--out', out), complaints]).toEqual([0, []])
    expect(readFileSync(out, 'utf8')).toContain('payments,revenue,25.80,EUR\r\n')
    expect(lines).toEqual([`report of mugs written to ${out}`])
    expect(bars).toEqual(['orders 1/2', 'orders 2/2', 'ended'])
    expect(asked.filter(({ path }) => path.includes('.csv'))).toHaveLength(2)
    expect(await run()).toBe(0)
    expect(lines.at(-1)).toContain('units,sold,2,units\r\n')
  })

  it('leaves no file behind when a part does not come', async () => {
    pages['/sales/mugs/orders.csv?after=mugs-1&columns=report'] = { status: 409, body: problem('conflict', 'Not now.') }
    expect(await run('--out', join(folder, 'mugs.csv'))).toBe(1)
    expect(complaints).toEqual(['conflict: Not now.'])
    expect(readdirSync(folder)).toEqual([])
    expect(bars.at(-1)).toBe('ended')
  })
})
