/** The function over a table in memory, and a service of emails that fails on command. */

import type { AttributeValue, DynamoDBRecord } from 'aws-lambda'
import { expect } from 'vitest'
import { type OrderId, parseShopperId, type SaleId, type ShopperId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import type { Contact } from '../../../core/people/contact.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { createSealer, type Sealer } from '../../../functions/lib/sealer.ts'
import type { Table } from '../../../functions/lib/shop/shop.ts'
import { mailOptions } from '../../../functions/people/mail-options.ts'
import type { OutgoingMail } from '../../../functions/people/mailer.ts'
import { type SendMailsPorts, sendMails } from '../../../functions/people/send-mails.ts'
import { type Change, readChange } from '../../../functions/table/change-stream.ts'
import { contactKey } from '../../../functions/table/keys.ts'
import { orderItem } from '../../../functions/table/orders/order-item.ts'
import { contactPurpose } from '../../../functions/table/people/contact-item.ts'
import { dynamoMailLog } from '../../../functions/table/people/mail-log.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { worldTable } from '../../world/table.ts'
import { testTelemetry } from '../../world/telemetry.ts'

export const at = Date.UTC(2026, 10, 22, 8, 30)
const saleId = 'stoneware-mug' as SaleId
export const shopperId = 'ann' as ShopperId
export const orderId = `${saleId}-abcdefghijklmnopqrstuvwxyz` as OrderId

/** An order of two mugs that waits for its payment. */
export function anOrder(change: Partial<Order> = {}): Order {
  return {
    orderId,
    saleId,
    shopperId,
    quantity: 2,
    amount: 4800,
    currency: 'EUR',
    status: 'awaiting-payment',
    reservedAt: at - 2000,
    writtenAt: at - 1000,
    payBy: at + 900_000,
    cancelAt: at + 900_000,
    history: [
      { at: at - 2000, what: 'reserved', status: 'reserved' },
      { at: at - 1000, what: 'written', status: 'awaiting-payment' },
    ],
    ...change,
  }
}

/** `order` after one more step. */
export function stepped(order: Order, what: string, status: Order['status'], change: Partial<Order> = {}): Order {
  return { ...order, ...change, status, history: [...order.history, { at, what, status }] }
}

function attributeOf(value: unknown): AttributeValue {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (Array.isArray(value)) return { L: value.map(attributeOf) }
  if (typeof value === 'object' && value !== null) return { M: imageOf({ ...value }) }
  throw new Error(`no type of DynamoDB is known for ${typeof value}`)
}

function imageOf(item: Record<string, unknown>): Record<string, AttributeValue> {
  const present = Object.entries(item).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present.map(([name, value]) => [name, attributeOf(value)]))
}

let sequence = 0

/** A record of the stream, as DynamoDB sends it. */
export function recordOf(item: Record<string, unknown>): DynamoDBRecord {
  sequence += 1
  const { pk, sk } = imageOf(item)
  const Keys = { ...(pk && { pk }), ...(sk && { sk }) }
  return { dynamodb: { SequenceNumber: String(sequence), Keys, NewImage: imageOf(item) } }
}

export const recordOfOrder = (order: Order): DynamoDBRecord => recordOf(orderItem(order))

/** The order of a red packet, as it is written. */
export const creditItem = (amount = 888): Record<string, unknown> =>
  orderItem(
    anOrder({
      ...{
        quantity: 1,
        amount: 0,
        currency: 'CNY',
        status: 'fulfilled',
        packet: { number: 7, amount, currency: 'CNY' },
      },
      history: [
        { at: at - 1000, what: 'reserved', status: 'reserved' },
        { at, what: 'written', status: 'fulfilled' },
      ],
    }),
  )

export function changesIn(...records: DynamoDBRecord[]): Change[] {
  return records.flatMap((record) => readChange(record, mailOptions) ?? [])
}

/** The contacts of the table are those of `contacts`. */
function withContacts(table: Table, contacts: ReadonlyMap<string, Contact>, sealer: Sealer): Table {
  return onWireAt(table, 'batch get CONTACT', async () => {
    const items = [...contacts].map(async ([id, { unsubscribed, ...content }]) => {
      const owner = parseShopperId(id) ?? expect.fail(`${id} is no shopper id`)
      const sealed = await sealer.seal(contactPurpose(owner), content)
      return { ...contactKey(owner), sealed, expiresAt: Date.UTC(2100) / 1000, ...(unsubscribed && { unsubscribed }) }
    })
    return { Responses: { [table.name]: await Promise.all(items) } }
  })
}

export function mailRig() {
  const telemetry = testTelemetry()
  const time = { now: at }
  const clock = () => time.now
  const contacts = new Map<string, Contact>([[shopperId, { email: 'ann@example.com', language: 'en' }]])
  const sent: OutgoingMail[] = []
  /** Outcomes of the next emails; afterwards the service sends all. */
  const answers: (Error | { kind: 'rejected'; reason: string })[] = []
  const sealer = createSealer([Buffer.alloc(32, 1).toString('base64')], clock)
  const table = worldTable()
  const mailLog = dynamoMailLog(table.table, clock)
  const titles = new Map<string, string>([[saleId, 'Handmade stoneware mug']])
  const variants = [
    { id: 's', name: 'Small', names: { 'zh-CN': '小号' }, stock: 5 },
    { id: 'black-m', name: 'Black, M', stock: 5 },
  ]
  /** The fields of the sale besides its texts. */
  const sale: {
    checkoutUrl?: string
    flag: Sale['flag']
    startsAt: number
    endsAt: number
  } = {
    flag: 'on',
    startsAt: at + 600_000,
    endsAt: at + 1_200_000,
  }
  const ports: SendMailsPorts = {
    saleOf: async (id) => {
      const title = titles.get(id)
      const own = titles.get(`${id} zh-CN`)
      const translations = own === undefined ? {} : { translations: { 'zh-CN': { title: own } } }
      return title === undefined
        ? undefined
        : { title, description: '', variants, warmed: true, ...translations, ...sale }
    },
    mailLog,
    mailer: {
      async send(mail) {
        const answer = answers.shift()
        if (answer instanceof Error) throw answer
        if (answer !== undefined) return answer
        sent.push(mail)
        return { kind: 'sent' }
      },
    },
    sealer,
    settings: { timeZone: 'Asia/Shanghai' },
    table: withContacts(table.table, contacts, sealer),
    personalKeys: [],
    shopUrl: 'https://shop.example',
    clock,
    ...telemetry,
  }
  return {
    ports,
    telemetry,
    time,
    contacts,
    sent,
    answers,
    sealer,
    mailLog,
    table,
    titles,
    sale,
    /** Handles the records as one batch; the sequence numbers of those that come again. */
    deliver: (...records: DynamoDBRecord[]) => sendMails(ports, changesIn(...records), time.now + 10_000),
  }
}
