/** Events through the whole system: from the table's stream to a shop's own server, which verifies them, and to a bus. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { spawnChild } from '../../../../local/child.ts'
import { freePort } from '../../../../local/ports.ts'
import type { Stack } from '../../../../local/stack.ts'
import { checkEvent } from '../../../../proof/described-api.ts'
import { complaintsOf, launchBrowser } from '../../../../test/browser/browser.ts'
import { consoleOf, mia } from '../../../../test/browser/console.ts'
import { startDescribedStack } from '../../../../test/described-stack.ts'
import { packetSales } from '../../../../test/journey/packet-sales.ts'
import {
  buyWhenAdmitted,
  control,
  eventually,
  openSale,
  payOnPage,
  writtenOrder,
} from '../../../../test/journey/support.ts'
import type { EventDelivery, SavedEndpoint } from '../../core/endpoint.ts'
import type { ReceivedTry } from '../../local/workbench.ts'

type Event = { type: string; timestamp: string; data: Record<string, unknown> }
type Received = { id: string; event: Event }

let stack: Stack
let url: string
let secret: string
/** The events that the shop has accepted, in the order of arrival, without refused posts. */
const received: Received[] = []
let refusals = 0
const shop = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (refusals > 0) {
    refusals -= 1
    response.writeHead(500).end()
    return
  }
  received.push(verified(request.headers, Buffer.concat(chunks).toString()))
  response.writeHead(204).end()
})

/** @throws when the signature is not the shop's, or the event not as the API describes it */
function verified(headers: IncomingHttpHeaders, body: string): Received {
  checkEvent(body)
  const signed = {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  }
  return { id: signed['webhook-id'], event: new Webhook(secret).verify(body, signed) as Event }
}

beforeAll(async () => {
  await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
  url = `http://localhost:${(shop.address() as AddressInfo).port}/events`
  stack = await startDescribedStack({
    ...{ demo: false, scheduled: false },
    ...{ optionFunctions: true, registersParts: true },
  })
  const saved = await control<SavedEndpoint>(stack, '/event-endpoints/erp', { url }, 'PUT')
  expect(saved.endpoint).toMatchObject({ name: 'erp', state: 'enabled', types: null })
  secret = saved.secret ?? ''
  const bus = { url: 'eventbridge:sluice-local' }
  expect(await control<SavedEndpoint>(stack, '/event-endpoints/bus', bus, 'PUT')).toMatchObject({ secret: null })
})
afterAll(async () => {
  await stack.stop()
  shop.close()
})

const typesOf = (orderId: string) =>
  received.filter(({ event }) => event.data.orderId === orderId).map(({ event }) => event.type)

const typesWhen = (orderId: string, count: number) =>
  eventually(async () => (typesOf(orderId).length >= count ? typesOf(orderId) : undefined))

/** The tries of the stand-ins of this machine, as `<type> <status>`. */
const triesOf = (orderId: string, asked: ReceivedTry['via']) =>
  stack.ofOptions.receiver
    .tries()
    .filter(({ via, about }) => via === asked && about === orderId)
    .map(({ type, status }) => `${type} ${status}`)

describe('a shop with an endpoint', () => {
  it('receives the life of an order, signed and in its order, also when it fails at first', async () => {
    const token = await stack.token('ann')
    const { saleId, startToken } = await openSale(stack, { title: 'Mug' })
    refusals = 1
    await stack.ofOptions.receiver.behave('fail')
    const { orderId } = (await buyWhenAdmitted(stack, saleId, { token, startToken })).body
    const lists = () => (['bus', 'address'] as const).map((via) => triesOf(orderId, via))
    await eventually(async () => lists().every(({ length }) => length > 0) || undefined)
    await stack.ofOptions.receiver.behave('accept')
    await writtenOrder(stack, orderId, token)
    await payOnPage(stack, orderId, token)
    expect(await typesWhen(orderId, 2)).toEqual(['order.reserved', 'order.paid'])
    await control(stack, `/orders/${orderId}/refund`, {})
    expect(await typesWhen(orderId, 4)).toEqual(['order.reserved', 'order.paid', 'order.cancelled', 'order.refunded'])
    const [first] = received.filter(({ event }) => event.data.orderId === orderId)
    expect(first).toMatchObject({
      id: `${orderId}_2`,
      event: { data: { orderId, saleId, quantity: 1, currency: 'CNY', status: 'awaiting-payment', revision: 2 } },
    })
    expect(JSON.stringify(received)).not.toContain('@')
    const later = ['order.reserved', 'order.paid', 'order.cancelled', 'order.refunded']
    const [onBus, atAddress] = await eventually(async () =>
      lists().every(({ length }) => length === 5) ? lists() : undefined,
    )
    expect(onBus).toEqual(['order.reserved 500', ...later.map((type) => `${type} 200`)])
    expect(atAddress).toEqual(['order.reserved 500', ...later.map((type) => `${type} 204`)])
    const tries = stack.ofOptions.receiver.tries().filter(({ about }) => about === orderId)
    expect(tries.every(({ via, isVerified }) => isVerified === (via === 'bus' ? null : true))).toBe(true)
    const ids = (asked: ReceivedTry['via']) =>
      tries.filter(({ via }) => via === asked).map(({ id }) => id.replace(orderId, ''))
    expect(ids('bus')).toEqual(ids('address'))

    const ofBus = await control<{ deliveries: EventDelivery[] }>(stack, '/event-endpoints/bus/deliveries')
    expect(ofBus.deliveries.find(({ eventId }) => eventId === `${orderId}_2`)).toMatchObject({
      ...{ state: 'delivered', tries: 2, status: 200 },
    })

    const { deliveries } = await control<{ deliveries: EventDelivery[] }>(stack, '/event-endpoints/erp/deliveries')
    const retried = deliveries.find(({ eventId }) => eventId === `${orderId}_2`)
    expect(retried).toMatchObject({ type: 'order.reserved', state: 'delivered', tries: 2, status: 204 })

    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await consoleOf(browser, stack, '#/events', mia)
    const wrong = complaintsOf(page)
    await page.click('#log-erp')
    await page.getByRole('button', { name: `Send again: ${orderId}_2` }).click()
    await page.locator('#status', { hasText: 'The event is sent again.' }).waitFor()
    expect((await typesWhen(orderId, 5)).at(-1)).toBe('order.reserved')
    expect(wrong).toEqual([])
  })

  it('receives the credit of a red packet, so that it can keep the balance itself (N5)', async () => {
    const { openPacketSale, claimWithRetries } = packetSales(() => stack)
    const { body } = await claimWithRetries(await openPacketSale(1, 500), 'dot')
    const credits = () => received.filter(({ event }) => event.type === 'packet.credited')
    await eventually(async () => credits().length > 0 || undefined)
    const { packetId, amount, currency } = body
    expect(credits()).toMatchObject([
      { id: packetId, event: { data: { packetId, shopperId: 'dot', amount, currency } } },
    ])
  })

  it('receives that a sale opened and sold out, and how many units it took from the stock', async () => {
    const token = await stack.token('bob')
    const { saleId, startToken } = await openSale(stack, { stock: 1 })
    const { orderId } = (await buyWhenAdmitted(stack, saleId, { token, startToken })).body
    await writtenOrder(stack, orderId, token)
    const ofSale = () => received.filter(({ id }) => id.startsWith(`sale_${saleId}_`)).map(({ event }) => event)
    // Two jobs that run at the same time check the clock and the stock. On a busy machine the time
    // of one run is not enough for both.
    const events = await eventually(async () => {
      if (ofSale().length >= 3) return ofSale()
      await stack.runSchedule('reconcile', { tickMs: 1500 })
      return undefined
    })
    expect(events.filter(({ type }) => type.startsWith('sale.'))).toMatchObject([
      { type: 'sale.opened', data: { saleId, windowIndex: 0 } },
      { type: 'sale.sold-out', data: { saleId } },
    ])
    expect(events.filter(({ type }) => type.startsWith('stock.'))).toMatchObject([
      { type: 'stock.taken', data: { saleId, quantity: 1 } },
    ])
    await control(stack, `/sales/${saleId}/close`, {})
    await eventually(async () => {
      if (ofSale().some(({ type }) => type === 'sale.ended')) return true
      await stack.runSchedule('reconcile', { tickMs: 1500 })
      return undefined
    })
  })

  it('receives a test event, and gets a new secret while the former one still signs', async () => {
    const tested = await control(stack, '/event-endpoints/erp/test', {})
    expect(tested).toEqual({ delivered: true, status: 204, failure: null })
    expect(received.at(-1)?.event).toMatchObject({ type: 'endpoint.test', data: {} })
    expect(await control(stack, '/event-endpoints/bus/test', {})).toMatchObject({ delivered: true, status: 200 })
    const rotated = await control<SavedEndpoint>(stack, '/event-endpoints/erp/secret', {})
    expect(rotated.endpoint.formerSecretUntil).toBeGreaterThan(Date.now())
    await control(stack, '/event-endpoints/erp/test', {})
    secret = rotated.secret ?? ''
    expect(await control(stack, '/event-endpoints/erp/test', {})).toMatchObject({ delivered: true })
  })
})

it('the receiver of README.md accepts events signed with the secret of its endpoint, and no others', async () => {
  const page = await readFile('options/events/README.md', 'utf8')
  const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(page) ?? []
  const port = await freePort()
  const folder = join('node_modules/.cache', `events-${process.pid}`)
  await mkdir(folder, { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'receiver.mjs')
  await writeFile(file, program.replace('listen(3000)', `listen(${port})`))
  const ofDoc = `http://localhost:${port}/events`
  const saved = await control<SavedEndpoint>(stack, '/event-endpoints/doc', { url: ofDoc }, 'PUT')
  onTestFinished(() => control(stack, '/event-endpoints/doc', undefined, 'DELETE'))
  const printed: string[] = []
  const receiver = spawnChild({
    ...{ command: process.execPath, args: [file], log: (line) => printed.push(line), onExit: () => {} },
    env: { ...process.env, EVENTS_SECRET: saved.secret ?? '' },
  })
  onTestFinished(() => receiver.stop())
  const test = () => control<{ status: number | null }>(stack, '/event-endpoints/doc/test', {})
  // Without an answer it does not listen yet.
  const answered = () => eventually(async () => (await test()).status ?? undefined)
  expect(await answered()).toBe(204)
  await eventually(async () => printed.some((line) => line.includes('endpoint.test')) || undefined)
  expect((await fetch(ofDoc, { method: 'POST', body: '{}' })).status).toBe(401)
})
