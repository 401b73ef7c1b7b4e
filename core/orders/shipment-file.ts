/**
 * Imports a file of tracking numbers of a warehouse or a carrier, for the command line and the console. An import can be
 * stopped and repeated, because a repeated line is a no-op.
 */
import {
  isChangedLine,
  maxShipmentLines,
  type ShipmentCode,
  type ShipmentLine,
  type ShippedLine,
  shipmentLine,
} from '../api/shipment-lines.ts'
import { type CsvFault, type CsvLine, readCsv } from '../lib/csv-file.ts'
import { parse } from '../lib/parse.ts'
import { roundedNumberTest } from '../lib/rounded-number.ts'
import { sendSlices } from '../lib/slices.ts'

const columns = {
  orderId: 'or-next',
  orderNumber: 'optional',
  carrier: 'needed',
  tracking: 'optional',
  link: 'optional',
  status: 'needed',
} as const

/**
 * The result of a line. `invalid`: the cell of `column` cannot be read. `rounded`: a spreadsheet has rounded the number in
 * it. `orderId` is the text in the file, which may be an order number.
 */
export type LineResult = { line: number; orderId: string } & (
  | { code: ShipmentCode }
  | { code: 'invalid' | 'rounded'; column: string }
)

type SendableLine = { line: number; shipment: ShipmentLine }

/** `ignored` are the names of unknown columns. */
export type ShipmentFile = {
  sendable: readonly SendableLine[]
  refused: readonly LineResult[]
  ignored: readonly string[]
}

/** Reads a file. Refuses a second line of the same order, because one of the two must be wrong. */
export function readShipmentFile(bytes: Uint8Array): ({ ok: true } & ShipmentFile) | { ok: false; fault: CsvFault } {
  const file = readCsv(bytes, columns)
  if (!file.ok) return file
  const sendable: SendableLine[] = []
  const refused: LineResult[] = []
  const seen = new Set<string>()
  const isRounded = roundedNumberTest(file.lines.map(({ cell }) => cell('tracking')))
  for (const one of file.lines) {
    const { line, cell } = one
    const orderId = cell('orderId') || cell('orderNumber')
    const read = parse(shipmentLine, cellsOf(one))
    const name = read.ok ? nameOf(read.value) : orderId
    if (isRounded(cell('tracking'))) refused.push({ line, orderId, code: 'rounded', column: 'tracking' })
    else if (!read.ok) refused.push({ line, orderId, code: 'invalid', column: read.field })
    else if (seen.has(name)) refused.push({ line, orderId, code: 'duplicate' })
    else sendable.push({ line, shipment: read.value })
    seen.add(name)
  }
  return { ok: true, sendable, refused, ignored: file.ignored }
}

const nameOf = ({ orderId, orderNumber }: Pick<ShipmentLine, 'orderId' | 'orderNumber'>): string =>
  orderId ?? orderNumber ?? ''

/** Spreadsheets capitalise words, so the status may have capitals. If a line has both id and number, the id counts. */
function cellsOf({ cell }: CsvLine<keyof typeof columns>): Record<string, string> {
  const isNumbered = cell('orderId') === '' && cell('orderNumber') !== ''
  const optional = (['tracking', 'link'] as const).filter((name) => cell(name) !== '')
  return {
    ...(isNumbered ? { orderNumber: cell('orderNumber') } : { orderId: cell('orderId') }),
    carrier: cell('carrier'),
    status: cell('status').toLowerCase(),
    ...Object.fromEntries(optional.map((name) => [name, cell(name)])),
  }
}

/**
 * Sends the lines in sequential calls, and reports progress after each. Stops when `send` resolves with undefined, and
 * resolves with the results so far.
 */
export async function sendShipments(
  lines: readonly SendableLine[],
  send: (slice: readonly ShipmentLine[]) => Promise<{ lines: readonly ShippedLine[] } | undefined>,
  onProgress: (done: number) => void,
): Promise<LineResult[]> {
  const sendSlice = async (slice: typeof lines): Promise<LineResult[] | undefined> => {
    const answer = await send(slice.map(({ shipment }) => shipment))
    return answer?.lines.map((one, at) => ({ line: slice[at]?.line ?? 0, orderId: nameOf(one), code: one.code }))
  }
  return (await sendSlices(lines, maxShipmentLines, sendSlice, onProgress)).flat()
}

/** True for a line that cannot be imported. */
export function isRefused(result: LineResult): boolean {
  return !isChangedLine(result) && result.code !== 'repeat'
}

/** Sorts results: lines that cannot be imported first, each group in the order of the file. */
export function refusedFirst(results: readonly LineResult[]): LineResult[] {
  const rank = (one: LineResult) => (isRefused(one) ? 0 : 1)
  return [...results].sort((a, b) => rank(a) - rank(b) || a.line - b.line)
}
