/** Saves the coupon codes of a sale, in parts if they are too many for one answer. */
import { open, rename, rm } from 'node:fs/promises'
import { type TableAnswer, tablePieces } from '../../core/coupon-table.ts'
import { type ControlClient, Refused } from '../control-client.ts'
import type { StartStep } from '../progress.ts'

type Writer = { write(text: string): Promise<unknown> }

/** Writes to the file `out`, which appears when it is complete; without it, to `print`. */
export async function writeCoupons(
  control: Pick<ControlClient, 'couponsCsv'>,
  saleId: string,
  out: string | undefined,
  { print, startStep }: { print(text: string): void; startStep: StartStep },
): Promise<void> {
  const copyTo = (to: Writer) => copyPieces(control, saleId, to, startStep)
  if (out === undefined) return copyTo({ write: async (text) => print(text.trimEnd()) })
  const unfinished = `${out}.part`
  const file = await open(unfinished, 'w')
  try {
    await copyTo(file)
    await file.close()
    await rename(unfinished, out)
  } catch (failure) {
    await file.close()
    await rm(unfinished)
    throw failure
  }
  print(`coupon codes of ${saleId} written to ${out}`)
}

async function copyPieces(
  control: Pick<ControlClient, 'couponsCsv'>,
  saleId: string,
  to: Writer,
  startStep: StartStep,
): Promise<void> {
  let step: ReturnType<StartStep> | undefined
  try {
    for await (const piece of tablePieces((part) => ask(control, saleId, part))) {
      if (piece.kind === 'failed') throw piece.failure
      if (piece.text !== '') await to.write(piece.text)
      if (piece.of > 1) step ??= startStep('coupon codes', piece.of)
      step?.to(piece.done)
    }
  } finally {
    step?.end()
  }
}

async function ask(
  control: Pick<ControlClient, 'couponsCsv'>,
  saleId: string,
  part: number | undefined,
): Promise<TableAnswer<Refused>> {
  try {
    return { kind: 'table', text: await control.couponsCsv(saleId, part) }
  } catch (failure) {
    if (!(failure instanceof Refused)) throw failure
    return { kind: 'failed', failure, tooLarge: failure.problem.code === 'too-large' }
  }
}
