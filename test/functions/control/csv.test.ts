import { describe, expect, it } from 'vitest'
import { csvOf } from '../../../functions/control/csv.ts'

async function* pages(...rows: (string | number)[][]) {
  yield rows
}

describe('a table for a spreadsheet', () => {
  it.each(['=1+2', '+49', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'does not turn a cell such as %j into a formula',
    async (cell) => {
      const csv = await csvOf(['shopperId', 'quantity'], pages([cell, 1]), (row) => [row])
      expect(csv).toBe(`shopperId,quantity\r\n'${cell},1\r\n`)
    },
  )

  it('leaves other text and numbers as they are', async () => {
    const csv = await csvOf(['id', 'quantity'], pages(['a=b', -1], ["'x", 0]), (row) => [row])
    expect(csv).toBe("id,quantity\r\na=b,-1\r\n'x,0\r\n")
  })
})
