/**
 * All coupon codes of a sale as one table: in one answer, or part by part where they are too many for one. Each part is a
 * table of its own, with the same line of headings.
 */
import { orderIdLetters } from './ids.ts'

/** The parts that a table is cut into, those that the orders of a sale lie in; together they are the whole. */
export const tableParts = orderIdLetters.length

/** What came of asking for the table, or for one part of it. */
export type TableAnswer<Failure> =
  | { kind: 'table'; text: string }
  | { kind: 'failed'; failure: Failure; tooLarge: boolean }

/** A piece of the table, `done` of `of` pieces with it; or why there is no more of it. */
export type TablePiece<Failure> =
  | { kind: 'piece'; text: string; done: number; of: number }
  | { kind: 'failed'; failure: Failure }

/** The pieces in their order, one asked for after the other; `ask` is given no part for the whole. */
export async function* tablePieces<Failure>(
  ask: (part: number | undefined) => Promise<TableAnswer<Failure>>,
): AsyncGenerator<TablePiece<Failure>> {
  const whole = await ask(undefined)
  if (whole.kind === 'table') return yield { kind: 'piece', text: whole.text, done: 1, of: 1 }
  if (!whole.tooLarge) return yield whole
  // Whoever waits sees at once that it takes a while.
  yield { kind: 'piece', text: '', done: 0, of: tableParts }
  for (let part = 0; part < tableParts; part += 1) {
    const answer = await ask(part)
    if (answer.kind === 'failed') return yield answer
    const text = part === 0 ? answer.text : withoutHeadings(answer.text)
    yield { kind: 'piece', text, done: part + 1, of: tableParts }
  }
}

function withoutHeadings(table: string): string {
  return table.slice(table.indexOf('\n') + 1)
}
