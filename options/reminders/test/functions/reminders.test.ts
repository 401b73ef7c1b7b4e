/** Reminders of a sale and of units that come back: asked for, handed over by the scheduled job, and sent once each. */

import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { DynamoDBRecord } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import type { SaleId, ShopperId } from '../../../../core/ids.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { unsubscribeSeal } from '../../../../functions/lib/sealer.ts'
import type { Table } from '../../../../functions/lib/shop/shop.ts'
import { unsubscribe } from '../../../../functions/people/delivery.ts'
import { MailerBusy, MailerFault, type OutgoingMail } from '../../../../functions/people/mailer.ts'
import { type SendMailsPorts, sendMails } from '../../../../functions/people/send-mails.ts'
import { putContact } from '../../../../functions/table/people/contacts.ts'
import { dynamoMailLog, leaseMs, type MailId } from '../../../../functions/table/people/mail-log.ts'
import { saleItem } from '../../../../functions/table/sale/sale-item.ts'
import { findSale } from '../../../../functions/table/sale/sales.ts'
import { onWire } from '../../../../proof/simulation/dynamodb/wire.ts'
import type { Commander } from '../../../../redis/command.ts'
import { orderSuffix, shopperField } from '../../../../redis/keys.ts'
import type { StockFacts } from '../../../../redis/stock/stock.ts'
import { deliveryShop } from '../../../../test/functions/people/delivery-rig.ts'
import { changesIn, mailRig, recordOf } from '../../../../test/functions/people/mail-rig.ts'
import { aSale, orderIdOf, shopperIdOf } from '../../../../test/redis/support.ts'
import { inSample } from '../../../../test/whole-plays.ts'
import { worldTable } from '../../../../test/world/table.ts'
import { keptAfterSaleMs, remindAheadMs, remindersPerMinute, repeatedWithinMs } from '../../core/reminder.ts'
import { reminderConsent } from '../../functions/entries/handlers.ts'
import { addReminder, countReminders } from '../../functions/reminder-items.ts'
import { handOverDueReminders, newMailBudget, returnNewsSender } from '../../functions/steps.ts'

const minute = 60_000
const saleId = 'stoneware-mug' as SaleId
const path = '/api/reminders'

const killPoints = [
  'before the claim',
  'between claim and sending',
  'between sending and mark',
  'after the mark',
] as const
type KillPoint = (typeof killPoints)[number]

const shopperIn = (id: MailId): ShopperId =>
  'shopperId' in id ? id.shopperId : expect.fail('an email that is no reminder')

/**
 * The function in a process that `kills` may end: what it has begun stays, and it neither writes, sends nor counts after
 * that. `held` has the shoppers whose reminder it has in hand: taken, and neither marked nor released.
 */
function processOf(ports: SendMailsPorts, kills: (point: KillPoint, shopper: ShopperId) => boolean) {
  const held = new Set<ShopperId>()
  const never = new Promise<never>(() => {})
  const killed = Promise.withResolvers<'killed'>()
  let isDead = false
  const reach = async (point: KillPoint, shopper: ShopperId) => {
    if (!isDead && kills(point, shopper)) {
      isDead = true
      killed.resolve('killed')
    }
    if (isDead) await never
  }
  const alive = async <Answer>(act: () => Promise<Answer>): Promise<Answer> => {
    if (isDead) return never
    try {
      return await act()
    } finally {
      if (isDead) await never
    }
  }
  const table = onWire(ports.table, (_, send) => alive(send))
  const { begin, finish, release } = dynamoMailLog(table, ports.clock)
  const mailLog: SendMailsPorts['mailLog'] = {
    async begin(id, mayRepeat) {
      const shopper = shopperIn(id)
      await reach('before the claim', shopper)
      const begun = await begin(id, mayRepeat)
      if (begun !== 'begun') return begun
      held.add(shopper)
      await reach('between claim and sending', shopper)
      return begun
    },
    async finish(id, outcome) {
      await finish(id, outcome)
      held.delete(shopperIn(id))
      await reach('after the mark', shopperIn(id))
    },
    async release(id) {
      await release(id)
      held.delete(shopperIn(id))
    },
  }
  const mailer: SendMailsPorts['mailer'] = {
    async send(mail) {
      const answer = await alive(() => ports.mailer.send(mail))
      await reach('between sending and mark', shopperIdOf(Number.parseInt(mail.to, 10)))
      return answer
    },
  }
  return { ports: { ...ports, table, mailLog, mailer }, held, killed: killed.promise }
}

/** A shop that sends emails; its sale starts in two hours. */
async function reminderShop(change: Partial<Sale> = {}) {
  const world = worldTable()
  const shop = deliveryShop(world.table)
  const { time } = shop
  const rig = mailRig()
  shop.ports.sendsMails = true
  let sale = aSale({
    ...{ saleId, startsAt: time.now + 120 * minute, endsAt: time.now + 180 * minute, flag: 'off', epoch: 0 },
    ...change,
  })
  const save = async (changes: Partial<Sale>) => {
    sale = { ...sale, ...changes }
    const Item = saleItem({ sale, revision: 1, finishedStockChanges: [] })
    await world.memory.client.send(new PutCommand({ TableName: world.name, Item }))
  }
  await save({})
  const items = () => [...world.memory.items()].filter(({ pk }) => String(pk).startsWith('REMINDER#'))
  /** The changes in the table's stream that `mail` has not received yet. */
  const stream: DynamoDBRecord[] = []
  const table: Table = onWire(world.table, async (name, send, command) => {
    const answer = await send()
    if (name !== 'update REMINDER') return answer
    const { pk, sk } = Reflect.get(command.input, 'Key') ?? {}
    const item = [...world.memory.items(pk)].find((one) => one.sk === sk)
    if (item !== undefined && String(pk).startsWith('REMINDER#')) stream.push(recordOf(item))
    return answer
  })
  const ports = {
    ...rig.ports,
    ...{ table, sealer: shop.ports.sealer, personalKeys: shop.keys, clock: () => time.now },
    mailLog: dynamoMailLog(table, () => time.now),
    saleOf: async (id: SaleId) => (await findSale(table, id))?.sale,
  }
  const faults = {
    kills: (_point: KillPoint, _shopper: ShopperId): boolean => false,
    /** The shoppers whose reminder a process had in hand when it was killed. */
    heldAtKill: [] as ShopperId[],
  }
  const buyers: number[] = []
  const stock: Commander = {
    async exec([, , field]) {
      const buyer = buyers.find((shopper) => field === shopperField(shopperIdOf(shopper)))
      if (buyer === undefined) return null
      return JSON.stringify({ orders: { [orderSuffix(orderIdOf(saleId, buyer, 1))]: { units: 1, at: 1 } } })
    },
  }
  return {
    ...shop,
    world,
    rig,
    save,
    items,
    stream,
    ports: { ...shop.ports, ...ports, sendsMails: true },
    sale: () => sale,
    /** A contact whose address the sign-in has verified, unless `isVerified` is false. */
    contact: (shopper: number, isVerified = true) =>
      putContact(
        shop.ports,
        shopperIdOf(shopper),
        { email: `${shopper}@example.com`, language: 'en', verified: isVerified || undefined },
        time.now + 10 * 86_400_000,
      ),
    request: (shopper: number, what: string, about?: string) =>
      shop.put(shopper, path, { saleId, what, language: 'en', ...(about && { about }) }),
    remind: () => handOverDueReminders({ ...ports, stock, sendsMails: true }, newMailBudget()),
    /** One look of the tick in a run of its own; the stock had sold out in revision 3 where `restocked` is later. */
    look: (available: number, restocked = 4) =>
      returnNewsSender({ ...ports, stock, sendsMails: true }, newMailBudget())(sale, {
        stock: { available, frozen: false, heldBack: 0, isHeldBackFinal: true } as StockFacts,
        gate: { soldOutRevision: 3, restockedRevision: restocked },
      }),
    /** Shoppers who have units of the sale. */
    buyers,
    faults,
    /** Consumes the stream, also repeated changes. */
    async deliver() {
      for (let batch = stream.splice(0, 10); batch.length > 0; batch = stream.splice(0, 10)) {
        const one = processOf(ports, (point, shopper) => faults.kills(point, shopper))
        const sending = sendMails(one.ports, changesIn(...batch), time.now + 10_000)
        const failed = await Promise.race([sending, one.killed])
        if (failed === 'killed') faults.heldAtKill.push(...one.held)
        const again = ({ dynamodb }: DynamoDBRecord) =>
          failed === 'killed' || failed.includes(dynamodb?.SequenceNumber ?? '')
        stream.push(...batch.filter(again))
        if (batch.some(again)) time.now += leaseMs
      }
    },
  }
}

type ReminderShop = Awaited<ReturnType<typeof reminderShop>>

/** A shop whose shoppers have asked for a reminder. */
async function shopAskedBy(shoppers: readonly number[], change: Partial<Sale> = {}): Promise<ReminderShop> {
  const shop = await reminderShop(change)
  for (const shopper of shoppers) {
    await shop.contact(shopper)
    await shop.request(shopper, 'ask')
  }
  return shop
}

const sentTo = ({ rig }: ReminderShop) => rig.sent.map(({ to }) => to)

describe('a reminder', () => {
  it('is stored with the consent that the page shows, once even after repeats, and can be deleted (I5)', async () => {
    const shop = await reminderShop()
    await shop.contact(1)
    const asked = {
      ...{ saleId, about: 'start', askedAt: shop.time.now, language: 'en', sent: false },
      consent: reminderConsent('en', 'start'),
    }
    for (const _ of [1, 2]) {
      const answer = { email: '1@example.com', reminders: [asked] }
      expect(await shop.request(1, 'ask')).toMatchObject({ status: 200, body: answer })
      shop.time.now += 1000
    }
    expect(shop.items().map(({ expiresAt }) => expiresAt)).toEqual([
      Math.ceil((shop.sale().endsAt + keptAfterSaleMs) / 1000),
    ])
    expect(JSON.stringify(shop.items())).not.toContain('example.com')
    for (const _ of [1, 2]) expect((await shop.request(1, 'forget')).body).toMatchObject({ reminders: [] })
  })

  it.each<[string, Partial<Sale>, boolean, object]>([
    ['of a sale that has started', { startsAt: 1 }, true, { status: 409, body: { field: 'saleId' } }],
    ['of a sale that is closed', { flag: 'closed' }, true, { status: 409, body: { field: 'saleId' } }],
    ['at an address that no sign-in has verified', {}, false, { status: 409, body: { field: 'email' } }],
    [
      'of a sale that does not exist',
      { saleId: 'other' as SaleId },
      true,
      { status: 404, body: { code: 'not-found' } },
    ],
  ])('is refused %s', async (_, change, isVerified, answer) => {
    const shop = await reminderShop(change)
    await shop.contact(1, isVerified)
    expect(await shop.request(1, 'ask')).toMatchObject(answer)
    expect(shop.items()).toEqual([])
  })

  it('is refused where no emails are sent, and names a wrong field', async () => {
    const shop = await reminderShop()
    expect(await shop.request(1, 'perhaps')).toMatchObject({ status: 400, body: { field: 'what' } })
    const silent = deliveryShop(shop.world.table)
    const answer = await silent.put(1, path, { saleId, what: 'ask', language: 'en' })
    expect(answer).toMatchObject({ status: 409, body: { detail: 'This shop sends no emails.' } })
    expect(await silent.get(1, path)).toMatchObject({ status: 404 })
  })

  it.each(['erases the contact', 'unsubscribes'])('is gone when its shopper %s', async (what) => {
    const shop = await shopAskedBy([1, 2])
    const token = await shop.ports.sealer.seal(unsubscribeSeal, { shopperId: shopperIdOf(1) })
    for (const _ of [1, 2]) {
      if (what === 'unsubscribes') await unsubscribe(shop.ports, token, 'en')
      else expect((await shop.erase(1, '/api/contact')).body).toEqual({ contact: null })
    }
    expect(shop.items().map(({ pk }) => pk)).toEqual([`REMINDER#${shopperIdOf(2)}`])
  })

  it('leaves ten minutes before the start, once, with a link to unsubscribe with one click (RFC 8058)', async () => {
    const shop = await shopAskedBy([1])
    for (const leftMs of [remindAheadMs + minute, remindAheadMs, remindAheadMs - minute, -minute]) {
      shop.time.now = shop.sale().startsAt - leftMs
      await shop.remind()
      await shop.deliver()
      expect(sentTo(shop)).toHaveLength(leftMs > remindAheadMs ? 0 : 1)
    }
    const [mail] = shop.rig.sent as [OutgoingMail]
    expect(mail.unsubscribeUrl).toMatch(/^https:\/\/shop\.example\/api\/unsubscribe\?token=/)
    expect(mail.text).toContain(`https://shop.example/sales/${saleId}/?utm_source=reminder#reminded`)
    expect(await countReminders(shop.world.table, shop.sale(), 'start')).toEqual({ asked: 1, sent: 1, opened: 0 })
    for (const _ of [1, 2]) expect((await shop.request(1, 'opened')).status).toBe(200)
    expect(await countReminders(shop.world.table, shop.sale(), 'start')).toEqual({ asked: 1, sent: 1, opened: 1 })
    expect((await shop.request(2, 'opened')).status).toBe(200)
  })

  it('follows a start that is moved, also after it was sent', async () => {
    const shop = await shopAskedBy([1])
    shop.time.now = shop.sale().startsAt - remindAheadMs
    await shop.remind()
    // Moved before the email leaves: it waits for the new start.
    await shop.save({ startsAt: shop.sale().startsAt + 30 * minute })
    await shop.deliver()
    expect(sentTo(shop)).toEqual([])
    for (const moved of [0, 20 * minute]) {
      await shop.save({ startsAt: shop.sale().startsAt + moved })
      shop.time.now = shop.sale().startsAt - remindAheadMs
      await shop.remind()
      await shop.deliver()
    }
    expect(sentTo(shop)).toEqual(['1@example.com', '1@example.com'])
  })

  it('waits while its sale is paused, and is not sent for a closed sale or after it was deleted', async () => {
    const shop = await shopAskedBy([1, 2], { flag: 'paused', epoch: 1 })
    shop.time.now = shop.sale().startsAt + minute
    await shop.remind()
    expect(shop.stream).toEqual([])
    await shop.save({ flag: 'on' })
    await shop.remind()
    // Paused once more before the emails leave: both wait again.
    await shop.save({ flag: 'paused' })
    await shop.deliver()
    await shop.save({ flag: 'on' })
    await shop.remind()
    await shop.request(2, 'forget')
    await shop.deliver()
    expect(sentTo(shop)).toEqual(['1@example.com'])
    expect(shop.rig.sent[0]?.text).toContain('has started')
    const closed = await shopAskedBy([1])
    closed.time.now = closed.sale().startsAt - remindAheadMs
    await closed.remind()
    await closed.save({ flag: 'closed' })
    await closed.deliver()
    expect(sentTo(closed)).toEqual([])
  })
})

describe('an email about units that come back', () => {
  /** A shop whose sale runs. */
  const runningShop = (change: Partial<Sale> = {}) =>
    reminderShop({ startsAt: Date.UTC(2026, 10, 21), flag: 'on', epoch: 1, ...change })

  async function asking(shop: ReminderShop, ...shoppers: number[]) {
    for (const shopper of shoppers) {
      shop.time.now += 1
      await shop.contact(shopper)
      expect((await shop.request(shopper, 'ask', 'return')).status).toBe(200)
    }
  }

  it('can be requested while the sale runs, beside a reminder, and deleted', async () => {
    const shop = await shopAskedBy([1])
    expect(await shop.request(1, 'ask', 'return')).toMatchObject({ status: 409, body: { field: 'saleId' } })
    await shop.save({ startsAt: shop.time.now - 1, flag: 'on' })
    const consent = reminderConsent('en', 'return')
    const both = [{ about: 'start' }, { about: 'return', consent, sent: false }]
    expect((await shop.request(1, 'ask', 'return')).body).toMatchObject({ reminders: both })
    expect((await shop.request(1, 'forget', 'return')).body).toMatchObject({ reminders: [{ about: 'start' }] })
    await shop.save({ stock: -1 })
    expect((await shop.request(1, 'ask', 'return')).status).toBe(409)
    expect(await shop.request(1, 'ask', 'end')).toMatchObject({ status: 400, body: { field: 'about' } })
  })

  it('leaves once, not while the sale is sold out, and not to a shopper who has units of it', async () => {
    const shop = await runningShop()
    await asking(shop, 1, 2)
    shop.buyers.push(2)
    for (const [available, restocked] of [
      [0, 4],
      [1, 3],
    ] as const) {
      await shop.look(available, restocked)
      expect(shop.stream).toEqual([])
    }
    for (const _ of [1, 2]) {
      await shop.look(1)
      await shop.deliver()
    }
    expect(sentTo(shop)).toEqual(['1@example.com'])
    const [mail] = shop.rig.sent as [OutgoingMail]
    expect(mail.subject).toMatch(/^Back in stock/)
    expect(mail.text).toContain(`https://shop.example/sales/${saleId}/?utm_source=return#back`)
    expect(mail.unsubscribeUrl).toMatch(/^https:\/\/shop\.example\/api\/unsubscribe\?token=/)
    expect((await shop.request(1, 'opened', 'return')).status).toBe(200)
    const counts = await countReminders(shop.world.table, shop.sale(), 'return')
    expect(counts).toEqual({ asked: 1, sent: 1, opened: 1 })
    expect((await shop.get(2, path)).body).toMatchObject({ reminders: [] })
  })

  it('leaves again for a shopper who asks again, but not for a repeated request (I5)', async () => {
    const shop = await runningShop()
    await asking(shop, 1)
    await shop.look(1)
    await shop.deliver()
    for (const [afterMs, mails] of [
      [1000, 1],
      [repeatedWithinMs, 2],
    ] as const) {
      shop.time.now += afterMs
      await asking(shop, 1)
      await shop.look(1)
      await shop.deliver()
      expect(sentTo(shop)).toHaveLength(mails)
    }
  })

  it('leaves for ten shoppers a minute for each unit, in the order of their requests', async () => {
    const shop = await runningShop()
    await asking(shop, 9, 8, 7, 6, 5, 4, 3, 2, 1, 10, 11, 12)
    await shop.look(1)
    await shop.deliver()
    // They leave side by side, so only who they are is certain.
    const first = [9, 8, 7, 6, 5, 4, 3, 2, 1, 10].map((shopper) => `${shopper}@example.com`)
    expect(sentTo(shop).toSorted()).toEqual(first.toSorted())
    await shop.look(1)
    await shop.deliver()
    expect(sentTo(shop)).toHaveLength(12)
  })

  it('is queued again when it could not leave in ten minutes, or its sale is paused', async () => {
    const shop = await runningShop()
    await asking(shop, 1)
    await shop.look(1)
    shop.time.now += 10 * minute
    await shop.deliver()
    await shop.save({ flag: 'paused' })
    await shop.look(1)
    expect(shop.stream).toEqual([])
    await shop.save({ flag: 'on' })
    await shop.look(1)
    await shop.save({ flag: 'paused' })
    await shop.deliver()
    expect(sentTo(shop)).toEqual([])
    await shop.save({ flag: 'on' })
    await shop.look(1)
    await shop.deliver()
    expect(sentTo(shop)).toEqual(['1@example.com'])
  })
})

it('a service that stops answering loses one reminder of a batch, and the others leave once it answers', async () => {
  const shop = await shopAskedBy([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  const { rig, time, ports } = shop
  time.now = shop.sale().startsAt - remindAheadMs
  const silentUntil = time.now + 1
  await shop.remind()
  ports.mailer.send = async (mail) => {
    if (time.now < silentUntil) throw new Error('no answer')
    rig.sent.push(mail)
    return { kind: 'sent' }
  }
  await shop.deliver()
  expect(sentTo(shop)).toHaveLength(9)
  expect(rig.telemetry.counted('MailsUnknown')).toBe(1)
})

describe('the reminders of a large sale', () => {
  /** More than the job hands over in a minute. */
  const shoppers = inSample(620, 10_000)

  it(`leave once each while mailer, table and processes fail; the ones in hand at a crash are not repeated: ${shoppers}`, async () => {
    const shop = await reminderShop()
    const { rig, time, ports, faults } = shop
    const expiresAt = shop.sale().endsAt
    for (let shopper = 0; shopper < shoppers; shopper += 1) {
      await shop.contact(shopper)
      const asked = { saleId, about: 'start', askedAt: time.now } as const
      const reminder = { ...asked, language: 'en', consent: 'yes', expiresAt } as const
      await addReminder(shop.world.table, shopperIdOf(shopper), shop.sale(), reminder)
    }
    let asked = 0
    const unanswered: string[] = []
    ports.mailer.send = async (mail) => {
      asked += 1
      if (asked % 7 === 0) throw new MailerBusy('Throttling')
      if (asked % 31 === 0) throw new MailerFault('InternalFailure')
      const isLost = asked % 103 === 0
      if (!isLost) rig.sent.push(mail)
      if (!isLost && asked % 101 !== 0) return { kind: 'sent' }
      unanswered.push(mail.to)
      throw new Error('no answer')
    }
    const zero = () => Object.fromEntries(killPoints.map((point) => [point, 0])) as Record<KillPoint, number>
    const [reached, kills] = [zero(), zero()]
    faults.kills = (point) => {
      reached[point] += 1
      const isKilled = reached[point] % inSample(151, 463) === 0
      if (isKilled) kills[point] += 1
      return isKilled
    }
    const handedIn: number[] = []
    for (time.now = shop.sale().startsAt - 90 * minute; time.now < shop.sale().startsAt; time.now += minute) {
      const heal = time.now % (3 * minute) === 0 ? shop.world.failAt(`"sk":"${saleId}"`) : () => {}
      await shop.remind().catch(() => {})
      heal()
      handedIn.push(shop.stream.length)
      const before = time.now
      await shop.deliver()
      time.now = before
    }
    const sent = sentTo(shop)
    expect(Math.min(...Object.values(kills))).toBeGreaterThan(0)
    // None twice.
    expect(new Set(sent).size).toBe(sent.length)
    const held = faults.heldAtKill.map((shopper) => `${shopper.replace('shopper-', '')}@example.com`)
    const inDoubt = new Set([...held, ...unanswered])
    expect(rig.telemetry.counted('MailsUnknown')).toBe(inDoubt.size)
    expect(inDoubt.size).toBe(held.length + unanswered.length)
    // Each that did not leave was in hand at a crash, or its service did not answer.
    const all = Array.from({ length: shoppers }, (_, shopper) => `${shopper}@example.com`)
    const left = new Set(sent)
    const missing = all.filter((to) => !left.has(to))
    expect(missing.filter((to) => !inDoubt.has(to))).toEqual([])
    expect(missing.length).toBeGreaterThan(0)
    expect(missing.length).toBeLessThan(inDoubt.size)
    expect(Math.max(...handedIn)).toBeLessThanOrEqual(remindersPerMinute)
    expect(await countReminders(shop.world.table, shop.sale(), 'start')).toMatchObject({
      asked: shoppers,
      sent: shoppers,
    })
  })
})
