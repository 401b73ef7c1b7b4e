/**
 * All coupon codes of a sale as one CSV table: in one answer, or in parts if they are too many for
 * one. Each part is a table with the same line of headings.
 */
import { orderIdLetters } from './ids.ts'

/** The number of parts: the orders of a sale are in as many partitions. */
export const tableParts = orderIdLetters.length

/** The answer to a request for the table or for one part. */
export type TableAnswer<Failure> =
  | { kind: 'table'; text: string }
  | { kind: 'failed'; failure: Failure; tooLarge: boolean }

/**
 * A piece of the table, with which `done` of `of` pieces are complete; or the failure that ended
 * it.
 */
export type TablePiece<Failure> =
  | { kind: 'piece'; text: string; done: number; of: number }
  | { kind: 'failed'; failure: Failure }

/** Requests the pieces one after the other; `ask` without a part requests the whole table. */
export async function* tablePieces<Failure>(
  ask: (part: number | undefined) => Promise<TableAnswer<Failure>>,
): AsyncGenerator<TablePiece<Failure>> {
  const whole = await ask(undefined)
  if (whole.kind === 'table') return yield { kind: 'piece', text: whole.text, done: 1, of: 1 }
  if (!whole.tooLarge) return yield whole
  // The first progress at once: it will take a while.
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
