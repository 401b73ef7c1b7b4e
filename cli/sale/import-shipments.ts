/** Marks the orders of a CSV file as shipped or delivered. */
import { inReadingOrder, type LineResult, readShipmentFile, sendShipments } from '../../core/orders/shipment-file.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { StartStep } from '../progress.ts'
import { csvFaultText } from './csv-fault.ts'

/** The result of each line, those that cannot be imported first; `ignored` are unknown columns. */
export type ImportedShipments = { lines: readonly LineResult[]; ignored: readonly string[] }

/**
 * Imports the file, or only checks it. Safe to repeat, also after it was cut off.
 * @throws RangeError for a file that cannot be read, before anything is sent
 */
export async function importShipments(
  control: Pick<ControlClient, 'ship'>,
  saleId: string,
  bytes: Uint8Array,
  { dryRun, startStep }: { dryRun: boolean; startStep: StartStep },
): Promise<ImportedShipments> {
  const file = readShipmentFile(bytes)
  if (!file.ok) throw new RangeError(csvFaultText(file.fault))
  const { sendable, refused, ignored } = file
  const step = startStep('orders', sendable.length)
  try {
    const sent = await sendShipments(
      sendable,
      (some) => retryOnce(() => control.ship(saleId, some, { dryRun })),
      (done) => step.to(done),
    )
    return { lines: inReadingOrder([...refused, ...sent]), ignored }
  } finally {
    step.end()
  }
}
