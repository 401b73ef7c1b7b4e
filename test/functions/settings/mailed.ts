/** Finds emails that name another amount or another number than the order or the credit that they are about. */
import { formatCoupon } from '../../../core/orders/coupon.ts'
import type { Order } from '../../../core/orders/order.ts'
import { claimKey } from '../../../core/packets/packet.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { findWrittenOrder } from '../../../functions/table/orders/orders.ts'
import { phone } from '../../world/stock-record.ts'
import type { World } from '../../world/world.ts'
import { mailRig, recordOfOrder } from '../people/mail-rig.ts'
import { comparison, type Won } from './differences.ts'
import { orderCells } from './screens.ts'

/** A line of facts in English or in Chinese, as mail programs without HTML show it. */
const factIn = (text: string, names: string) => new RegExp(`^(?:${names})(?:: |：)(.*)$`, 'm').exec(text)?.[1]

/** The digits of an amount, without its currency. */
const digitsIn = (text = '') => text.replaceAll(/[^\d.]/g, '')

/** The order as it was when it was written. */
const asWritten = (order: Order): Order => {
  const { refunds: _, payment: __, shipment: ___, ...rest } = order
  const history = order.history.slice(0, 2)
  return { ...rest, history, status: history.at(-1)?.status ?? order.status }
}

/** Empty when all agree. Every winner is written to, every other in Chinese; `isPaidElsewhere`: the shop writes itself. */
export async function mailDifferences(own: World, won: readonly Won[], isPaidElsewhere: boolean): Promise<string[]> {
  const { found, same } = comparison()
  const { sent, contacts, titles, sale, time, deliver } = mailRig()
  titles.set(phone, 'A phone')
  if (isPaidElsewhere) sale.checkoutUrl = 'https://shop.example/cart'
  for (const [nth, { client }] of won.entries())
    contacts.set(client.shopperId, { email: `${nth}@shop.example`, language: nth % 2 === 0 ? 'en' : 'zh-CN' })

  const orders = await own.table.findMany(won.flatMap(({ orderId }) => orderId ?? []))
  for (const order of orders.values()) {
    time.now = order.writtenAt
    await deliver(recordOfOrder(asWritten(order)))
    await deliver(recordOfOrder(order))
  }
  const rows = Map.groupBy(await orderCells(own), ({ orderNumber }) => orderNumber)
  for (const { text, html } of sent) {
    const number = factIn(text, 'Order number|订单号')
    const [row] = rows.get(number?.replaceAll(/\s/g, '')) ?? []
    const amount = factIn(text, 'Amount|金额')
    const refunded = factIn(text, 'Refunded so far|已退款金额')
    const units = factIn(text, 'Item|商品')?.split(' × ')[1]
    same(`email of order ${number}: units`, units, row?.quantity)
    same(
      `email of order ${number}: amount`,
      amount && digitsIn(amount),
      row?.amount === '0.00' ? undefined : row?.amount,
    )
    if (refunded !== undefined) same(`email of order ${number}: refund`, digitsIn(refunded), row?.refundReturned)
    const all = [number, amount, refunded].every((fact) => fact === undefined || html.includes(fact))
    same(`email of order ${number} has its facts in HTML`, all, true)
  }
  // Each order was written to when it was reserved, at least.
  const isEnough = isPaidElsewhere ? sent.length === 0 : sent.length >= orders.size
  same('whether every order has its emails', isEnough, true)
  const text = JSON.stringify(sent)
  const codes = [...orders.values()].flatMap(({ coupons = [] }) => [...coupons, ...coupons.map(formatCoupon)])
  const shown = codes.filter((code) => text.includes(code))
  same('codes in emails (S7)', shown, [])
  if (won.some(({ packet }) => packet !== undefined)) await creditMails()
  return found

  async function creditMails(): Promise<void> {
    for (const { client } of won) {
      const order = await findWrittenOrder(own.table.table, deriveOrderId(phone, client.shopperId, claimKey))
      if (order?.packet === undefined) continue
      sent.length = 0
      await deliver(recordOfOrder(order))
      const wanted = (order.packet.amount / 100).toFixed(2)
      const [mail] = sent
      const amounts = [mail?.subject, mail?.text, mail?.html].map((part) => /¥([\d,.]*\d)/.exec(part ?? '')?.[1])
      same(`email of the packet of ${client.shopperId}`, amounts, [wanted, wanted, wanted])
    }
  }
}
