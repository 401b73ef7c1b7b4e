/**
 * Orders of two sales, from the stock that is taken to the stock that is returned. Events come twice, at the wrong time
 * and until they are confirmed; the shop loses answers; the bridge is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkEvent } from '../../../proof/described-api.ts'
import type { Made } from './emulation.ts'
import { environment, healthOf, orderEvent, post, type Sent, signed, stockEvent } from './events.ts'

/** Units of the products 1, 2 and 3: a mug, and a shirt in red and in blue. */
type Units = [mug: number, red: number, blue: number]
type Played = { made: Made; events: Sent[]; units: Units; isSold: boolean; isGone: boolean }

const hourMs = 3_600_000
const opensAt = Date.parse('2026-11-24T08:00:00Z')
const archivedAt = opensAt + 8 * 24 * hourMs

const products: readonly Units[] = [
  [2, 0, 0],
  [0, 1, 0],
  [0, 0, 3],
]

/** Returns order number `index`: its units, and its outcome. */
function playedOrder(index: number): Played {
  const [mug, red, blue] = products[Math.floor(index / 6) % products.length] ?? [0, 0, 0]
  const saleId = mug ? 'mug' : 'shirt'
  const id = `${saleId}-${index.toString(2).replaceAll('0', 'a').replaceAll('1', 'b').padStart(26, 'a')}`
  const quantity = mug + red + blue
  const isFree = index % 10 === 9
  // Not all of these amounts can be divided by the units.
  const amount = isFree ? 0 : quantity * 1999 - (index % 4)
  const data = { saleId, quantity, ...(!mug && { variant: red ? 'red' : 'blue' }), amount, currency: 'EUR' }
  const at = opensAt + index * 100
  const event = (type: string, revision: number, after: number, more: object) =>
    orderEvent(`order.${type}`, id, revision, at + after, { ...data, ...more })
  const events = isFree
    ? [event('confirmed', 1, 0, { status: 'fulfilled' })]
    : [event('reserved', 1, 0, { status: 'awaiting-payment' }), event('paid', 2, 50, { status: 'paid' })]
  const end = ([undefined, 'in time', 'late', 'shipped', 'late', 'reversed'] as const)[index % 6]
  const endsAfter = end === 'late' ? archivedAt + hourMs - at : 1000
  if (end === 'shipped') events.push(event('refunded', 3, endsAfter, { status: 'refunded', unitsReturned: 0 }))
  else if (end !== undefined) {
    events.push(event('cancelled', 3, endsAfter, { status: 'refund-due', unitsReturned: quantity }))
    events.push(event('refunded', 4, endsAfter + 1, { status: 'refunded', unitsReturned: 0 }))
  }
  return {
    made: { id, isEnded: end !== undefined, amount, units: { [mug ? 1 : red ? 2 : 3]: quantity } },
    // A payment that was given up and sent again by hand, after the end of its order: the shop never has the order.
    events: end === 'reversed' ? events.toReversed() : events,
    ...{ units: [mug, red, blue], isSold: end !== 'in time' && end !== 'reversed' },
    isGone: end === undefined || end === 'shipped',
  }
}

const sum = (orders: readonly Played[]): Units =>
  orders.reduce<Units>((all, { units }) => [all[0] + units[0], all[1] + units[1], all[2] + units[2]], [0, 0, 0])

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Plays `count` orders against the shop of `config`, and kills the bridge twice. Resolves with what must be there then. */
export async function play(
  config: { listen: { port: number } },
  { count, clock, made }: { count: number; clock: readonly number[]; made: () => readonly Made[] },
): Promise<{ made: Made[]; gone: Units }> {
  const { port } = config.listen
  const lines: string[] = []
  let bridge = start()
  function start(): ChildProcess {
    const file = fileURLToPath(new URL('bridge-process.ts', import.meta.url))
    const started = spawn(process.execPath, [file, JSON.stringify(config), ...clock.map(String)], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (data: Buffer) => lines.push(`${data}`))
    return started
  }
  async function kill(): Promise<void> {
    const ended = once(bridge, 'exit')
    bridge.kill('SIGKILL')
    await ended
  }

  const orders = Array.from({ length: count }, (_, index) => playedOrder(index))
  const taken: Units = [900, 700, 500]
  const sold = sum(orders.filter(({ isSold }) => isSold))
  const left: Units = [taken[0] - sold[0], taken[1] - sold[1], taken[2] - sold[2]]
  const stock = (type: string, revision: number, at: number, [mug, red, blue]: Units) =>
    [
      stockEvent(type, 'mug', revision, at, { quantity: mug }),
      stockEvent(type, 'shirt', revision, at, { quantity: red + blue, units: { red, blue } }),
    ] as const
  const [mugTaken, shirtTaken] = stock('stock.taken', 1, opensAt - hourMs, taken)
  const [mugReturned, shirtReturned] = stock('stock.returned', 9, archivedAt, left)
  // One sale gets its stock before the late ends of its orders, the other after them.
  const lanes = [[mugTaken, mugReturned], [shirtTaken], ...orders.map(({ events }) => events), [shirtReturned]]
  for (const event of lanes.flat()) checkEvent(signed(event).body)

  /** Until the event is confirmed, as Sluice does. */
  async function deliver(event: Sent): Promise<void> {
    while ((await post(port, signed(event))) !== 204) await pause(20)
  }
  async function deliverLanes(queue: Sent[][]): Promise<void> {
    for (let lane = queue.shift(); lane; lane = queue.shift()) {
      for (const event of lane) await deliver(event)
      // Some come once more, although they were confirmed.
      if (queue.length % 3 === 0) for (const event of lane) await deliver(event)
    }
  }

  try {
    const queue = [...lanes]
    let isDelivered = false
    const delivery = Promise.all(Array.from({ length: 8 }, () => deliverLanes(queue))).then(() => {
      isDelivered = true
    })
    for (const kills = [count / 4, count / 2]; ; ) {
      await pause(25)
      if (made().length >= (kills[0] ?? Number.POSITIVE_INFINITY)) {
        await kill()
        kills.shift()
        bridge = start()
      }
      const wasDelivered = isDelivered
      const health = await healthOf(port)
      if (health?.deadLetters?.length) throw new Error(`dead letters: ${JSON.stringify(health.deadLetters)}`)
      if (wasDelivered && health?.waiting === 0 && kills.length === 0) break
      if (bridge.exitCode !== null) throw new Error(`the bridge has ended: ${lines.slice(-5).join('\n')}`)
    }
    await delivery
    const isMade = ({ events }: Played) => !events[0]?.type.startsWith('order.refunded')
    return {
      made: orders.filter(isMade).map((one) => one.made),
      gone: sum(orders.filter(({ isGone }) => isGone)),
    }
  } finally {
    await kill()
  }
}
