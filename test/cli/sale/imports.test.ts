/** An order that the sale command places, and the CSV file of shipments that it sends in parts. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../../folders.ts'
import { orderIdOf } from '../../redis/support.ts'
import { fakeControlApi, sale } from './control-api.ts'

const { answer, asked, calls, cells, complaints, lines, run, troubles } = fakeControlApi()

const file = join(newFolder('imports'), 'rows.csv')

const orderId = (n: number) => orderIdOf(sale.saleId, n, 1)
const times = <T>(length: number, of: (at: number) => T) => Array.from({ length }, (_, at) => of(at))

describe('an order for a shopper', () => {
  const made = { code: 'reserved', orderId: orderId(1), quantity: 2 }

  it('is placed again under the same key after a lost call (I5)', async () => {
    troubles.push('lost')
    answer.body = made
    expect(await run('order', 'mugs', 'ann', '2')).toBe(0)
    const [first, second] = calls()
    expect(first).toEqual(['POST', '/sales/mugs/orders', { shopperId: 'ann', quantity: 2, key: expect.any(String) }])
    expect(second).toEqual(first)
    expect(lines).toEqual([`${orderId(1)} reserved, 2 units`])
  })

  it('has the variants and the key that are typed', async () => {
    answer.body = made
    expect(await run('order', 'mugs', 'ann', '2', '--variant', 'm', '--key', 'k1')).toBe(0)
    const order = { shopperId: 'ann', quantity: 2, variant: 'm', key: 'k1' }
    expect(calls()).toEqual([['POST', '/sales/mugs/orders', order]])
  })

  it('ends with an error when there is none', async () => {
    answer.body = { code: 'invalid-request', field: 'quantity', orderId: null, quantity: 0 }
    expect(await run('order', 'mugs', 'ann', '2')).toBe(1)
    expect([lines, complaints]).toEqual([['invalid-request: quantity'], ['no order was placed']])
  })
})

describe('the shipments of a CSV file', () => {
  const head = 'orderId,carrier,tracking,status'
  const shipped = (n: number) => ({ orderId: orderId(n), code: 'shipped' })

  it('are sent a hundred in a call, again after a lost one, and summed up (I5)', async () => {
    const rows = times(101, (at) => `${orderId(at)},DHL,N${at},shipped`)
    writeFileSync(file, `\ufeff${head}\r\n${rows.join('\r\n')}\r\n`)
    troubles.push('lost', { status: 200, body: { lines: times(100, shipped) } })
    answer.body = { lines: [{ orderId: orderId(100), code: 'repeat' }] }
    expect(await run('ship', 'mugs', '--file', file)).toBe(0)
    expect(lines).toEqual(['100 shipped, 1 repeat'])
    const line = (at: number) => ({ carrier: 'DHL', tracking: `N${at}`, ...sentAs(at) })
    const sentAs = (at: number) => ({ orderId: orderId(at), status: 'shipped' })
    const first = { lines: times(100, line) }
    expect(asked.slice(1).map(({ body }) => body)).toEqual([first, first, { lines: [line(100)] }])
  })

  it('name each line that cannot be imported, and end with an error', async () => {
    const rows = [`${orderId(1)},=1+1,1,shipped`, `${orderId(2)},DHL,2,delivered`, `${orderId(3)},DHL,3.4E+17,shipped`]
    writeFileSync(file, `note,${head}\n${rows.map((row) => `x,${row}\n`).join('')}`)
    answer.body = { lines: [{ orderId: orderId(2), code: 'not-paid' }] }
    expect(await run('ship', 'mugs', '--file', file)).toBe(1)
    expect(cells()).toEqual([
      ['ignored columns: note'],
      ['LINE', 'ORDER', 'RESULT'],
      ['2', orderId(1), 'carrier can’t be read'],
      ['3', orderId(2), 'not-paid'],
      ['4', orderId(3), expect.stringMatching(/^tracking was rounded by a spreadsheet: format the column as text/)],
      ['1 invalid, 1 not-paid, 1 rounded'],
    ])
    expect(complaints).toEqual(['3 of 3 lines cannot be imported'])
  })

  it('ask for nothing but answers in a dry run', async () => {
    writeFileSync(file, `${head}\n${orderId(1)},DHL,,shipped\n`)
    answer.body = { lines: [shipped(1)] }
    expect(await run('ship', 'mugs', '--file', file, '--dry-run')).toBe(0)
    const line = { orderId: orderId(1), carrier: 'DHL', status: 'shipped' }
    expect(calls()).toEqual([['POST', '/sales/mugs/shipments', { lines: [line], dryRun: true }]])
  })

  it.each([
    ['', 'The file is empty.'],
    [`${head}\n`, 'The file has only column names.'],
    ['orderId,tracking,status\nx,1,shipped\n', 'The column carrier is missing. The first line must name the columns.'],
    [`${head},status\n`, 'The column status is duplicated.'],
    [
      `${head}\n"x,DHL,1,shipped\n`,
      'Line 2 can’t be read: it has more cells than the first line, or a quotation mark is missing.',
    ],
    ['\0', 'This is not a CSV file in UTF-8. In your spreadsheet, save it as “CSV UTF-8”.'],
    ['x'.repeat(4_000_001), 'The file is larger than 4 MB. Split it into smaller ones.'],
  ])('are not sent from a file that cannot be read, which is explained', async (text, complaint) => {
    writeFileSync(file, text)
    expect(await run('ship', 'mugs', '--file', file)).toBe(1)
    expect([complaints, calls()]).toEqual([[complaint], []])
  })
})

it.each([
  [
    '2001:db8:1:2::a',
    /^2001:db8:1:2::a is blocked.*\nIt is one address of 2001:db8:1:2::\/64, and its device changes it/,
  ],
  ['2001:db8:1:2::/64', /^2001:db8:1:2::\/64 is blocked, everywhere within 2 seconds$/],
])('a block of %s says whether its customer has more addresses', async (value, said) => {
  answer.body = { kind: 'ip', value, who: 'mia', when: 1 }
  expect(await run('block', 'add', 'ip', value)).toBe(0)
  expect(lines.join('\n')).toMatch(said)
})

it('an import of blocks names each line that it leaves out, with its reason', async () => {
  writeFileSync(file, 'kind,value\nshopper,ann\nshopper,1.08204E+20\nip,1.2.3\nip,\u001b[2J\n')
  answer.body = { changed: 1, same: 0 }
  expect(await run('block', 'import', file)).toBe(1)
  expect(lines.join('\n').split('\n')).toEqual([
    '1 blocked',
    expect.stringMatching(/^line 3: 1\.08204E\+20: Rounded by a spreadsheet: format the column as text/),
    'line 4: 1.2.3: Unknown kind or invalid value',
    'line 5: \ufffd[2J: Unknown kind or invalid value',
  ])
  expect(complaints).toEqual(['3 lines cannot be imported'])
})
