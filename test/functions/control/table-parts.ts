/** Many orders that no test holds in memory, and the parts in which a table of them comes. */

import { nextHeader } from '../../../core/api/next-header.ts'
import { type OrderId, orderIdLetters, parseOrderId } from '../../../core/ids.ts'
import type { SaleRows } from '../../../functions/table/sale/sale-rows.ts'
import { orderOf } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'

const pageSize = 1000

/** The order with that number, in the order of the real table: its part is the last character. */
function orderIdAt(number: number, count: number): OrderId {
  const part = Math.floor((number * orderIdLetters.length) / count)
  const digits = [...number.toString(32).padStart(25, '0')].map(
    (digit) => orderIdLetters[Number.parseInt(digit, 32)],
  )
  const orderId = parseOrderId(`${phone}-${digits.join('')}${orderIdLetters[part]}`)
  if (orderId === undefined) throw new Error(`${number} makes no order id`)
  return orderId
}

/** `count` paid orders, made page by page when they are asked for. */
export function manyOrders(count: number): SaleRows['orders'] {
  const sale = aSale({ saleId: phone })
  const template = orderOf(sale, 1, 1, {
    payment: { paymentId: 'pay_3f2a91c07b5e4d68', attempt: 1, startedAt: 1, state: 'succeeded' },
  })
  return async function* (_saleId, after) {
    let number = after === undefined ? 0 : numberOf(after) + 1
    while (number < count) {
      const size = Math.min(pageSize, count - number)
      yield Array.from({ length: size }, (_, at) => ({ ...template, orderId: orderIdAt(number + at, count) }))
      number += size
    }
  }
}

function numberOf(orderId: OrderId): number {
  const digits = [...orderId.slice(phone.length + 1, -1)].map((letter) =>
    orderIdLetters.indexOf(letter).toString(32),
  )
  return Number.parseInt(digits.join(''), 32)
}

/** What is kept of a part: the orders in it, its size in bytes, and whether it begins with headings. */
type Part = { ids: string[]; bytes: number; hasHeadings: boolean }

/** Asks for one part after the other; `onPart` is called while the part is still in memory. */
export async function partsOf(
  rig: World,
  path: string,
  onPart: () => void = () => undefined,
): Promise<Part[]> {
  const parts: Part[] = []
  let after: string | undefined = ''
  while (after !== undefined) {
    const answer: Awaited<ReturnType<World['ask']>> = await rig.ask('GET', `${path}?after=${after}`)
    if (answer.status !== 200) throw new Error(`a part was answered ${answer.status}`)
    const text: string = answer.body
    onPart()
    const hasHeadings = text.startsWith('orderId,')
    const lines = text
      .trimEnd()
      .split('\r\n')
      .slice(hasHeadings ? 1 : 0)
    // A slice would keep the whole text in memory.
    const ids = lines.map((line) => Buffer.from(line.slice(0, line.indexOf(','))).toString())
    parts.push({ ids, bytes: Buffer.byteLength(text), hasHeadings })
    after = answer.headers[nextHeader]
  }
  return parts
}
