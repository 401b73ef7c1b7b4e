/** CSV files that the sale command sends in parts or makes: members of early access, invitations, shipments. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { parseCoupon } from '../../../core/orders/coupon.ts'
import { invitationDigest } from '../../../core/sale/invitations.ts'
import { orderIdOf } from '../../redis/support.ts'
import { fakeControlApi, sale } from './control-api.ts'

const { answer, asked, calls, cells, complaints, lines, run, troubles } = fakeControlApi()

const folder = mkdtempSync(join(tmpdir(), 'imports-'))
const file = join(folder, 'rows.csv')
afterAll(() => rmSync(folder, { recursive: true }))

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
    expect(await run('order', 'mugs', 'ann', 'm*1+s*1', '--key', 'k1')).toBe(0)
    const order = { shopperId: 'ann', basket: { m: 1, s: 1 }, key: 'k1' }
    expect(calls()).toEqual([['POST', '/sales/mugs/orders', order]])
  })

  it('ends with an error when there is none', async () => {
    answer.body = { code: 'invalid-request', field: 'quantity', orderId: null, quantity: 0 }
    expect(await run('order', 'mugs', 'ann', '2')).toBe(1)
    expect([lines, complaints]).toEqual([['invalid-request: quantity'], ['no order was placed']])
  })
})

describe('the list for early access', () => {
  it('gets the shoppers of a file in calls of a thousand, again after a lost one (I5)', async () => {
    const ids = times(1001, (at) => `s-${at}`)
    writeFileSync(file, `shopperId\n${ids.join('\n')}\n`)
    troubles.push('lost', { status: 200, body: { changed: 990, same: 10 } })
    answer.body = { changed: 1, same: 0 }
    expect(await run('early', 'mugs', file)).toBe(0)
    expect(lines).toEqual(['991 added, 10 already on the list'])
    const first = { method: 'PUT', body: { shoppers: ids.slice(0, 1000) } }
    expect(sent()).toEqual([first, first, { method: 'PUT', body: { shoppers: ['s-1000'] } }])
  })

  it.each([
    [['--remove', '--dry-run'], 'POST', '1 would be removed, 0 not on the list'],
    [['--dry-run'], 'PUT', '1 would be added, 0 already on the list'],
    [['--remove'], 'POST', '1 removed, 0 not on the list'],
  ])('changes with %j, or only says how it would', async (flags, method, printed) => {
    writeFileSync(file, 'shopperId\nann\n')
    answer.body = { changed: 1, same: 0 }
    expect(await run('early', 'mugs', file, ...flags)).toBe(0)
    expect(lines).toEqual([printed])
    const dryRun = flags.includes('--dry-run') ? { dryRun: true } : {}
    expect(sent()).toEqual([{ method, body: { shoppers: ['ann'], ...dryRun } }])
  })

  it('names each line that cannot be imported, takes the others, and ends with an error', async () => {
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

  it('is shown page by page', async () => {
    answer.body = {
      ...{ count: 3, invitations: { issued: 5, redeemed: 1 } },
      ...{ shoppers: ['ann', 'ben'], next: 'ben' },
    }
    expect(await run('early', 'mugs', '--after', 'a')).toBe(0)
    expect(calls()).toEqual([['GET', '/sales/mugs/early?after=a', null]])
    expect(lines.join('\n')).toBe('ann\nben\nmore: --after ben\n3 in all\n5 invitations, 1 redeemed')
  })
})

describe('invitations', () => {
  const out = join(folder, 'codes.csv')
  afterEach(() => rmSync(out, { force: true }))

  it('are saved with their links, and only their digests are sent, again after a lost call (I5)', async () => {
    troubles.push('lost')
    answer.body = { changed: 2, same: 0 }
    expect(await run('invite', 'mugs', '--count', '2', '--out', out)).toBe(0)
    expect(lines).toEqual([`2 invitations to mugs written to ${out}`])
    const [head, ...rows] = readFileSync(out, 'utf8').trimEnd().split('\r\n')
    expect(head).toBe('code,link')
    const codes = rows.map((row) => /^(\w{20}),http:\S+\/sales\/mugs\/#invitation=\1$/.exec(row)?.[1])
    const digests = await Promise.all(
      codes.map((code) => invitationDigest(sale.saleId, parseCoupon(code ?? '') ?? expect.fail('no code'))),
    )
    const first = { method: 'PUT', body: { invitations: digests } }
    expect(sent()).toEqual([first, first])
  })

  it.each([
    ['with a count of 0', 'mugs', '0', 'must be a whole number from 1 to 20000'],
    ['for what is no sale id', 'M u g', '1', 'M u g is not a sale id'],
    ['over a file that is there', 'mugs', '1', 'EEXIST'],
  ])('are not made %s', async (why, saleId, count, complaint) => {
    if (why === 'over a file that is there') writeFileSync(out, 'codes')
    expect(await run('invite', saleId, '--count', count, '--out', out)).not.toBe(0)
    expect(complaints.join()).toContain(complaint)
    expect(calls()).toEqual([])
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

  it('ask for nothing but answers in a dry run', async () => {
    writeFileSync(file, `${head}\n${orderId(1)},DHL,,shipped\n`)
    answer.body = { lines: [shipped(1)] }
    expect(await run('ship', 'mugs', '--file', file, '--dry-run')).toBe(0)
    const line = { orderId: orderId(1), carrier: 'DHL', status: 'shipped' }
    expect(calls()).toEqual([['POST', '/sales/mugs/shipments', { lines: [line], dryRun: true }]])
  })

  it.each([
    ['', 'the file is empty'],
    [`${head}\n`, 'the file has no lines below the names of its columns'],
    ['orderId,tracking,status\nx,1,shipped\n', 'the column carrier is missing: the first line names the columns'],
    [`${head},status\n`, 'the column status is there twice'],
    [`${head}\n"x,DHL,1,shipped\n`, 'line 2 has a wrong number of cells, or a quote that is not closed'],
    ['\0', 'the file is not text in UTF-8: save it as CSV in UTF-8'],
    ['x'.repeat(4_000_001), 'the file is larger than 4 MB: split it'],
  ])('are not sent from a file that cannot be read, which is explained', async (text, complaint) => {
    writeFileSync(file, text)
    expect(await run('ship', 'mugs', '--file', file)).toBe(1)
    expect([complaints, calls()]).toEqual([[complaint], []])
  })
})
