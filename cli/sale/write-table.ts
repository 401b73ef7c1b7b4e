/** Saves a table of a sale, part by part: no more than one part is in memory. */
import { open, rename, rm } from 'node:fs/promises'
import { type ControlClient, retryOnce, type TableName } from '../control-client.ts'

type Write = (text: string) => Promise<unknown>
type Wanted = { table: TableName; saleId: string }

/** Writes to the file `out`, which appears when it is complete; without it, to `print`. */
export async function writeTable(
  control: Pick<ControlClient, 'tablePart'>,
  wanted: Wanted,
  out: string | undefined,
  print: (text: string) => void,
): Promise<void> {
  const copyTo = (write: Write) => copyParts(control, wanted, write)
  if (out === undefined) return copyTo(async (text) => print(text.trimEnd()))
  const unfinished = `${out}.part`
  const file = await open(unfinished, 'w')
  try {
    await copyTo((text) => file.write(text))
    await file.close()
    await rename(unfinished, out)
  } catch (failure) {
    await file.close()
    await rm(unfinished)
    throw failure
  }
  print(`${wanted.table} of ${wanted.saleId} written to ${out}`)
}

async function copyParts(
  control: Pick<ControlClient, 'tablePart'>,
  { table, saleId }: Wanted,
  write: Write,
): Promise<void> {
  let after: string | null = ''
  while (after !== null) {
    const from: string = after
    const part = await retryOnce(() => control.tablePart(table, saleId, from))
    if (part.text !== '') await write(part.text)
    after = part.next
  }
}
