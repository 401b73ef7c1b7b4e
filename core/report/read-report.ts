/** Makes the report of a sale from its live numbers and its table, which is read part by part and forgotten: the next part comes meanwhile. */
import type { Live } from '../api/control-answers.ts'
import { orderReader, packetReader } from './rows.ts'
import type { SaleReport } from './sale-report.ts'
import { reportTally } from './tally.ts'

/**
 * The table that a report of such a sale reads, and which of its columns: undefined for all. Coupons are counted by
 * their orders: no code is read.
 */
export const reportTable = ({
  kind,
}: Live['sale']): { table: 'orders' | 'packets'; columns: 'report' | undefined } =>
  kind === 'red-packet' ? { table: 'packets', columns: undefined } : { table: 'orders', columns: 'report' }

export type ReportSource = {
  live: Live
  /** The part behind `after`, the first one for an empty text; undefined ends the reading. */
  part(after: string): Promise<{ text: string; next: string | null } | undefined>
  /** Called after each slice of a part with the number of rows so far; reading goes on when it resolves. */
  progress(rows: number): Promise<void>
}

/**
 * Undefined when a part is missing.
 * @throws RangeError when the table is not what this version reads
 */
export async function readReport({ live, part, progress }: ReportSource): Promise<SaleReport | undefined> {
  const tally = reportTally()
  let rows = 0
  const counted =
    <Row>(add: (row: Row) => void) =>
    (row: Row) => {
      rows += 1
      add(row)
    }
  const read =
    reportTable(live.sale).table === 'packets'
      ? packetReader(counted(tally.addPacket))
      : orderReader(counted(tally.addOrder))
  let coming: ReturnType<ReportSource['part']> | undefined = part('')
  while (coming !== undefined) {
    const found: Awaited<typeof coming> = await coming
    if (found === undefined) return undefined
    coming = found.next === null ? undefined : part(found.next)
    // This part may be unreadable. If not, the failure shows with the next one.
    coming?.catch(() => undefined)
    for (const _ of read(found.text)) await progress(rows)
  }
  return tally.report(live)
}
