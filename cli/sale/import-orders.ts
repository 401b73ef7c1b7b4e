/** Places the orders of a CSV file, for a box office or an import. */
import { maxOrderLines, type ReservedLine } from '../../core/api/order-lines.ts'
import { type ControlClient, retryOnce } from '../control-client.ts'
import type { StartStep } from '../progress.ts'

/**
 * The answers to the lines `shopper,quantity,key` of `csv`, in their order. Empty lines and a first
 * line of these names are left out. Safe to repeat: the same shopper and key find the same order.
 * @throws RangeError for any other line, before anything is sent
 */
export async function importOrders(
  control: Pick<ControlClient, 'reserveOrders'>,
  saleId: string,
  csv: string,
  startStep: StartStep,
): Promise<ReservedLine[]> {
  const lines = linesIn(csv)
  const step = startStep('orders', lines.length)
  const answers: ReservedLine[] = []
  try {
    for (let from = 0; from < lines.length; from += maxOrderLines) {
      const some = lines.slice(from, from + maxOrderLines)
      answers.push(...(await retryOnce(() => control.reserveOrders(saleId, some))))
      step.to(answers.length)
    }
  } finally {
    step.end()
  }
  return answers
}

const row = /^([^,]+),([1-9]\d*),([^,]+)$/

function linesIn(csv: string) {
  const rows = csv
    .split('\n')
    .map((text, at) => ({ text: text.trim(), number: at + 1 }))
    .filter(({ text, number }) => text !== '' && !(number === 1 && text === 'shopper,quantity,key'))
  return rows.map(({ text, number }) => {
    const [, shopperId, quantity, key] = row.exec(text) ?? []
    if (shopperId === undefined) throw new RangeError(`line ${number} is not shopper,quantity,key`)
    return { shopperId, quantity: Number(quantity), key }
  })
}
