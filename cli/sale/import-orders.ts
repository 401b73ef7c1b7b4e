/** Places the orders of a CSV file, for a box office or an import. */
import { maxOrderLines, type ReservedLine } from '../../core/api/order-lines.ts'
import { readCsv } from '../../core/lib/csv-file.ts'
import { sendSlices } from '../../core/lib/slices.ts'
import { type Basket, basketIn, basketUnits } from '../../core/sale/variants.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { StartStep } from '../progress.ts'
import { csvFaultText } from './csv-fault.ts'

/**
 * The answers to the lines of a CSV file with the columns shopper, quantity and key, in their order. In a
 * sale with variants the column variants says which, such as `m*1+s*2`; in a sale with several prices the column currency
 * may say in which it is paid. Safe to repeat: the same shopper and key find the same order.
 * @throws RangeError for a file that cannot be read, before anything is sent
 */
export async function importOrders(
  control: Pick<ControlClient, 'reserveOrders'>,
  saleId: string,
  bytes: Uint8Array,
  startStep: StartStep,
): Promise<ReservedLine[]> {
  const lines = linesIn(bytes)
  const step = startStep('orders', lines.length)
  try {
    const answers = await sendSlices(
      lines,
      maxOrderLines,
      (some) => retryOnce(() => control.reserveOrders(saleId, some)),
      (done) => step.to(done),
    )
    return answers.flat()
  } finally {
    step.end()
  }
}

const columns = {
  shopper: 'needed',
  quantity: 'optional',
  variants: 'optional',
  currency: 'optional',
  key: 'needed',
} as const

function linesIn(bytes: Uint8Array) {
  const file = readCsv(bytes, columns)
  if (!file.ok) throw new RangeError(csvFaultText(file.fault))
  return file.lines.map(({ line, cell }) => {
    const [quantity, currency] = [cell('quantity'), cell('currency')]
    const who = { shopperId: cell('shopper'), key: cell('key'), ...(currency !== '' && { currency }) }
    if (cell('variants') !== '') return { ...who, basket: basketOf(line, cell('variants'), quantity) }
    if (!/^[1-9]\d*$/.test(quantity)) throw new RangeError(`line ${line}: quantity must be a whole number from 1`)
    return { ...who, quantity: Number(quantity) }
  })
}

/** A quantity beside the variants, as in orders.csv, must be their sum. */
function basketOf(line: number, text: string, quantity: string): Basket {
  const basket = basketIn(text)
  if (basket === undefined) throw new RangeError(`line ${line}: variants must be units such as m*1+s*2`)
  if (quantity !== '' && Number(quantity) !== basketUnits(basket)) {
    throw new RangeError(`line ${line}: quantity must be the sum of the variants, or empty`)
  }
  return basket
}
