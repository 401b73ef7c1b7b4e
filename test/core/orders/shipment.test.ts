import { describe, expect, it } from 'vitest'
import { maxShipmentLines, type ShipmentLine, shipmentLines } from '../../../core/api/shipment-lines.ts'
import { maxControlBodyBytes } from '../../../core/body-limits.ts'
import { maxCsvBytes } from '../../../core/lib/csv-file.ts'
import { parse } from '../../../core/lib/parse.ts'
import { trackingUrl } from '../../../core/orders/carriers.ts'
import { parseCarrier, parseLink, parseTracking } from '../../../core/orders/shipment.ts'
import { readShipmentFile, refusedFirst, sendShipments } from '../../../core/orders/shipment-file.ts'
import { orderIdOf, saleIdOf } from '../../redis/support.ts'

describe('the name of a carrier', () => {
  it.each(['DHL', 'Deutsche Post (DHL)', '顺丰速运', 'ヤマト運輸', 'O’Neill & Söhne', 'x'.repeat(32)])(
    'may be %s',
    (name) => {
      expect(parseCarrier(` ${name} `)).toBe(name)
    },
  )

  it.each(['', '   ', '=1+1', '@cmd', '-DHL', '<b>DHL</b>', 'DHL\u0000', 'DHL\nUPS', 'x'.repeat(33), 7, null])(
    'is never %j: a formula, markup, or no name (S2)',
    (name) => {
      expect(parseCarrier(name)).toBeUndefined()
    },
  )
})

describe('a tracking number (N2)', () => {
  it('is letters, digits, dashes and spaces', () => {
    expect(parseTracking(' SF 1234-5678 ')).toBe('SF 1234-5678')
    expect(parseTracking('7'.repeat(64))).toBe('7'.repeat(64))
    expect(parseTracking('\u200eＳＦ\u00a01234\ufe0f')).toBe('SF 1234')
  })

  it.each(['', '-1', '+1', '=A1', '1"2', '1/2', '1&2', '<i>', '7'.repeat(65), 12])('is never %j (S2)', (text) => {
    expect(parseTracking(text)).toBeUndefined()
  })
})

describe('the link to a shipment', () => {
  it.each([
    ['SF Express', 'www.sf-express.com'],
    ['顺丰速运', 'www.sf-express.com'],
    ['YTO', 'www.yto.net.cn'],
    ['中通快递', 'www.zto.com'],
    ['EMS', 'www.ems.com.cn'],
    ['China Post', 'www.ems.com.cn'],
    ['dhl', 'www.dhl.com'],
    ['UPS', 'www.ups.com'],
    ['FedEx', 'www.fedex.com'],
    ['USPS', 'tools.usps.com'],
    ['Royal Mail', 'www.royalmail.com'],
    ['Yamato', 'jizen.kuronekoyamato.co.jp'],
    ['DPD', 'tracking.dpd.de'],
    ['GLS', 'gls-group.com'],
    ['Hermes', 'www.myhermes.de'],
  ])('of %s leads to %s', (carrier, host) => {
    const url = new URL(trackingUrl({ carrier, tracking: 'AB 12-34' }) ?? '')
    expect([url.protocol, url.host]).toEqual(['https:', host])
    expect(url.href.endsWith('AB1234')).toBe(true)
  })

  it('is the one that was entered for any carrier', () => {
    const link = 'https://track.example/#/77'
    expect(trackingUrl({ carrier: 'DHL', tracking: '1', link })).toBe(link)
    expect(parseLink(` ${link} `)).toBe(link)
  })

  it.each([
    'javascript:alert(1)',
    'http://track.example/',
    'https://a:b@track.example/',
    'track',
    7,
    `https://x.example/${'1'.repeat(500)}`,
  ])('is never %j (S2)', (link) => {
    expect(parseLink(link)).toBeUndefined()
  })

  it('is absent for a carrier that is not known, and without a number', () => {
    expect(trackingUrl({ carrier: 'Bob’s Bikes', tracking: '1' })).toBeUndefined()
    expect(trackingUrl({ carrier: 'DHL' })).toBeUndefined()
    expect(trackingUrl({ carrier: 'constructor', tracking: '1' })).toBeUndefined()
  })
})

describe('a call with shipments', () => {
  const line = {
    orderId: orderIdOf(saleIdOf('s'.repeat(40)), 1, 1),
    ...{ carrier: '\u4e2d'.repeat(32), tracking: '7'.repeat(64), status: 'delivered' },
    link: `https://x.example/${'7'.repeat(482)}`,
  }

  it('fits into the largest body with every text at its limit, however it is escaped', () => {
    const body = JSON.stringify({ lines: Array(maxShipmentLines).fill(line), dryRun: false })
    expect(parse(shipmentLines, JSON.parse(body)).ok).toBe(true)
    const escaped = body.replaceAll('\u4e2d', '\\u4e2d')
    expect(escaped.length).toBeGreaterThan(Buffer.byteLength(body))
    expect(escaped.length).toBeLessThanOrEqual(maxControlBodyBytes)
  })

  it.each([
    [{ lines: [] }, 'lines'],
    [{ lines: Array(maxShipmentLines + 1).fill(line) }, 'lines'],
    [{ lines: [line, { ...line, carrier: '' }] }, 'lines.1.carrier'],
    [{ lines: [{ ...line, tracking: null }] }, 'lines.0.tracking'],
    [{ lines: [{ ...line, status: 'paid' }] }, 'lines.0.status'],
    [{ lines: [{ ...line, orderId: 'x' }] }, 'lines.0.orderId'],
    [{ lines: [{ ...line, at: 1 }] }, 'lines.0.at'],
    [{ lines: [{ ...line, orderId: undefined }] }, 'lines.0.orderId'],
    [{ lines: [{ ...line, orderNumber: '414159260' }] }, 'lines.0.orderId'],
    [{ lines: [{ ...line, orderId: undefined, orderNumber: '414159261' }] }, 'lines.0.orderNumber'],
    [{ lines: [{ ...line, link: 'http://x.example' }] }, 'lines.0.link'],
    [{ lines: [line], dryRun: 1 }, 'dryRun'],
  ])('is refused by the name of what is wrong', (body, field) => {
    expect(parse(shipmentLines, body)).toMatchObject({ ok: false, field })
  })
})

const saleId = saleIdOf('mugs')
const id = (n: number) => orderIdOf(saleId, n, 1)
const utf8 = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readShipmentFile(utf8(text))
const head = 'orderId,carrier,tracking,status\n'

function linesOf(text: string) {
  const file = read(text)
  if (!file.ok) throw new Error(`cannot be read: ${JSON.stringify(file.fault)}`)
  return file
}

describe('a file of tracking numbers', () => {
  const shipment = { orderId: id(1), carrier: 'DHL', tracking: '123', status: 'shipped' }

  it.each([
    ['plain', `${head}${id(1)},DHL,123,shipped\n`],
    ['with a byte order mark', `\ufeff${head}${id(1)},DHL,123,shipped\n`],
    ['with the line ends of Windows', `${head.trim()}\r\n${id(1)},DHL,123,shipped\r\n`],
    ['without a line end', `${head}${id(1)},DHL,123,shipped`],
    ['in quotes', `"orderId","carrier","tracking","status"\n"${id(1)}","DHL","123","shipped"\n`],
    ['with semicolons', `orderId;carrier;tracking;status\n${id(1)};DHL;123;shipped\n`],
    ['with tabs', `orderId\tcarrier\ttracking\tstatus\n${id(1)}\tDHL\t123\tshipped\n`],
    ['with the separator named', `sep=|\norderId|carrier|tracking|status\n${id(1)}|DHL|123|shipped\n`, 3],
    ['with another separator named', `"sep=;"\r\n${head}${id(1)},DHL,123,shipped\n`, 3],
    ['with rows of empty cells', `${head},,,\n${id(1)},DHL,123,shipped\n , ,,\n,,\n`, 3],
    ['with empty cells behind its rows', `${head.trim()},,\n${id(1)},DHL,123,shipped,,,\n`],
    ['with spaces and capitals', `OrderID , Carrier,TRACKING,status\n ${id(1)} , DHL ,123, Shipped \n`],
    ['with its columns in another order', `status,tracking,carrier,orderId\nshipped,123,DHL,${id(1)}\n`],
  ])('is read %s', (_, text, line = 2) => {
    expect(linesOf(text)).toMatchObject({ sendable: [{ line, shipment }], refused: [], ignored: [] })
  })

  it.each(['utf-16le', 'utf-16be'])('is read in %s with a mark, as a spreadsheet saves Unicode text', (encoding) => {
    const bytes = Buffer.from(`\ufeff${head}${id(1)},顺丰,123,shipped\n`, 'utf16le')
    expect(readShipmentFile(encoding === 'utf-16le' ? bytes : bytes.swap16())).toMatchObject({
      sendable: [{ shipment: { ...shipment, carrier: '顺丰' } }],
    })
  })

  it('is read although a cell contains another separator, as our own table does once it was saved again', () => {
    const cells = (address: string, note: string) => ['', '', address, note, id(1), 'DHL', '123', 'shipped']
    const headings = ['name', 'a;b', 'address', 'note', 'orderId', 'carrier', 'tracking', 'status']
    for (const separator of [',', ';', '\t']) {
      const others = [',', ';', '\t'].filter((other) => other !== separator).join(' 1')
      const text = [headings.map((name) => `"${name}"`), cells(others, others)].map((row) => row.join(separator))
      expect(linesOf(text.join('\r\n')).sendable).toEqual([{ line: 2, shipment }])
    }
  })

  it('is read where the last cells of a line are missing, as some spreadsheets save empty ones', () => {
    const text = `orderId,carrier,status,tracking,note\n${id(1)},DHL,shipped,123\n${id(2)},DHL,shipped\n${id(3)},UPS\n`
    const { sendable, refused } = linesOf(text)
    expect(sendable.map(({ line }) => line)).toEqual([2, 3])
    expect(refused).toMatchObject([{ line: 4, code: 'invalid', column: 'status' }])
  })

  it('may lack the column of numbers, or have it empty', () => {
    const { tracking, ...without } = shipment
    const some = [`orderId,carrier,status\n${id(1)},DHL,shipped\n`, `${head}${id(1)},DHL,,shipped\n`].map(
      (text) => linesOf(text).sendable,
    )
    expect(some).toEqual([[{ line: 2, shipment: without }], [{ line: 2, shipment: without }]])
  })

  it('counts lines as an editor does, empty ones and those in quotes too', () => {
    const { sendable } = linesOf(`${head}\n\n${id(1)},DHL,1,shipped\n\n${id(2)},DHL,2,delivered\n`)
    expect(sendable.map(({ line }) => line)).toEqual([4, 6])
  })

  it('names the columns that it ignores', () => {
    const { ignored, sendable } = linesOf(`note,${head.trim()},weight\nfragile,${id(1)},DHL,123,shipped,2 kg\n`)
    expect(ignored).toEqual(['note', 'weight'])
    expect(sendable).toEqual([{ line: 2, shipment }])
  })

  it('names each line whose number a spreadsheet has rounded', () => {
    const numbers = ['3.40434E+17', '3,40434E+17', '340434161094042000', '00340434161094042557', '340434161094042557']
    const { sendable, refused } = linesOf(head + numbers.map((one, at) => `${id(at)},DHL,"${one}",shipped\n`).join(''))
    expect(refused).toEqual(
      [2, 3, 4].map((line) => ({ line, orderId: id(line - 2), code: 'rounded', column: 'tracking' })),
    )
    expect(sendable.map(({ shipment }) => shipment.tracking)).toEqual(numbers.slice(3))
  })

  it.each(['414159260', '414 159 260', '#414-159-260', '４１４１５９２６０'])(
    'takes the number that people see instead of the id: %s',
    (typed) => {
      const orderNumber = '414159260'
      const { orderId: _, ...rest } = { ...shipment, orderNumber, link: 'https://track.example/123' }
      const text = `orderNumber,carrier,tracking,status,link\n${typed},DHL,123,shipped,https://track.example/123\n`
      expect(linesOf(text).sendable).toEqual([{ line: 2, shipment: rest }])
      expect(linesOf(`${text}${orderNumber},UPS,9,shipped\n`).refused).toMatchObject([{ line: 3, code: 'duplicate' }])
    },
  )

  it('takes the id where a line has both, as our own table, and refuses a wrong number by its column', () => {
    const both = 'orderId,orderNumber,carrier,tracking,status\n'
    expect(linesOf(`${both}${id(1)},414159260,DHL,123,shipped\n`).sendable).toEqual([{ line: 2, shipment }])
    const { refused } = linesOf(`${both},414159261,DHL,123,shipped\n`)
    expect(refused).toEqual([{ line: 2, orderId: '414159261', code: 'invalid', column: 'orderNumber' }])
  })

  it('is refused without a column that it needs, by its name', () => {
    expect(read(`orderId,tracking,status\n${id(1)},1,shipped\n`)).toEqual({
      ok: false,
      fault: { kind: 'missing-column', column: 'carrier' },
    })
  })
})

describe('an attack by a file', () => {
  it.each([
    ['a formula', '=HYPERLINK("https://evil.example")', 'carrier'],
    ['a line end', 'DHL\nUPS', 'carrier'],
  ])('with %s in a cell is refused by line and column, and its neighbours are read (S2)', (_, cell, column) => {
    const quoted = `"${cell.replaceAll('"', '""')}"`
    const { sendable, refused } = linesOf(`${head}${id(1)},${quoted},1,shipped\n${id(2)},UPS,2,shipped\n`)
    expect(sendable.map(({ shipment }) => shipment.orderId)).toEqual([id(2)])
    expect(refused).toMatchObject([{ orderId: id(1), code: 'invalid', column }])
  })

  it.each([
    ['tracking', `${id(1)},DHL,=1+1,shipped`],
    ['status', `${id(1)},DHL,1,refunded`],
    ['status', `${id(1)},DHL,1,`],
    ['orderId', `../../etc/passwd,DHL,1,shipped`],
    ['orderId', `,DHL,1,shipped`],
  ])('with a wrong %s is refused by line and column (S2)', (column, line) => {
    expect(linesOf(`${head}${line}\n`).refused).toMatchObject([{ line: 2, code: 'invalid', column }])
  })

  it('with two numbers for one order keeps the first line and refuses the second', () => {
    const { sendable, refused } = linesOf(`${head}${id(1)},DHL,1,shipped\n${id(1)},UPS,2,shipped\n`)
    expect(sendable).toMatchObject([{ line: 2, shipment: { tracking: '1' } }])
    expect(refused).toEqual([{ line: 3, orderId: id(1), code: 'duplicate' }])
  })

  it.each([
    ['half a character of UTF-16', Uint8Array.of(0xff, 0xfe, ...Buffer.from(head, 'utf16le'), 0x4e)],
    ['UTF-16 without a mark', Uint8Array.from(Buffer.from(head, 'utf16le'))],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)],
    ['a spreadsheet', Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14, 0, 0x06, 0)],
    ['text of an old code page', Uint8Array.of(...utf8(head), 0xc4, 0xe3)],
    ['NUL bytes', utf8(`${head}${id(1)},DHL\0,1,shipped\n`)],
  ])('with %s instead of text is refused', (_, bytes) => {
    expect(readShipmentFile(bytes)).toEqual({ ok: false, fault: { kind: 'not-text' } })
  })

  it('of a million lines is refused before it is read', () => {
    const line = `${id(1)},DHL,1,shipped\n`
    const bytes = new Uint8Array(1_000_000 * line.length)
    expect(bytes.length).toBeGreaterThan(maxCsvBytes)
    expect(readShipmentFile(bytes)).toEqual({ ok: false, fault: { kind: 'too-large' } })
  })

  it.each([
    ['an open quote', `${head}"${id(1)},DHL,1,shipped\n${id(2)},UPS,2,shipped\n`, 3],
    ['a quote inside of a cell', `${head}${id(1)},D"HL,1,shipped\n`, 2],
    ['too many cells', `${head}${id(1)},DHL,1,shipped,more\n"x,\n`, 2],
    ['a cell without an end', `${head}${id(1)},${'x'.repeat(50_000)},1,shipped\n`, 2],
  ])('with %s is refused by its line, and nothing of it is guessed', (_, text, line) => {
    expect(read(text)).toEqual({ ok: false, fault: { kind: 'unreadable', line } })
  })

  it.each([
    ['nothing', '', { kind: 'empty' }],
    ['empty lines', '\n\r\n,,\n', { kind: 'empty' }],
    ['only the names of its columns', head, { kind: 'no-lines' }],
    ['a column twice', `${head.trim()},Carrier\n`, { kind: 'double-column', column: 'carrier' }],
    ['no names', `${id(1)},DHL,1,shipped\n`, { kind: 'missing-column', column: 'orderId' }],
  ])('with %s is refused', (_, text, fault) => {
    expect(read(text)).toEqual({ ok: false, fault })
  })

  it('with names of the language itself as columns reads none of them', () => {
    const { ignored, sendable } = linesOf(`__proto__,constructor,${head.trim()}\nx,y,${id(1)},DHL,1,shipped\n`)
    expect(ignored).toEqual(['__proto__', 'constructor'])
    expect(sendable).toHaveLength(1)
  })
})

describe('sending a file', () => {
  const lines = Array.from({ length: 250 }, (_, at) => ({
    line: at + 2,
    shipment: { orderId: id(at), carrier: 'DHL', status: 'shipped' as const },
  }))
  const shipped = (some: readonly ShipmentLine[]) => ({
    lines: some.map(({ orderId }) => ({ orderId, code: 'shipped' as const })),
  })

  it('takes a hundred lines in a call, and reports how many are done', async () => {
    const calls: number[] = []
    const done: number[] = []
    const results = await sendShipments(
      lines,
      async (some) => {
        calls.push(some.length)
        return shipped(some)
      },
      (count) => done.push(count),
    )
    expect(calls).toEqual([maxShipmentLines, maxShipmentLines, 50])
    expect(done).toEqual([100, 200, 250])
    expect(results.map(({ line }) => line)).toEqual(lines.map(({ line }) => line))
  })

  it('lists lines that cannot be imported first, each in the order of the file', () => {
    const result = (line: number, code: 'shipped' | 'repeat' | 'not-paid') => ({ line, orderId: id(line), code })
    const some = [result(9, 'not-paid'), result(2, 'shipped'), result(4, 'not-paid'), result(3, 'repeat')]
    expect(refusedFirst(some).map(({ line }) => line)).toEqual([4, 9, 2, 3])
  })

  it('stops where a call fails, with the results until then', async () => {
    let calls = 0
    const results = await sendShipments(
      lines,
      async (some) => {
        calls += 1
        return calls === 2 ? undefined : shipped(some)
      },
      () => undefined,
    )
    expect([calls, results.length]).toEqual([2, 100])
  })
})
