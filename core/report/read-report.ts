/** Makes the report of a sale from its live numbers and its table, which is read part by part and forgotten: the next part comes meanwhile. */
import type { Live } from '../api/control-answers.ts'
import { type OrderQuarter, orderQuarters } from '../ids.ts'
import { orderReader, packetReader } from './rows.ts'
import type { SaleReport } from './sale-report.ts'
import { reportTally } from './tally.ts'

/** The table that a report of such a sale reads. Coupons are counted by their orders: no code is read. */
export const reportTable = ({ kind }: Live['sale']): 'orders' | 'packets' =>
  kind === 'red-packet' ? 'packets' : 'orders'

/** The part of a table behind `after`, the first one for an empty text. */
export type TablePartQuery = { after: string; columns?: 'report'; quarter?: OrderQuarter }

/** The text of a part, and the `after` of the next one, null behind the last. */
export type TablePart = { text: string; next: string | null }

export type ReportSource = {
  live: Live
  /** Of several quarters at once; undefined ends the reading. */
  part(query: TablePartQuery): Promise<TablePart | undefined>
  /** Called after each slice of a part with the number of rows so far; reading goes on when it resolves. */
  progress(rows: number): Promise<void>
}

/** Orders from which their quarters are read at once: fewer come in one part. */
const manyOrders = 10_000

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

  /** False when a part is missing. */
  async function readAll(read: ReturnType<typeof orderReader>, asked: Omit<TablePartQuery, 'after'>) {
    let coming: ReturnType<typeof part> | undefined = part({ after: '', ...asked })
    while (coming !== undefined) {
      const found: Awaited<typeof coming> = await coming
      if (found === undefined) return false
      coming = found.next === null ? undefined : part({ after: found.next, ...asked })
      // This part may be unreadable. If not, the failure shows with the next one.
      coming?.catch(() => undefined)
      for (const _ of read(found.text)) await progress(rows)
    }
    return true
  }

  const readOrders = (asked: Pick<TablePartQuery, 'quarter'>) =>
    readAll(orderReader(counted(tally.addOrder)), { ...asked, columns: 'report' })
  const read =
    reportTable(live.sale) === 'packets'
      ? [readAll(packetReader(counted(tally.addPacket)), {})]
      : live.orders.orders < manyOrders
        ? [readOrders({})]
        : orderQuarters.map((quarter) => readOrders({ quarter }))
  const isWhole = (await Promise.all(read)).every((each) => each)
  return isWhole ? tally.report(live) : undefined
}
