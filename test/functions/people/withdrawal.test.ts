/** A shopper withdraws from the contract of an order: Directive 2011/83/EU, Art. 11a. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import { orderNumberOf } from '../../../core/orders/order-number.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { withdrawSeal } from '../../../functions/lib/sealer.ts'
import { MailerBusy } from '../../../functions/people/mailer.ts'
import { sendMails } from '../../../functions/people/send-mails.ts'
import { openStatement } from '../../../functions/people/withdrawal.ts'
import { withdrawLinkKey } from '../../../functions/table/keys.ts'
import { findWrittenOrder } from '../../../functions/table/orders/orders.ts'
import { functionTimeoutSeconds } from '../../../system/functions.ts'
import { mailConsumption } from '../../../system/mail.ts'
import { startDynamoTable, type TestTable } from '../../contract/cloud.ts'
import { aSale } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { berlin, dayMs, deliveryShop } from './delivery-rig.ts'
import { anOrder, at, changesIn, mailRig, orderId, recordOf, recordOfOrder, shopperId, stepped } from './mail-rig.ts'
import { playWithdrawals } from './withdrawal-play.ts'

let dynamoDb: TestTable
beforeAll(async () => {
  dynamoDb = await startDynamoTable()
})
afterAll(() => dynamoDb.stop())

const linkOf = async (id: OrderId) => {
  const { client, name } = dynamoDb.table
  return (await client.send(new GetCommand({ TableName: name, Key: withdrawLinkKey(id) }))).Item
}

const statement = { name: ' Ann Schäfer ', email: 'ann@example.com', language: 'en' }
const paid: Partial<Order> = {
  status: 'paid',
  payment: { paymentId: 'p', attempt: 1, startedAt: 6_000, state: 'succeeded' },
}

let ordersNumbered = 0

/** A shop whose sale is in the market, with that exception, and a paid order of shopper 1 with its number. */
async function paidOrder(
  market: 'DE' | 'other' = 'DE',
  change: Partial<Order> = {},
  withdrawalException: Sale['withdrawalException'] = 'none',
) {
  const shop = deliveryShop(dynamoDb.table, { market, withdrawalException })
  ordersNumbered += 1
  const orderNumber = orderNumberOf(ordersNumbered)
  const made = await shop.order(1, { ...paid, orderNumber, ...change })
  const path = `/api/orders/${made.orderId}/withdrawal`
  const guest = (body: unknown) => shop.ask('POST')(undefined, '/api/withdrawals', body)
  const tokenOf = (seconds?: number) => shop.ports.sealer.seal(withdrawSeal, { orderId: made.orderId }, seconds)
  return { shop, ...made, orderNumber, path, guest, tokenOf }
}

describe('a withdrawal with a session', () => {
  it('is taken with the time of the first statement, which two clicks at once share (I5)', async () => {
    const { shop, path, orderId } = await paidOrder()
    const answers = await Promise.all([1, 2].map(() => shop.put(1, path, statement)))
    const at = shop.time.now
    for (const { status, body } of answers)
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { orderId, withdrawal: { quantity: 1, at } },
      })
    shop.time.now += dayMs
    expect((await shop.put(1, path, statement)).body.withdrawal.at).toBe(at)
    const order = await findWrittenOrder(dynamoDb.table, orderId)
    expect(order?.history.filter(({ what }) => what === 'withdrawn')).toHaveLength(1)
    // What was stated is encrypted in the table, without the spaces around it.
    const sealed = order?.withdrawal?.statement ?? ''
    expect(sealed).not.toContain('Ann')
    expect(await openStatement(shop.ports.sealer, { orderId, statement: sealed })).toEqual({
      ...statement,
      name: 'Ann Schäfer',
    })
  })

  it('names the field that is wrong, and is refused for more units than there are', async () => {
    const { shop, path } = await paidOrder()
    for (const [field, wrong] of [
      ['name', { name: ' ' }],
      ['email', { email: 'ann' }],
      ['language', { language: 'no tag' }],
      ['quantity', { quantity: 0 }],
      ['basket', { basket: [] }],
      ['reason', { reason: 'none is needed' }],
    ] as const)
      expect(await shop.put(1, path, { ...statement, ...wrong }), field).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', field },
      })
    for (const units of [{ quantity: 2 }, { basket: { m: 1 } }])
      expect(await shop.put(1, path, { ...statement, ...units })).toMatchObject({ status: 409 })
    expect((await shop.put(1, path, { ...statement, quantity: 1 })).status).toBe(200)
  })

  it('is refused to other shoppers, in a market without that right, before payment and after the period', async () => {
    const { shop, path, orderId } = await paidOrder()
    expect((await shop.put(2, path, statement)).status).toBe(404)
    const delivered = { at: shop.time.now, what: 'delivered', status: 'delivered' } as const
    const order = await findWrittenOrder(dynamoDb.table, orderId)
    await shop.change(orderId, { status: 'delivered', history: [...(order?.history ?? []), delivered] })
    shop.time.now += 20 * dayMs
    expect(await shop.put(1, path, statement)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const elsewhere = await paidOrder('other')
    expect((await elsewhere.shop.put(1, elsewhere.path, statement)).status).toBe(409)
    const unpaid = await paidOrder('DE', { status: 'awaiting-payment' })
    expect((await unpaid.shop.put(1, unpaid.path, statement)).status).toBe(409)
  })

  it('is refused for goods that the law excepts, and taken while their seal may be closed (Directive 2011/83/EU Art. 16)', async () => {
    const custom = await paidOrder('DE', {}, 'custom')
    expect((await custom.shop.put(1, custom.path, statement)).status).toBe(409)
    const link = await custom.guest({ token: await custom.tokenOf() })
    expect(link.body.order).not.toHaveProperty('withdrawableUntil')
    const sealed = await paidOrder('DE', {}, 'hygiene')
    expect((await sealed.shop.put(1, sealed.path, statement)).status).toBe(200)
  })
})

describe('a withdrawal as a guest', () => {
  it('is asked for with the same answer whether such an order exists, and a link is asked for once in ten minutes', async () => {
    const { shop, path, orderId, orderNumber, guest } = await paidOrder()
    await shop.put(1, path.replace('withdrawal', 'delivery'), berlin)
    const { email } = berlin
    const right = await guest({ orderNumber, email: email.toUpperCase() })
    const first = shop.time.now
    for (const wrong of [
      { orderNumber, email: 'eve@example.com' },
      { orderNumber: orderNumberOf(999_999), email },
    ])
      expect(await guest(wrong)).toMatchObject({ status: right.status, body: right.body })
    expect(right).toMatchObject({ status: 200, body: { order: null } })
    const askedAt = async () => (await linkOf(orderId))?.askedAt
    for (const [later, seen] of [
      [0, first],
      [9 * 60_000, first],
      [11 * 60_000, first + 11 * 60_000],
    ] as const) {
      shop.time.now = first + later
      await guest({ orderNumber, email })
      expect(await askedAt()).toBe(seen)
    }
  })

  it('asks for no link with another address than the one on file', async () => {
    const { shop, path, orderId, orderNumber, guest } = await paidOrder()
    await shop.put(1, path.replace('withdrawal', 'delivery'), berlin)
    await guest({ orderNumber, email: 'eve@example.com' })
    expect(await linkOf(orderId)).toBeUndefined()
    await guest({ orderNumber, email: berlin.email })
    expect(await linkOf(orderId)).toBeDefined()
  })

  it('asks for no link of an order in another market', async () => {
    const { shop, path, orderId, orderNumber, guest } = await paidOrder('other')
    await shop.put(1, path.replace('withdrawal', 'delivery'), berlin)
    expect(await guest({ orderNumber, email: berlin.email })).toMatchObject({ body: { order: null } })
    expect(await linkOf(orderId)).toBeUndefined()
  })

  it('is taken with the token of a link, which reads the order first and ends in its time', async () => {
    const { shop, orderId, guest, tokenOf } = await paidOrder()
    const token = await tokenOf(60)
    const seen = await guest({ token })
    expect(seen).toMatchObject({
      status: 200,
      body: { order: { orderId, quantity: 1, withdrawableUntil: null } },
    })
    expect(JSON.stringify(seen.body)).not.toMatch(/shopperId|statement|@/)
    const at = shop.time.now
    for (const _ of [1, 2])
      expect(await guest({ token, statement })).toMatchObject({
        status: 200,
        body: { order: { withdrawal: { at } } },
      })
    shop.time.now += 61_000
    expect((await guest({ token, statement })).status).toBe(404)
    const unpaid = await paidOrder('DE', { status: 'awaiting-payment' })
    expect(await unpaid.guest({ token: await unpaid.tokenOf(), statement })).toMatchObject({ status: 409 })
    // The link of an e-mail about the order has no end of its own.
    expect((await guest({ token: await tokenOf() })).status).toBe(200)
  })

  it.each([{}, { token: '' }, { orderNumber: 'x', email: 'ann@example.com' }, { token: 'a', email: 'a@example.com' }])(
    'is refused with %j',
    async (body) => {
      const { guest } = await paidOrder()
      expect(await guest(body)).toMatchObject({ status: 400, body: { code: 'invalid-request' } })
    },
  )
})

describe('the e-mails of a withdrawal', () => {
  const order = stepped(anOrder(), 'payment-succeeded', 'paid')
  const who = { name: 'Ann Schäfer', email: 'receipt@example.com', language: 'en' }

  async function withdrawn(rig: ReturnType<typeof mailRig>) {
    const sealed = await rig.sealer.seal({ purpose: 'withdrawal', owner: orderId }, who)
    return stepped(order, 'withdrawn', 'paid', { withdrawal: { quantity: 1, at, statement: sealed } })
  }

  it('are the receipt, to the address of the statement, with its content, date and time', async () => {
    const rig = mailRig()
    const record = recordOfOrder(await withdrawn(rig))
    expect(await rig.deliver(record, record)).toEqual([])
    expect(rig.sent).toHaveLength(1)
    const [{ to, subject, text } = { to: '', subject: '', text: '' }] = rig.sent
    expect([to, subject]).toEqual(['receipt@example.com', 'Withdrawal received: Handmade stoneware mug'])
    for (const part of ['Ann Schäfer', '1/2', 'I withdraw from the contract', 'November 22, 2026'])
      expect(text).toContain(part)
    expect(text).toMatch(/Submitted: .*16:30 UTC\+8/)
  })

  it('have their times in the zone of the sale, where it names one', async () => {
    const rig = mailRig()
    rig.ports.saleOf = async () => aSale({ timeZone: 'America/New_York' })
    await rig.deliver(recordOfOrder(await withdrawn(rig)))
    expect(rig.sent[0]?.text).toMatch(/Submitted: .*03:30 UTC-5/)
  })

  it('are sent of an order that was paid in the checkout of the shop, too, which knows nothing of the withdrawal', async () => {
    const rig = mailRig()
    rig.sale.checkoutUrl = 'https://shop.example/cart'
    const asked = { ...withdrawLinkKey(orderId), shopperId, orderNumber: orderNumberOf(43), askedAt: at }
    await rig.deliver(recordOfOrder(order), recordOfOrder(await withdrawn(rig)), recordOf(asked))
    expect(rig.sent.map(({ to }) => to)).toEqual(['receipt@example.com', 'ann@example.com'])
  })

  it('follow a confirmation with the tax of the sale, and why its goods cannot be sent back', async () => {
    const rig = mailRig()
    rig.ports.saleOf = async () => aSale({ market: 'DE', taxPercent: 19, withdrawalException: 'hygiene' })
    await rig.deliver(recordOfOrder(order))
    expect(rig.sent.map(({ text }) => text)).toEqual([
      expect.stringMatching(/7\.66 VAT \(19 %\), .*40\.34 net\nWithdrawal: .*seal/),
    ])
  })

  it('are not sent once the statement was erased', async () => {
    const rig = mailRig()
    const erased = stepped(order, 'withdrawn', 'paid', { withdrawal: { quantity: 1, at } })
    expect(await rig.deliver(recordOfOrder(erased))).toEqual([])
    expect(rig.sent).toEqual([])
  })

  it('lead to the function by a link that says for which order, in the confirmation and when one was asked for', async () => {
    const rig = mailRig()
    rig.sale.market = 'DE'
    const link = recordOf({
      ...withdrawLinkKey(orderId),
      shopperId,
      orderNumber: orderNumberOf(42),
      askedAt: at,
    })
    const parcel = recordOfOrder(stepped(order, 'shipped', 'shipped'))
    await rig.deliver(recordOfOrder(order), parcel, link, link)
    expect(rig.sent.map(({ to }) => to)).toEqual(Array(3).fill('ann@example.com'))
    const tokens = rig.sent.map(({ text }) => {
      const [, token = ''] =
        /Withdraw from contract here: https:\/\/shop\.example\/orders\/#withdraw=(\S+)/.exec(text) ?? []
      return token
    })
    const opened = () => Promise.all(tokens.map((token) => rig.sealer.open(withdrawSeal, token)))
    for (const content of await opened()) expect(content).toMatchObject({ orderId })
    // That of the request ends; those in the e-mails that are kept last for the whole period.
    rig.time.now += 60 * dayMs
    expect((await opened()).map((content) => content?.orderId)).toEqual([orderId, orderId, undefined])
    for (const change of [{ market: 'other' }, { market: 'DE', withdrawalException: 'dated' }] as const) {
      const without = mailRig()
      Object.assign(without.sale, change)
      await without.deliver(recordOfOrder(stepped(order, 'shipped', 'shipped')))
      expect(without.sent.map(({ text }) => text.includes('#withdraw'))).toEqual([false])
    }
  })
})

describe('the receipt of a withdrawal leaves within 60 s of the statement', () => {
  /** A reader of the stream asks four times a second, and again so soon after a failure. */
  const readMs = 250
  /** How long the client of SES waits for an answer (mailer.ses.ts). */
  const slowestMs = 4000
  /** What an invocation keeps for the e-mail that it is at (mail.handler.ts). */
  const marginMs = 5000
  const lambdaMs = functionTimeoutSeconds('mail') * 1000
  const order = stepped(anOrder(), 'payment-succeeded', 'paid')
  const who = { name: 'Ann Schäfer', email: 'receipt@example.com', language: 'en' }

  type Way = { takesMs: number; before?: number; fails?: Error; killed?: true }

  /** Plays the event source mapping of system/mail.ts on the clock of the rig; when the receipt left, ms after the statement. */
  async function leftAfter({ takesMs, before = 0, fails, killed }: Way): Promise<number> {
    const rig = mailRig()
    const { send } = rig.ports.mailer
    let hasFailed = false
    rig.ports.mailer = {
      async send(mail) {
        rig.time.now += takesMs
        if (mail.to === who.email && fails !== undefined && !hasFailed) {
          hasFailed = true
          throw fails
        }
        return send(mail)
      },
    }
    const statement = await rig.sealer.seal({ purpose: 'withdrawal', owner: orderId }, who)
    const withdrawal = { quantity: 1, at, statement }
    const others = Array.from({ length: before }, (_, n) => {
      const other = `stoneware-mug-${String.fromCharCode(98 + n).repeat(26)}` as OrderId
      return recordOfOrder({ ...order, orderId: other })
    })
    let left = [...others, recordOfOrder(stepped(order, 'withdrawn', 'paid', { withdrawal }))]
    rig.time.now = at + readMs + mailConsumption.windowSeconds * 1000
    if (killed) {
      // An invocation took the e-mail in its last moment, and was ended before it asked the service.
      rig.time.now += lambdaMs
      await rig.mailLog.begin({ orderId, revision: order.history.length + 1 }, true)
    }
    while (left.length > 0) {
      const endsAt = rig.time.now + lambdaMs
      const failed = await sendMails(rig.ports, changesIn(...left), endsAt - marginMs)
      expect(rig.time.now).toBeLessThanOrEqual(endsAt)
      const first = left.findIndex(({ dynamodb }) => failed.includes(String(dynamodb?.SequenceNumber)))
      left = first === -1 ? [] : left.slice(first)
      if (left.length > 0) rig.time.now += readMs
    }
    const receipts = rig.sent.filter(({ to }) => to === who.email)
    expect(receipts).toHaveLength(1)
    expect(receipts[0]?.text).toMatch(/Submitted: .*November 22, 2026.*16:30 UTC\+8/)
    return rig.time.now - at
  }

  it('with the first batch: a read, the wait for a batch, and one call of the service', async () => {
    expect(await leftAfter({ takesMs: 200 })).toBe(readMs + mailConsumption.windowSeconds * 1000 + 200)
  })

  const busy = new MailerBusy('TooManyRequestsException')
  it.each<[string, Way]>([
    [
      'is the last of a full batch, and each e-mail takes as long as it may',
      { takesMs: slowestMs, before: mailConsumption.batchSize - 1 },
    ],
    ['was refused by a busy service', { takesMs: slowestMs, fails: busy }],
    ['got no answer, so its lease has to end first', { takesMs: slowestMs, fails: new Error('no answer') }],
    ['was taken by an invocation that was killed in its last moment', { takesMs: slowestMs, killed: true }],
  ])('also when it %s', async (_, way) => {
    expect(await leftAfter(way)).toBeLessThan(60_000)
  })
})

const redis = useRedis()

describe('orders that are withdrawn from, sent, refunded, disputed and returned at once', () => {
  it.each([1, 3])('have each cent and unit once, with a stock of %i shards (I1, I4, I5, O9)', async (shards) => {
    const { violations, seen } = await playWithdrawals(redis, { count: 60, seed: 11, shards })
    expect(violations).toEqual([])
    expect(seen.returned).toBeGreaterThan(0)
    expect(seen.refunds).toBeGreaterThan(0)
  })
})
