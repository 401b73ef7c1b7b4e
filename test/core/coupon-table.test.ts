import { describe, expect, it } from 'vitest'
import { type TableAnswer, type TablePiece, tableParts, tablePieces } from '../../core/coupon-table.ts'

type Ask = (part: number | undefined) => TableAnswer<string>

const tooLarge: TableAnswer<string> = { kind: 'failed', failure: 'too large', tooLarge: true }
const down: TableAnswer<string> = { kind: 'failed', failure: 'down', tooLarge: false }
const table = (...codes: string[]): TableAnswer<string> => ({
  kind: 'table',
  text: ['code,orderId', ...codes, ''].join('\r\n'),
})

async function read(ask: Ask) {
  const asked: (number | undefined)[] = []
  const pieces: TablePiece<string>[] = []
  const answer = async (part: number | undefined) => {
    asked.push(part)
    return ask(part)
  }
  for await (const piece of tablePieces(answer)) pieces.push(piece)
  return { asked, pieces }
}

describe('the table of coupon codes', () => {
  it('is one answer where it fits into one', async () => {
    const { asked, pieces } = await read(() => table('AAAA,o-1'))
    expect(asked).toEqual([undefined])
    expect(pieces).toEqual([{ kind: 'piece', text: 'code,orderId\r\nAAAA,o-1\r\n', done: 1, of: 1 }])
  })

  it('is joined from its parts in order, with one line of headings', async () => {
    const { asked, pieces } = await read((part) =>
      part === undefined ? tooLarge : part === 3 ? table() : table(`C${part},o-${part}`),
    )
    expect(asked).toEqual([undefined, ...Array(tableParts).keys()])
    const lines = pieces
      .map((piece) => (piece.kind === 'piece' ? piece.text : ''))
      .join('')
      .split('\r\n')
    expect(lines).toHaveLength(1 + (tableParts - 1) + 1)
    expect(lines.filter((line) => line === 'code,orderId')).toHaveLength(1)
    expect(lines.slice(0, 4)).toEqual(['code,orderId', 'C0,o-0', 'C1,o-1', 'C2,o-2'])
    expect(pieces[0]).toMatchObject({ done: 0, of: tableParts })
    expect(pieces.at(-1)).toMatchObject({ done: tableParts, of: tableParts })
  })

  it('ends with a refusal, without another request', async () => {
    const { asked, pieces } = await read((part) =>
      part === undefined ? tooLarge : part < 2 ? table() : down,
    )
    expect(asked).toEqual([undefined, 0, 1, 2])
    expect(pieces.at(-1)).toMatchObject({ kind: 'failed', failure: 'down' })
    expect(await read(() => down)).toMatchObject({ asked: [undefined], pieces: [{ failure: 'down' }] })
  })

  it('fails where even a part is too large', async () => {
    const { asked, pieces } = await read(() => tooLarge)
    expect(asked).toEqual([undefined, 0])
    expect(pieces.at(-1)).toMatchObject({ kind: 'failed', failure: 'too large' })
  })
})
