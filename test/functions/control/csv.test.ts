import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../core/lib/csv-file.ts'
import { csvText } from '../../../core/lib/csv-line.ts'
import { csvPart } from '../../../functions/control/csv.ts'

type Row = (string | number | undefined)[]

async function* pages(...rows: Row[]) {
  yield rows
}

const table = {
  headings: ['shopperId', 'quantity'],
  linesOf: (row: Row) => [row],
  cursorOf: (row: Row) => `behind ${row[0]}`,
}

describe('a table for a spreadsheet', () => {
  it.each(['=1+2', '+49', '-1', '@SUM(A1)', '\tx', ' =1', '＝1', '＋1', '－1', '＠x', '\u202a=1'])(
    'does not turn a cell such as %j into a formula',
    async (cell) => {
      const { text } = await csvPart(table, pages([cell, 1]), true)
      expect(text).toBe(`\ufeffshopperId,quantity\r\n'${cell},1\r\n`)
    },
  )

  it.each([
    ['=1,"2"', `"'=1,""2"""`],
    ['\r=1', `"'\r=1"`],
    ['a\n=1', `"a\n'=1"`],
    ['a;=1', `"a;'=1"`],
    ['a; "=1', `"a;' ""=1"`],
    ['a\t＝1', "a\t'＝1"],
    ['a|+1;-1', `"a|'+1;'-1"`],
    ['a,=1', '"a,=1"'],
    ['a;1', '"a;1"'],
  ])('quotes %j, and what another locale takes for a formula stays text', async (cell, quoted) => {
    expect((await csvPart(table, pages([cell, 1]), false)).text).toBe(`${quoted},1\r\n`)
  })

  it('leaves other text and numbers as they are, and nothing where there is no value', async () => {
    const { text, next } = await csvPart(table, pages(['a=b', -1], ["'x", 0], [undefined, 2]), true)
    expect(text).toBe("\ufeffshopperId,quantity\r\na=b,-1\r\n'x,0\r\n,2\r\n")
    expect(next).toBeUndefined()
  })

  it('reads back each cell as it was', () => {
    const cells = ['=1', '+49 30', 'a;=1;-2', '\tx', 'a\n＝1', "it's", 'a;b', '"=1"']
    const columns = Object.fromEntries(cells.map((_, at) => [`c${at}`, 'needed' as const]))
    const file = readCsv(new TextEncoder().encode(csvText([Object.keys(columns), cells])), columns)
    expect(file.ok && Object.keys(columns).map((name) => file.lines[0]?.cell(name))).toEqual(cells)
  })

  it('ends before an answer of 6 MB, counted in bytes, and reads no page more', async () => {
    let read = 0
    async function* endless() {
      for (;;) {
        read += 1
        yield [['é'.repeat(500_000), read]]
      }
    }
    const { text, next } = await csvPart(table, endless(), false)
    expect(Buffer.byteLength(text)).toBeLessThan(6_000_000)
    expect(next).toBe(`behind ${'é'.repeat(500_000)}`)
    expect(read).toBe(5)
  })
})
