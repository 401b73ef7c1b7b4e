import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine } from '../../../core/lib/csv-line.ts'
import { holdsUnits, isPaid, orderStatuses } from '../../../core/orders/order.ts'
import { type OrderRow, orderReader, packetReader } from '../../../core/report/rows.ts'
import { reportedOrdersTable } from '../../../functions/control/tables.ts'
import { reportedOrder } from '../../../functions/table/orders/reported-order.ts'
import { aSaleOfVariants } from '../../redis/support.ts'
import { liveOf, orderOf, reportOfOrders } from './tables.ts'

const sale = aSaleOfVariants({ s: 500, m: 500 }, { startsAt: 1000, endsAt: 9_000_000, price: 250 })

function rowsIn(...parts: string[]): { rows: OrderRow[]; slices: number } {
  const rows: OrderRow[] = []
  const read = orderReader((row) => rows.push(row))
  let slices = 0
  for (const part of parts) for (const _ of read(part)) slices += 1
  return { rows, slices }
}

const headings = csvLine(reportedOrdersTable.headings)

/** A line of the table with this source of its order. */
function lineWith(shopper: number, source: string): string {
  const order = orderOf(sale, { shopper, quantity: 1, variant: 's', status: 'paid', at: 2000, paidAt: 3000 })
  const [cells = []] = reportedOrdersTable.linesOf(reportedOrder(order))
  return csvLine(cells.with(reportedOrdersTable.headings.indexOf('source'), source))
}

describe('the rows of orders.csv', () => {
  it('are read slice by slice, also where a cell has line ends and quotes', () => {
    const source = 'Flat "2";\r\nHouse 1\n'
    const lines = Array.from({ length: 1500 }, (_, i) => lineWith(i, source.repeat(1 + (i % 40))))
    const { rows, slices } = rowsIn(headings + lines.slice(0, 900).join(''), lines.slice(900).join(''))
    expect(rows).toHaveLength(1500)
    expect(slices).toBeGreaterThan(4)
    expect(new Set(rows.map(({ shopperId }) => shopperId)).size).toBe(1500)
    expect(rows[1499]).toEqual({
      ...{ shopperId: 'shopper-1499', quantity: 1, variant: 's', amount: 250, status: 'paid' },
      ...{ shown: 'paid', reservedAt: 2000, paidAt: 3000, endedAt: undefined, refundDue: 0, refundReturned: 0 },
      ...{ dispute: undefined, source: source.repeat(1 + (1499 % 40)) },
    })
  })

  it('are the same with a cell in quotes and without any', () => {
    const line = lineWith(1, '')
    const quoted = line.replace('shopper-1', '"shopper-1"')
    expect(rowsIn(headings + line.repeat(3))).toEqual(rowsIn(headings + quoted + line.repeat(2)))
  })

  it('are none in a part without lines', () => {
    expect(rowsIn(headings, '')).toMatchObject({ rows: [] })
  })

  it('are refused without a column, with an unknown status, and with a cell that is no number', () => {
    expect(() => rowsIn('orderId,quantity\r\n')).toThrow('orders.csv has no column shopperId')
    expect(() => rowsIn(`${headings + lineWith(1, '').trimEnd()},\r\n`)).toThrow('orders.csv has a line of')
    expect(() => rowsIn(headings + lineWith(1, '').replace(',paid,', ',lent,'))).toThrow('unknown status: lent')
    expect(() => rowsIn(headings + lineWith(1, '').replace(',2.50,', ',2.505,'))).toThrow('not an amount of')
    expect(() => rowsIn(headings + lineWith(1, '').replace('1970-01-01T00:00:02.000Z', ''))).toThrow('not a time')
    expect(() => [...packetReader(() => {})('packetId\r\n')]).toThrow('packets.csv has no column shopperId')
  })
})

const seed = 61_122

describe('the sums of a report', () => {
  it(`are those of all orders, in parts of any size (seed ${seed})`, async () => {
    const made = fc.record({
      shopper: fc.integer({ min: 1, max: 9 }),
      quantity: fc.integer({ min: 1, max: 6 }),
      variant: fc.constantFrom('s', 'm'),
      status: fc.constantFrom(...orderStatuses),
      at: fc.integer({ min: 1000, max: 60_000 }),
      took: fc.integer({ min: 1, max: 900_000 }),
      refund: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined }),
    })
    const anyOrders = fc.array(made, { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(anyOrders, fc.integer({ min: 1, max: 50 }), async (several, rowsOfPart) => {
        const orders = several.map(({ shopper, quantity, variant, status, at, took, refund }, i) =>
          orderOf(sale, {
            ...{ shopper, order: i + 1, quantity, variant, status, at, endedAt: at + took },
            ...(isPaid({ status, amount: 1 }) && { paidAt: at + took }),
            refunds:
              refund === undefined ? [] : [{ paymentId: 'p', amount: refund, currency: sale.currency, returned: 1 }],
          }),
        )
        const report = await reportOfOrders(liveOf(sale), orders, rowsOfPart)
        const sum = (some: typeof orders, of: (order: (typeof orders)[number]) => number) =>
          some.map(of).reduce((a, b) => a + b, 0)
        const kept = orders.filter(({ status }) => holdsUnits(status))
        const paid = orders.filter(isPaid)
        const refunds = orders.flatMap((order) => order.refunds ?? [])

        expect(report.units.sold).toBe(sum(kept, ({ quantity }) => quantity))
        expect(report.orders).toBe(kept.length)
        expect(report.shoppers).toBe(new Set(kept.map(({ shopperId }) => shopperId)).size)
        expect(report.payments).toMatchObject({
          ...{ paid: paid.length, revenue: sum(paid, ({ amount }) => amount) },
          refundDue: refunds.reduce((total, { amount, returned }) => total + Math.max(amount, returned), 0),
          refundReturned: refunds.reduce((total, { returned }) => total + returned, 0),
        })
        expect(report.statuses.reduce((total, one) => total + one.orders, 0)).toBe(orders.length)
        expect(report.variants.map(({ sold }) => sold)).toEqual(
          ['s', 'm'].map((id) => sum(kept, ({ variant, quantity }) => (variant === id ? quantity : 0))),
        )
        const [round] = report.pace.windows
        const drawn = (round?.bars?.units ?? []).reduce((a, b) => a + b, 0) + (round?.bars?.later ?? 0)
        expect([round?.sold, round?.taken]).toEqual([report.units.sold, drawn])
        const reserved = orders.filter(({ status }) => status !== 'rejected')
        expect(drawn).toBe(sum(reserved, ({ quantity }) => quantity))
      }),
      { seed, numRuns: 150 },
    )
  })
})
