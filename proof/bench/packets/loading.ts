/** Splits a million packets and loads them as the control function does, through the REST proxy. */

import { randomBytes } from 'node:crypto'
import { parseSaleId, type SaleId } from '../../../core/ids.ts'
import { type Sale, saleDefinition } from '../../../core/sale/sale.ts'
import { loadSalePackets, splitAmounts } from '../../../functions/sales/load-packets.ts'
import { drawFromSeed } from '../../../functions/sales/seeded-random.ts'
import { seedBytes } from '../../../functions/table/packets/packet-seeds.ts'
import type { RunningRedis } from '../../../local/redis/redis-server.ts'
import type { RedisLink } from '../../../local/upstash/link.ts'
import { startUpstashProxy } from '../../../local/upstash/proxy.ts'
import { connectRedis } from '../../../redis/client.ts'
import { type Commander, command } from '../../../redis/command.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { countPackets } from '../../../redis/packets/packets.ts'
import { list } from '../../../redis/reply.ts'
import { removeStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { memoryTable, tableName } from '../../simulation/dynamodb/memory-table.ts'
import { send } from '../scripts/lane-time.ts'
import { median } from '../statistics.ts'

/** How long single calls blocked Redis: the median, and the slowest of all `calls`. */
export type Loading = { splitMs: number; loadMs: number; calls: number; medianMs: number; slowestMs: number }

/**
 * Loads the packets; `onChunk` is called with the number loaded so far.
 * @throws when a packet or a cent is missing in the end
 */
export async function timeLoading(
  server: RunningRedis,
  link: RedisLink,
  { count, onChunk }: { count: number; onChunk: (loaded: number) => void },
): Promise<Loading> {
  const token = randomBytes(12).toString('hex')
  const proxy = await startUpstashProxy({
    redisHost: server.host,
    redisPort: server.port,
    tokens: [{ token }],
    strict: true,
  })
  const redis = connectRedis({ url: proxy.url, token, timeoutMs: 10_000 })
  const sale = packetSale(count)
  const seed = randomBytes(seedBytes)
  try {
    await warmStock(redis, sale)
    await send(link, [
      ['CONFIG', 'SET', 'slowlog-log-slower-than', '0'],
      ['CONFIG', 'SET', 'slowlog-max-len', '100000'],
      ['SLOWLOG', 'RESET'],
    ])
    const splitFrom = performance.now()
    const amounts = splitAmounts({ drawOf: (wave) => drawFromSeed(seed, wave) }, sale)
    const splitMs = performance.now() - splitFrom
    const counting: Commander = {
      async exec(command) {
        const reply = await redis.exec(command)
        // The script that loads replies with its code and how far it has come.
        if (Array.isArray(reply) && reply.length === 2) onChunk(Number(reply[1]))
        return reply
      },
    }
    const loadFrom = performance.now()
    await loadSalePackets(
      {
        stock: counting,
        table: { client: memoryTable().client, name: tableName },
        randomBytes: () => seed,
        clock: () => 5_000,
      },
      sale,
    )
    const loadMs = performance.now() - loadFrom
    const durations = await evalDurations(link)
    const counts = await countPackets(redis, sale.saleId)
    const money = await moneyIn(redis, sale.saleId, count)
    const whole = amounts.reduce((sum, amount) => sum + amount, 0)
    if (counts?.waiting !== count || money !== whole || whole !== sale.packets?.totalAmount) {
      throw new Error(`${counts?.waiting} of ${count} packets with ${money} of ${whole} are loaded`)
    }
    const [medianMs, slowestMs] = [median(durations) / 1000, Math.max(...durations) / 1000]
    return { splitMs, loadMs, calls: durations.length, medianMs, slowestMs }
  } finally {
    await removeStock(redis, sale.saleId)
    await send(link, [
      ['CONFIG', 'SET', 'slowlog-log-slower-than', '10000'],
      ['SLOWLOG', 'RESET'],
    ])
    await proxy.stop()
  }
}

/** Microseconds of every script since the slow log was set to record all commands. */
async function evalDurations(link: RedisLink): Promise<number[]> {
  const [log] = await send(link, [['SLOWLOG', 'GET', '-1']])
  if (!Array.isArray(log)) throw new Error('Redis has no slow log')
  return log.flatMap((entry) => {
    if (!Array.isArray(entry)) return []
    const [, , microseconds, command] = entry
    const name = Array.isArray(command) ? String(command[0]).toUpperCase() : ''
    return name === 'EVALSHA' || name === 'EVAL' ? [Number(microseconds)] : []
  })
}

/** A sale of `count` packets of ten each on average. */
function packetSale(count: number): Sale {
  const definition = saleDefinition.parse({
    saleId: parseSaleId('bench-loading'),
    kind: 'red-packet',
    title: 'Rain',
    description: 'Packets to be loaded.',
    pictures: [{ src: '/assets/pictures/packet.svg', alt: 'The product' }],
    currency: 'CNY',
    packets: { count, totalAmount: count * 1000 },
    startsAt: 1_000,
    endsAt: 9_000,
  })
  return {
    ...definition,
    ...{ windowIndex: 0, flag: 'off', epoch: 0, startToken: null, version: 1, warmed: true },
    ...{ databases: ['main'], createdAt: 0, updatedAt: 0 },
  }
}

/** Packets per reply: some 200 kB. */
const pageSize = 10_000

/** The sum of all packets that wait, in minor units. */
async function moneyIn(redis: Commander, saleId: SaleId, count: number): Promise<number> {
  const { packets } = stockKeys(saleId)
  let money = 0
  for (let from = 0; from < count; from += pageSize) {
    const page = await command(redis, ['LRANGE', packets, String(from), String(from + pageSize - 1)])
    for (const packet of list(page, 'packets')) money += Number(String(packet).split(' ')[2])
  }
  return money
}
