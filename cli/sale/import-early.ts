/** Adds the shoppers of a CSV file to the list of a sale for early access, or removes them. */
import { maxEarlyShoppers } from '../../core/api/early-list.ts'
import { type ChangeCounts, sendChanges } from '../../core/lib/slices.ts'
import { type RefusedLine, readEarlyFile } from '../../core/sale/early-file.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { StartStep } from '../progress.ts'
import { csvFaultText } from './csv-fault.ts'

/** `refused` are lines that cannot be imported, `ignored` unknown columns. */
export type ImportedEarly = ChangeCounts & {
  refused: readonly RefusedLine[]
  ignored: readonly string[]
}

/**
 * Imports the file, or only checks it. Safe to repeat, also after it was cut off.
 * @throws RangeError for a file that cannot be read, before anything is sent
 */
export async function importEarly(
  control: Pick<ControlClient, 'changeEarly'>,
  saleId: string,
  bytes: Uint8Array,
  { what, dryRun, startStep }: { what: 'add' | 'remove'; dryRun: boolean; startStep: StartStep },
): Promise<ImportedEarly> {
  const file = readEarlyFile(bytes)
  if (!file.ok) throw new RangeError(csvFaultText(file.fault))
  const { shoppers, refused, ignored } = file
  const step = startStep('shoppers', shoppers.length)
  try {
    const counts = await sendChanges(
      shoppers,
      maxEarlyShoppers,
      (some) => retryOnce(() => control.changeEarly(saleId, what, some, { dryRun })),
      (done) => step.to(done),
    )
    return { ...counts, refused, ignored }
  } finally {
    step.end()
  }
}
