/** Many orders that no test holds in memory, and the parts in which a table of them comes. */

import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { nextHeader } from '../../../core/api/operation.ts'
import { type OrderId, orderIdLetters, parseOrderId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { orderItem } from '../../../functions/table/orders/order-item.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { orderOf } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'

const pageSize = 1000

/** The order with that number, in the order of the real table: its part is the last character. */
function orderIdAt(number: number, count: number): OrderId {
  const part = Math.floor((number * orderIdLetters.length) / count)
  const digits = [...number.toString(32).padStart(25, '0')].map((digit) => orderIdLetters[Number.parseInt(digit, 32)])
  const orderId = parseOrderId(`${phone}-${digits.join('')}${orderIdLetters[part]}`)
  if (orderId === undefined) throw new Error(`${number} makes no order id`)
  return orderId
}

/** The table with `count` paid orders of the sale, made page by page when they are asked for. */
export function withManyOrders(table: Table, count: number): Table {
  const sale = aSale({ saleId: phone })
  const template = orderOf(sale, 1, 1, {
    payment: { paymentId: 'pay_3f2a91c07b5e4d68', attempt: 1, startedAt: 1, state: 'succeeded' },
  })
  const firstOf = (part: number) => Math.ceil((part * count) / orderIdLetters.length)
  return onWireAt(table, 'query ORDERS', async (_send, command) => {
    const { ExpressionAttributeValues: values, ExclusiveStartKey: start } = command.input as QueryCommandInput
    const part = orderIdLetters.indexOf(String(values?.[':part']).slice(-1))
    const after = parseOrderId(start?.sk ?? values?.[':after'])
    const first = after === undefined ? firstOf(part) : numberOf(after) + 1
    const size = Math.min(pageSize, firstOf(part + 1) - first)
    const Items = Array.from({ length: size }, (_, at) =>
      orderItem({ ...template, orderId: orderIdAt(first + at, count) }),
    )
    const last = Items.at(-1)
    const isLast = last === undefined || first + size === firstOf(part + 1)
    return { Items, ...(isLast ? {} : { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) }
  })
}

function numberOf(orderId: OrderId): number {
  const digits = [...orderId.slice(phone.length + 1, -1)].map((letter) => orderIdLetters.indexOf(letter).toString(32))
  return Number.parseInt(digits.join(''), 32)
}

/** The facts kept of a part: its orders, its size in bytes, and whether it begins with headings. */
type Part = { ids: string[]; bytes: number; hasHeadings: boolean }

/** Asks for one part after the other; `onPart` is called while the part is still in memory. */
export async function partsOf(rig: World, path: string, onPart: () => void = () => undefined): Promise<Part[]> {
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
