/** docs/reference/dialects.md: the kinds of its rows, and the mark of each answer that is wrong or has two meanings (S6). */
import { outcomes } from '../core/outcome.ts'
import { cellsOf } from './markdown.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const file = 'docs/reference/dialects.md'

export type DialectRow = {
  row: string
  source: string
  situation: string
  stock: string
  asked: string
  answer: string
  after: string
  kind: string
  statuses: string
  remaining: string
  mark: string
}

/** The table of the page. test/redis/dialects.test.ts plays each of its rows. */
export function dialectRows(tree: Tree): DialectRow[] {
  return tree
    .text(file)
    .split('\n')
    .filter((line) => /^\| \[\d\]/.test(line))
    .map((row) => {
      const cells = cellsOf(row.replaceAll('`', ''))
      const [source = '', situation = '', stock = '', asked = '', answer = ''] = cells
      const [after = '', kind = '', statuses = '', remaining = '', mark = ''] = cells.slice(5)
      return { row, source, situation, stock, asked, answer, after, kind, statuses, remaining, mark }
    })
}

export function checkDialects(tree: Tree): Finding[] {
  const rows = dialectRows(tree)
  const bare = ({ answer }: DialectRow) => answer.replaceAll('"', '')
  const kindsBehind = Map.groupBy(rows, bare)
  return rows.flatMap((one) => {
    const find = (what: string) => findingAt(file, tree.text(file), tree.text(file).indexOf(one.row), what)
    const [, outcome] = Object.entries(outcomes).find(([kind]) => kind === one.kind) ?? []
    if (outcome === undefined) return [find(`has an unknown kind, ${one.kind}; use one of core/outcome.ts`)]
    const meanings = new Set(kindsBehind.get(bare(one))?.map(({ kind }) => kind))
    const isMarked = one.mark.startsWith('≠ ')
    const status = one.statuses.split(', ')[0]
    return [
      ...(String(outcome.status) === status ? [] : [find(`has the status ${status}; write ${outcome.status}`)]),
      ...(meanings.size === 1 || isMarked
        ? []
        : [find(`${one.answer} means ${[...meanings].join(' and ')}; mark the row with ≠ and say why`)]),
      ...(one.after === one.stock || ['reserved', 'claimed'].includes(one.kind) || isMarked
        ? []
        : [find(`changes the stock for ${one.kind}; mark the row with ≠ and say why`)]),
    ]
  })
}
