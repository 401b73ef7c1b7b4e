/**
 * A thousand orders of two sales, from the stock that is taken to the stock that is returned. Events come twice, at the wrong time
 * and until they are confirmed; the shop loses answers; the bridge is killed again and again.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../../../proof/bench/statistics.ts'
import { checkEvent } from '../../../proof/described-api.ts'
import { newFolder } from '../../folders.ts'
import { fastClock, someFaults } from './emulation.ts'
import { configs, environment, healthOf, orderEvent, post, type Sent, signed, stockEvent, stocks } from './events.ts'
import { startShopify } from './shopify-emulation.ts'
import { startWooCommerce } from './woocommerce-emulation.ts'

export type Kind = 'shopify' | 'woocommerce'
type Units = { mug: number; red: number; blue: number }
type Played = { orderId: string; events: Sent[]; units: Units; end?: 'in time' | 'late' | 'shipped' }

const hourMs = 3_600_000
const opensAt = Date.parse('2026-11-24T08:00:00Z')
const archivedAt = opensAt + 8 * 24 * hourMs

/** What is bought, and what becomes of it. */
function playedOrders(count: number, random: () => number): Played[] {
  return Array.from({ length: count }, (_, index) => {
    const units: Units = { mug: 0, red: 0, blue: 0 }
    const isMug = random() < 0.6
    if (isMug) units.mug = 1 + Math.floor(random() * 2)
    else Object.assign(units, random() < 0.5 ? { red: 1 } : { blue: 3 })
    const saleId = isMug ? 'mug' : 'shirt'
    const orderId = `${saleId}-${index.toString(2).replaceAll('0', 'a').replaceAll('1', 'b').padStart(26, 'a')}`
    const quantity = units.mug + units.red + units.blue
    // Not all of these amounts can be divided by the units.
    const isFree = random() < 0.1
    const amount = isFree ? 0 : quantity * 1999 - Math.floor(random() * 3)
    const data = {
      saleId,
      quantity,
      ...(!isMug && { variant: units.red > 0 ? 'red' : 'blue' }),
      amount,
      currency: 'EUR',
    }
    const at = opensAt + index * 100
    const events = isFree
      ? [orderEvent('order.confirmed', orderId, 1, at, { ...data, status: 'fulfilled' })]
      : [
          orderEvent('order.reserved', orderId, 1, at, { ...data, status: 'awaiting-payment' }),
          orderEvent('order.paid', orderId, 2, at + 50, { ...data, status: 'paid' }),
        ]
    const fate = random()
    const end = fate < 0.12 ? 'in time' : fate < 0.18 ? 'late' : fate < 0.2 ? 'shipped' : undefined
    if (end === 'shipped') {
      const refunded = { ...data, status: 'refunded', unitsReturned: 0 }
      events.push(orderEvent('order.refunded', orderId, 3, at + 1000, refunded))
    } else if (end) {
      const endAt = end === 'late' ? archivedAt + hourMs + index : at + 1000
      const ended = { ...data, unitsReturned: quantity }
      events.push(orderEvent('order.cancelled', orderId, 3, endAt, { ...ended, status: 'refund-due' }))
      events.push(
        orderEvent('order.refunded', orderId, 4, endAt + 1, { ...ended, unitsReturned: 0, status: 'refunded' }),
      )
    }
    return { orderId, events, units, ...(end && { end }) }
  })
}

const sum = (orders: readonly Played[]): Units => ({
  mug: orders.reduce((total, { units }) => total + units.mug, 0),
  red: orders.reduce((total, { units }) => total + units.red, 0),
  blue: orders.reduce((total, { units }) => total + units.blue, 0),
})

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Plays and resolves with what the shop has afterwards, and what it must have. */
export async function play(
  kind: Kind,
  { count, kills, seed, speed }: Record<'count' | 'kills' | 'seed' | 'speed', number>,
) {
  const random = seededRandom(seed)
  const startedAt = Date.now()
  const clock = fastClock(speed, startedAt)
  const faultOf = someFaults(random)
  const shopify = kind === 'shopify' ? await startShopify({ clock, faultOf, stock: stocks.shopify }) : undefined
  const woo = kind === 'woocommerce' ? await startWooCommerce({ clock, faultOf, stock: stocks.woocommerce }) : undefined
  const shopUrl = shopify?.url ?? woo?.url ?? ''
  const port = await freePort()
  const config = configs[kind](shopUrl, join(newFolder('bridge'), 'journal'), port)

  const lines: string[] = []
  let bridge = start()
  function start(): ChildProcess {
    const file = fileURLToPath(new URL('bridge-process.ts', import.meta.url))
    const started = spawn(process.execPath, [file, JSON.stringify(config), String(speed), String(startedAt)], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on('data', (data: Buffer) => lines.push(...data.toString().split('\n')))
    }
    return started
  }
  async function kill(): Promise<void> {
    const ended = once(bridge, 'exit')
    bridge.kill('SIGKILL')
    await ended
  }
  const made = () => shopify?.orders.size ?? woo?.listed().length ?? 0

  const orders = playedOrders(count, random)
  const sold = orders.filter(({ end }) => end !== 'in time')
  const taken = { mug: 900, red: 700, blue: 500 }
  const left = { mug: taken.mug - sum(sold).mug, red: taken.red - sum(sold).red, blue: taken.blue - sum(sold).blue }
  const stock = (type: string, revision: number, at: number, { mug, red, blue }: Units) => [
    stockEvent(type, 'mug', revision, at, { quantity: mug }),
    stockEvent(type, 'shirt', revision, at, { quantity: red + blue, units: { red, blue } }),
  ]
  const lanes: Sent[][] = [
    ...stock('stock.taken', 1, opensAt - hourMs, taken).map((event, index) => [
      event,
      ...stock('stock.returned', 9, archivedAt, left).slice(index, index + 1),
    ]),
    // A few orders whose payment was given up and sent again by hand, after their end.
    ...orders.map(({ events, end }) => (end && random() < 0.1 ? events.toReversed() : events)),
  ]

  for (const event of lanes.flat()) checkEvent(signed(event).body)

  /** Until the event is confirmed, as Sluice does; and some are sent once more although they are. */
  async function deliver(event: Sent): Promise<void> {
    for (let wanted = random() < 0.3 ? 2 : 1; wanted > 0; ) {
      const status = await post(port, signed(event))
      if (status === 204) wanted -= 1
      else await pause(20)
    }
  }
  const repeats: Sent[] = []
  async function deliverLanes(queue: Sent[][]): Promise<void> {
    for (let lane = queue.shift(); lane; lane = queue.shift()) {
      for (const event of lane) await deliver(event)
      if (random() < 0.3) repeats.push(...lane)
    }
  }

  try {
    const queue = [...lanes]
    let isDelivered = false
    const delivery = Promise.all(Array.from({ length: 8 }, () => deliverLanes(queue)))
      .then(async () => {
        // Much later, and in any order.
        for (const event of repeats.toSorted(() => random() - 0.5)) await deliver(event)
      })
      .then(() => {
        isDelivered = true
      })
    let killed = 0
    for (;;) {
      await pause(25)
      if (killed < kills && made() >= ((killed + 0.5) * count) / kills) {
        await kill()
        killed += 1
        bridge = start()
      }
      const health = isDelivered ? await healthOf(port) : undefined
      if (health?.aside?.length) throw new Error(`set aside: ${JSON.stringify(health.aside)}`)
      if (health?.waiting === 0) break
      if (bridge.exitCode !== null) throw new Error(`the bridge has ended: ${lines.slice(-5).join('\n')}`)
    }
    await delivery
    const isAlive = ({ end }: Played) => end === undefined
    return {
      ...{ killed, shopify, woo, orders, lines, took: clock.now() - startedAt },
      /** Orders whose payment came after their end are never made. */
      ended: orders.filter(({ end }) => end !== undefined).map(({ orderId }) => orderId),
      alive: orders.filter(isAlive).map(({ orderId }) => orderId),
      /** Units that were sent or will be. */
      gone: sum(orders.filter(({ end }) => end === undefined || end === 'shipped')),
    }
  } finally {
    await kill()
    shopify?.close()
    woo?.close()
  }
}
