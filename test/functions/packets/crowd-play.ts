/**
 * A crowd in the rain, run on a real Redis and the real table: many shoppers tap at once and some
 * twice; then their orders are written through a queue that delivers some messages twice, by writers that end in the
 * middle. All randomness comes from one seed, which a failure prints and `FC_SEED` repeats.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawFrom } from '../../../core/lib/random-integers.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { OrderMessage } from '../../../core/orders/order-message.ts'
import { splitPackets, wholeOf } from '../../../core/packets/packets.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { QueueMessage } from '../../../functions/lib/queue-consumer.ts'
import type { Table } from '../../../functions/lib/shop/table.ts'
import { rememberOffers } from '../../../functions/orders/offers.memory.ts'
import { type WriterPorts, writeOrders } from '../../../functions/orders/write-orders.ts'
import { dynamoOrderBook } from '../../../functions/table/orders/order-book.ts'
import { fullBatch } from '../../../functions/table/orders/order-entry.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { addSale, saveSale } from '../../../functions/table/sale/sales.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import type { Commander } from '../../../redis/command.ts'
import { startDynamoTable, type TestTable } from '../../contract/cloud.ts'
import { memoryAcknowledgements } from '../../contract/fakes/acknowledgements.ts'
import { memoryDeadLetters } from '../../contract/fakes/dead-letters.ts'
import { memoryDeadlines } from '../../contract/fakes/deadlines.ts'
import { seededWords } from '../../core/words.ts'
import { connectDirectly } from '../../redis/direct.ts'
import { aClaim, aWarmRain } from '../../redis/packets/rain.ts'
import { type RedisRig, startRedisRig } from '../../redis/support.ts'
import { testTelemetry } from '../../world/telemetry.ts'
import { creditsAt } from '../../world/wire.ts'

export type Crowd = {
  shoppers: number
  packets: number
  totalAmount: number
  /** How many shoppers tap a second time. */
  impatient: number
  /** How many single messages, and how many whole batches whose answer never reached SQS, are delivered again. */
  redelivered: { singly: number; batches: number }
}

const tapsInFlight = 2_000
const consumers = 2
/** Share of transactions that end their consumer before they begin; as many end it after they were committed. */
const crashRate = 0.03

/** A test that hangs ends; nothing is measured by it. */
const patienceMs = 600_000

const seed = Number(process.env.FC_SEED ?? 20_261_120)
const draw = drawFrom(seededWords(seed))

function shuffled<T>(items: readonly T[]): T[] {
  const list = [...items]
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = draw(at + 1)
    const [one, two] = [list[at], list[other]]
    if (one !== undefined && two !== undefined) [list[at], list[other]] = [two, one]
  }
  return list
}

/** All shoppers tap once, some twice, in random order. Resolves with the claims and the number of other answers. */
async function tapAll(redis: Commander, sale: Sale, { shoppers, impatient }: Crowd) {
  const once = Array.from({ length: shoppers }, (_, shopper) => shopper)
  const twice = Array.from({ length: impatient }, () => draw(shoppers))
  const claims: OrderMessage[] = []
  const others = { repeat: 0, 'sold-out': 0 }
  for (const some of slicesOf(shuffled([...once, ...twice]), tapsInFlight)) {
    const tapped = await Promise.all(some.map((shopper) => reserve(redis, aClaim(sale, shopper))))
    for (const one of tapped) {
      if (one.kind === 'reserved') claims.push(one.message)
      else if (one.kind === 'repeat' || one.kind === 'sold-out') others[one.kind] += 1
    }
  }
  return { claims, others }
}

/** Writes a started sale and its cap to the table. */
async function enter(table: Table, sale: Sale): Promise<void> {
  const audit = { who: 'mia', what: 'create' as const, saleId: sale.saleId, when: 0, requestId: 'r' }
  await addSale(table, sale, { ...audit, before: null, after: null })
  const cap = { stock: sale.stock, budget: wholeOf(sale).totalAmount }
  await saveSale(table, 1, { sale, finishedStockChanges: [] }, { cap })
}

/** Writers take batches from the queue until it is empty; what one did not finish is delivered again. */
type CrowdPorts = Omit<WriterPorts, 'book'> & { plainTable: Table }

async function writeAll(ports: CrowdPorts, claims: readonly OrderMessage[], { redelivered }: Crowd) {
  const again = shuffled(claims).slice(0, redelivered.singly)
  const deliveries = [...claims, ...again].map((message, at): QueueMessage => {
    return { messageId: `m${at}`, body: JSON.stringify(message) }
  })
  const batches = slicesOf(shuffled(deliveries), fullBatch)
  const repeated = shuffled(batches).slice(0, redelivered.batches)
  const queue = shuffled([...batches, ...repeated])
  const messages = queue.flat().length
  let crashes = 0
  const consume = async () => {
    for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
      const failed = await oneInvocation(ports, batch)
      if (failed === 'crashed') crashes += 1
      const ids = failed === 'crashed' ? undefined : new Set(failed)
      const left = batch.filter(({ messageId }) => ids === undefined || ids.has(messageId))
      if (left.length > 0) queue.push(left)
    }
  }
  await Promise.all(Array.from({ length: consumers }, consume))
  return { messages, crashes }
}

/** One invocation of the writer, whose process may end at any of its transactions, without an answer. */
function oneInvocation(
  { plainTable, ...ports }: CrowdPorts,
  batch: readonly QueueMessage[],
): Promise<readonly string[] | 'crashed'> {
  const end = Promise.withResolvers<'crashed'>()
  const die = () => {
    end.resolve('crashed')
    return new Promise<never>(() => {})
  }
  const isHit = () => draw(10_000) < crashRate * 10_000
  const table = onWireAt(plainTable, creditsAt, async (send) => {
    if (isHit()) return die()
    const answer = await send()
    return isHit() ? die() : answer
  })
  const deadline = Date.now() + 7_000
  return Promise.race([writeOrders({ ...ports, book: dynamoOrderBook(table) }, batch, deadline), end.promise])
}

/** Who has which packet, according to all wallets, and to the items that say whose a packet is. */
async function readWallets({ client, name }: Table) {
  const [winners, owners]: [string[], string[]] = [[], []]
  let start: Record<string, unknown> | undefined
  do {
    const scan = new ScanCommand({ TableName: name, ConsistentRead: true, ExclusiveStartKey: start })
    const { Items = [], LastEvaluatedKey } = await client.send(scan)
    for (const { pk, sk, listPk, packet, orderId } of Items) {
      if (String(pk).startsWith('ORDERS#'))
        winners.push(`${String(listPk).slice('WALLET#'.length)} ${packet.number} ${packet.amount}`)
      if (String(pk).startsWith('PACKETS#')) owners.push(`${sk} ${orderId}`)
    }
    start = LastEvaluatedKey
  } while (start !== undefined)
  return { winners, owners }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

export function describeCrowd(crowd: Crowd): void {
  describe(`a crowd of ${crowd.shoppers} in a rain of ${crowd.packets} packets, seed ${seed}`, () => {
    const { shoppers, packets, totalAmount, impatient, redelivered } = crowd
    let redis: RedisRig
    let table: TestTable
    let sale: Sale
    let claims: OrderMessage[]
    let others: { repeat: number; 'sold-out': number }

    beforeAll(async () => {
      ;[redis, table] = await Promise.all([startRedisRig(), startDynamoTable()])
      const direct = connectDirectly({ port: redis.redisPort })
      const amounts = splitPackets({ count: packets, totalAmount }, draw)
      sale = await aWarmRain(direct, [...amounts])
      await enter(table.table, sale)
      const tapped = await tapAll(direct, sale, crowd)
      claims = tapped.claims
      others = tapped.others
      direct.stop()
    })
    afterAll(() => Promise.all([redis.stop(), table.stop()]))

    it('gives each shopper at most one packet and each packet one owner, and hands out all of the money (P3, I1)', () => {
      expect(claims).toHaveLength(packets)
      expect(new Set(claims.map(({ shopperId }) => shopperId)).size).toBe(packets)
      expect(new Set(claims.map(({ packet }) => packet?.number)).size).toBe(packets)
      expect(sum(claims.map(({ packet }) => packet?.amount ?? 0))).toBe(totalAmount)
      expect(others.repeat).toBeGreaterThan(0)
      expect(others.repeat + others['sold-out']).toBe(shoppers + impatient - packets)
    })

    it(
      'credits each packet to one wallet despite redeliveries and crashes (P2, P8, O6, I5)',
      async () => {
        const telemetry = testTelemetry()
        const deadLetters = memoryDeadLetters()
        const { messages, crashes } = await writeAll(
          {
            ...{ plainTable: table.table, deadLetters },
            ...{ deadlines: memoryDeadlines(), drawCoupons: () => [] },
            ...memoryAcknowledgements(),
            offers: rememberOffers(table.table),
            shopfront: { refresh: async () => {} },
            clock: Date.now,
            sleep: (milliseconds) => sleep(milliseconds),
            ...telemetry,
          },
          claims,
          crowd,
        )
        expect(messages - packets).toBeGreaterThan(redelivered.singly + redelivered.batches)
        expect(crashes).toBeGreaterThan(0)
        expect(deadLetters.letters).toEqual([])

        const { winners, owners } = await readWallets(table.table)
        const { budget, claimed } = (await saleTotals(table.table, sale.saleId))?.money ?? {}
        expect([budget, claimed, winners.length]).toEqual([totalAmount, totalAmount, packets])
        const has = claims.map(({ shopperId, packet }) => `${shopperId} ${packet?.number} ${packet?.amount}`)
        expect(winners.toSorted()).toEqual(has.toSorted())
        expect(owners.toSorted()).toEqual(
          claims.map(({ orderId, packet }) => `${packet?.number} ${orderId}`).toSorted(),
        )
      },
      patienceMs,
    )
  })
}
