import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { NotReadable } from '../../../../functions/lib/http/public-http.ts'
import { onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import { anOrder, at, creditItem, orderId, recordOf, stepped } from '../../../../test/functions/people/mail-rig.ts'
import { newEventSecret } from '../../functions/post-event.ts'
import { endpoints, listFinished, listPending } from '../../functions/table.ts'
import { eventRig, runUntil, startedAt } from './event-rig.ts'
import { playFaultyReceiver } from './faulty-receiver.ts'

const waiting = anOrder()
const paid = stepped(waiting, 'payment-succeeded', 'paid')
const day = 86_400_000

describe('an event', () => {
  it('is posted once, signed so that the package of Standard Webhooks verifies it', async () => {
    const rig = eventRig()
    // The package compares the time of the signature with the clock of the machine.
    rig.time.now = Date.now()
    const secret = await rig.endpoint('erp')
    await rig.write(waiting)
    await rig.send()
    expect(rig.seen()).toEqual([`${orderId}_2 order.reserved`])
    const [post] = rig.posts
    const verified = new Webhook(secret).verify(post?.body ?? '', { ...post?.headers })
    expect(verified).toMatchObject({ type: 'order.reserved', data: { orderId, quantity: 2, amount: 4800 } })
    expect(() => new Webhook(newEventSecret()).verify(post?.body ?? '', { ...post?.headers })).toThrow()
    await rig.write(waiting)
    await rig.send()
    expect(rig.posts).toHaveLength(1)
  })

  it('is given up after three days, stays to be seen, and lets the next one through', async () => {
    const rig = eventRig()
    await rig.endpoint('erp')
    rig.answerWith(async ({ body }) => (JSON.parse(body).type === 'order.reserved' ? 500 : 204))
    await rig.write(waiting)
    await rig.write(paid)
    await runUntil(rig, startedAt + 4 * day, 600_000)
    const done = await listFinished(rig.table, 'id-of-erp', 10)
    expect(done.map(({ event, state, tries, status }) => [event.type, state, tries, status])).toEqual([
      ['order.paid', 'delivered', 1, 204],
      ['order.reserved', 'dead', 10, 500],
    ])
    expect(rig.telemetry.counted('EventsDead')).toBe(1)
  })

  it('that cannot be written comes again, which is a warning and no error', async () => {
    const rig = eventRig()
    await rig.endpoint('till')
    rig.ports.table = onWireAt(rig.table, /^put/, () => Promise.reject(new Error('the table is unavailable')))
    expect(await rig.write(waiting)).toHaveLength(1)
    expect(rig.telemetry.lines).toMatchObject([{ level: 'warn', message: 'events not written yet' }])
  })

  it('is written for no one while there is no endpoint', async () => {
    const rig = eventRig()
    expect(await rig.write(waiting)).toEqual([])
    expect(rig.messages).toEqual([])
    expect(await listPending(rig.table, 'id-of-erp', 10)).toEqual([])
  })

  it('goes to the endpoints that ask for its type and sale, and were there when it happened', async () => {
    const rig = eventRig()
    await rig.endpoint('all')
    await rig.endpoint('paid-only', { types: ['order.paid'] })
    await rig.endpoint('other-sale', { sales: ['lamp'] })
    await rig.endpoint('off', { disabledBy: 'marketer' })
    await rig.endpoint('late', { createdAt: Date.UTC(2027, 0, 1) })
    await rig.write(waiting)
    await rig.write(paid)
    await rig.send()
    const hosts = rig.posts.map(({ url, body }) => `${new URL(url).hostname} ${JSON.parse(body).type}`)
    expect(hosts.toSorted()).toEqual([
      'all.example order.paid',
      'all.example order.reserved',
      'paid-only.example order.paid',
    ])
  })
})

describe('the credit of a red packet', () => {
  it('is posted once for each packet, so that the shop can keep the balances itself (N5, P8)', async () => {
    const rig = eventRig()
    await rig.endpoint('balances', { types: ['packet.credited'] })
    const credited = recordOf(creditItem(888))
    await rig.collect(credited)
    await rig.collect(credited)
    await rig.send()
    expect(rig.seen()).toEqual(['stoneware-mug-p7 packet.credited'])
    expect(JSON.parse(rig.posts[0]?.body ?? '')).toEqual({
      type: 'packet.credited',
      timestamp: new Date(at).toISOString(),
      data: { packetId: 'stoneware-mug-p7', saleId: 'stoneware-mug', shopperId: 'ann', amount: 888, currency: 'CNY' },
    })
  })
})

describe('an endpoint', () => {
  it('that answers 410 is disabled, and gets what is pending once it is enabled again', async () => {
    const rig = eventRig()
    await rig.endpoint('erp')
    rig.answerWith(async () => 410)
    await rig.write(waiting)
    await rig.send()
    expect(await endpoints.all(rig.table)).toMatchObject([{ name: 'erp', disabledBy: 'gone' }])
    await rig.write(paid)
    await runUntil(rig, startedAt + 3_600_000, 60_000)
    expect(rig.posts).toHaveLength(1)
    await rig.endpoint('erp')
    rig.answerWith(async () => 204)
    await runUntil(rig, startedAt + 2 * 3_600_000, 60_000)
    // It received nothing of what happened while it was disabled.
    expect(rig.seen().slice(1)).toEqual([`${orderId}_2 order.reserved`])
  })

  it('that hangs delays no other', async () => {
    const rig = eventRig()
    await rig.endpoint('slow')
    await rig.endpoint('quick')
    let fail: (error: Error) => void = () => {}
    rig.answerWith(({ url }) =>
      url.includes('slow')
        ? new Promise((_, reject) => {
            fail = reject
          })
        : Promise.resolve(204),
    )
    await rig.write(waiting)
    const sending = rig.send()
    await expect.poll(() => rig.posts.map(({ url }) => url)).toEqual(['https://quick.example/events'])
    await rig.write(paid)
    await rig.send()
    expect(rig.seen()).toEqual([`${orderId}_2 order.reserved`, `${orderId}_3 order.paid`])
    fail(new NotReadable('it does not answer within 10 s'))
    await sending
    expect(await listPending(rig.table, 'id-of-slow', 10)).toMatchObject([
      { tries: 1, failure: 'it does not answer within 10 s', events: [{ number: 2 }, { number: 3 }] },
    ])
  })
})

it('an event bus gets the events of an order in sequence, needs no secret, and delays no other endpoint', async () => {
  const rig = eventRig()
  let isRefused = true
  rig.answerWith(async ({ url }) => {
    if (isRefused && url === 'eventbridge:sluice-test') throw new NotReadable('refused: ThrottlingException')
    return 200
  })
  await rig.endpoint('bus', { url: 'eventbridge:sluice-test', secret: 'sealed with a former key' })
  await rig.endpoint('erp')
  await rig.write(waiting)
  await rig.send()
  await rig.write(paid)
  await rig.send()
  const both = [`${orderId}_2 order.reserved`, `${orderId}_3 order.paid`]
  expect(rig.seen()).toEqual(both)
  expect(await listPending(rig.table, 'id-of-bus', 10)).toMatchObject([{ failure: 'refused: ThrottlingException' }])
  isRefused = false
  await runUntil(rig, startedAt + 60_000, 60_000)
  expect(rig.seen()).toEqual([...both, ...both])
  expect(rig.posts.at(-1)?.headers['webhook-signature']).toBe('')
})

describe('a faulty receiver', () => {
  it.each([1, 2, 3])('gets each event of 60 orders, in the order of each, and none is lost (seed %i)', async (seed) => {
    await playFaultyReceiver(seed, 60)
  })
})
