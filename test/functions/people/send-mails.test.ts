import { afterEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { unsubscribeRoute } from '../../../core/people/mail.ts'
import { unsubscribe } from '../../../functions/people/delivery.ts'
import { MailerBusy } from '../../../functions/people/mailer.ts'
import { leaseMs } from '../../../functions/table/people/mail-log.ts'
import { notingUnsubscribed } from '../../world/wire.ts'
import { anOrder, at, creditItem, mailRig, recordOf, recordOfOrder, shopperId, stepped } from './mail-rig.ts'

let rig = mailRig()
afterEach(() => {
  rig = mailRig()
})

const waiting = anOrder()
const otherId = `stoneware-mug-${'b'.repeat(26)}` as OrderId
const paid = stepped(waiting, 'payment-succeeded', 'paid')

const subjects = () => rig.sent.map(({ subject }) => subject)

describe('an email', () => {
  it('goes to the shopper of the order, once for each step', async () => {
    expect(await rig.deliver(recordOfOrder(waiting), recordOfOrder(paid))).toEqual([])
    expect(rig.sent.map(({ to }) => to)).toEqual(['ann@example.com', 'ann@example.com'])
    expect(subjects()).toEqual([
      'Pay to complete your order: Handmade stoneware mug',
      'Order confirmed: Handmade stoneware mug',
    ])
    expect(rig.telemetry.counted('MailsSent')).toBe(2)
  })

  it('is sent once when the stream repeats a record (I5)', async () => {
    for (let times = 0; times < 3; times += 1) await rig.deliver(recordOfOrder(paid), recordOfOrder(paid))
    expect(rig.sent).toHaveLength(1)
  })

  it('is not sent about an order that is paid in the checkout of the shop, which writes itself', async () => {
    rig.sale.checkoutUrl = 'https://shop.example/cart'
    expect(await rig.deliver(recordOfOrder(waiting), recordOfOrder(paid))).toEqual([])
    expect(rig.sent).toEqual([])
  })

  it('says of which variant the units are, by its name in that language (N1)', async () => {
    const order = anOrder({ quantity: 4, variant: 's' })
    await rig.deliver(recordOfOrder(order))
    expect(rig.sent[0]?.text).toContain('Options: 4 × Small\n')
    rig.contacts.set(shopperId, { email: 'ann@example.com', language: 'zh-CN' })
    await rig.deliver(recordOfOrder(stepped(order, 'payment-succeeded', 'paid')))
    expect(rig.sent[1]?.text).toContain('规格：小号 × 4\n')
    await rig.deliver(recordOfOrder(stepped(waiting, 'payment-succeeded', 'paid', { orderId: otherId })))
    expect(rig.sent[2]?.text).not.toContain('规格')
  })

  it('is in the language of the contact, with the title of the sale in it, as far as there is one', async () => {
    rig.contacts.set(shopperId, { email: 'ann@example.com', language: 'zh-CN' })
    await rig.deliver(recordOfOrder(waiting))
    rig.titles.set(`${paid.saleId} zh-CN`, '手工陶杯')
    await rig.deliver(recordOfOrder(paid))
    expect(rig.sent[0]?.subject).toContain('Handmade stoneware mug')
    expect(rig.sent[1]).toMatchObject({
      subject: '订单已确认：手工陶杯',
      html: expect.stringMatching(/^(?!.*Handmade stoneware mug).*<html lang="zh-CN">/s),
    })
  })

  it('names the sale by its id when it was deleted', async () => {
    rig.titles.clear()
    await rig.deliver(recordOfOrder(paid))
    expect(subjects()).toEqual(['Order confirmed: stoneware-mug'])
  })

  it('is not sent without a contact, and that is counted', async () => {
    rig.contacts.clear()
    expect(await rig.deliver(recordOfOrder(paid))).toEqual([])
    expect(rig.sent).toEqual([])
    expect(rig.telemetry.counted('MailsSkipped')).toBe(1)
  })
})

describe('while the service of emails fails', () => {
  it('comes again at once when it was certainly not sent', async () => {
    rig.answers.push(new MailerBusy('TooManyRequestsException'))
    const record = recordOfOrder(paid)
    expect(await rig.deliver(record)).toEqual([record.dynamodb?.SequenceNumber])
    expect(await rig.deliver(record)).toEqual([])
    expect(rig.sent).toHaveLength(1)
    expect(rig.telemetry.counted('MailsFailed')).toBe(1)
    expect(rig.telemetry.lines, 'a retry follows').toMatchObject([{ level: 'warn', message: 'email not sent yet' }])
  })

  it('waits for the lease when it may have been sent, and then sends it', async () => {
    rig.answers.push(new Error('no answer'))
    const record = recordOfOrder(paid)
    const again = [record.dynamodb?.SequenceNumber]
    expect(await rig.deliver(record)).toEqual(again)
    expect(await rig.deliver(record)).toEqual(again)
    rig.time.now += leaseMs
    expect(await rig.deliver(record)).toEqual([])
    expect(rig.sent).toHaveLength(1)
  })

  it('is given up when it is rejected, without a try later', async () => {
    rig.answers.push({ kind: 'rejected', reason: 'MessageRejected' })
    expect(await rig.deliver(recordOfOrder(paid))).toEqual([])
    expect(await rig.deliver(recordOfOrder(paid))).toEqual([])
    expect(rig.sent).toEqual([])
    expect(rig.telemetry.counted('MailsRejected')).toBe(1)
  })

  it('does not stop the emails of other shoppers in the batch', async () => {
    rig.answers.push({ kind: 'rejected', reason: 'MessageRejected' }, new MailerBusy('Throttling'))
    const [first, second] = [recordOfOrder(waiting), recordOfOrder(paid)]
    const third = recordOf(creditItem())
    expect(await rig.deliver(first, second, third)).toEqual([second.dynamodb?.SequenceNumber])
    expect(subjects()).toEqual(['You got CN¥8.88: Handmade stoneware mug'])
  })

  it('begins nothing after the deadline', async () => {
    rig.ports.clock = () => at + 10_000
    expect(await rig.deliver(recordOfOrder(waiting), recordOfOrder(paid))).toHaveLength(2)
    expect(rig.sent).toEqual([])
  })
})

describe('a crash', () => {
  it('between sending and marking repeats one email, because the service knows no idempotency', async () => {
    rig.mailLog.finish = async () => {
      throw new Error('the table is unavailable')
    }
    expect(await rig.deliver(recordOfOrder(paid)), 'the record is not redelivered').toEqual([])
    expect(rig.telemetry.lines.map(({ message }) => message)).toEqual(['email sent but not marked'])
    rig.time.now += leaseMs
    await rig.deliver(recordOfOrder(paid))
    expect(rig.sent).toHaveLength(2)
  })

  it('of the table before sending sends nothing, and the record comes again', async () => {
    rig.table.goDown()
    expect(await rig.deliver(recordOfOrder(paid))).toHaveLength(1)
    rig.table.comeUp()
    expect(await rig.deliver(recordOfOrder(paid))).toEqual([])
    expect(rig.sent).toHaveLength(1)
  })
})

describe('a credited red packet', () => {
  it('has an email that one click unsubscribes from (RFC 8058)', async () => {
    await rig.deliver(recordOf(creditItem()), recordOf(creditItem()))
    const [mail, ...more] = rig.sent
    expect(more).toEqual([])
    const { origin, pathname, searchParams } = new URL(mail?.unsubscribeUrl ?? '')
    expect(origin + pathname).toBe(`https://shop.example${unsubscribeRoute}`)
    const unsubscribed: string[] = []
    const table = notingUnsubscribed(unsubscribed)
    const answer = await unsubscribe({ table, sealer: rig.sealer }, searchParams.get('token'), 'en')
    expect(answer.statusCode).toBe(200)
    expect(unsubscribed).toEqual([shopperId])
  })

  it('has none for a shopper who has unsubscribed; orders still have theirs', async () => {
    rig.contacts.set(shopperId, { email: 'ann@example.com', language: 'en', unsubscribed: true })
    await rig.deliver(recordOf(creditItem()), recordOfOrder(paid))
    expect(subjects()).toEqual(['Order confirmed: Handmade stoneware mug'])
    expect(rig.sent[0]?.unsubscribeUrl).toBeUndefined()
    expect(rig.telemetry.counted('MailsSkipped')).toBe(1)
  })
})

it.each([
  ['an order without a history', { ...recordOfOrder(paid) }],
  ['a credit without a history', recordOf(creditItem())],
])('a record that cannot be read is given up, so that it blocks no other: %s', async (_name, record) => {
  delete record.dynamodb?.NewImage?.history
  expect(await rig.deliver(record, recordOfOrder(waiting))).toEqual([])
  expect(rig.sent).toHaveLength(1)
  expect(rig.telemetry.counted('MailsRejected')).toBe(1)
})

it('the log has no address, no shopper and no title, also when sending fails', async () => {
  const address = new Error('Email address is not verified: ann@example.com')
  rig.answers.push(new MailerBusy('Throttling'), { kind: 'rejected', reason: 'MessageRejected' })
  await rig.deliver(recordOfOrder(waiting), recordOfOrder(paid), recordOf({ ...creditItem(), packet: 'x' }))
  rig.mailLog.finish = async () => {
    throw new Error('the table is unavailable')
  }
  await rig.deliver(recordOf(creditItem()))
  expect(rig.telemetry.lines.length).toBeGreaterThan(3)
  const text = JSON.stringify(rig.telemetry.lines)
  for (const secret of ['ann', 'example.com', 'stoneware mug', address.message]) expect(text).not.toContain(secret)
})
