/**
 * The public side of a split of red packets that shoppers can check (docs/reference/packets.md): the rules with the hash of
 * the seed are published, the round of the beacon is mixed in, and the seed is published once no packet can be claimed or
 * credited any more. `reconcile` loads the packets, without the round if that is late. Every step is safe to repeat.
 */
import type { DrawBeacon } from '../../../core/draw/beacon.ts'
import { roundBytes, roundFile } from '../../../core/draw/beacon-file.ts'
import { hexOf } from '../../../core/draw/bytes.ts'
import { sha256 } from '../../../core/draw/sha256.ts'
import { rainFile, revealFile, wavesOf } from '../../../core/packets/packets.ts'
import {
  lastRulesAt,
  type RainReveal,
  type RainRules,
  readRainRules,
  roundOfSplit,
} from '../../../core/packets/rain-rules.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { type LockPorts, withLock } from '../../lib/lock.ts'
import type { Shop } from '../../lib/shop/shop.ts'
import { unlistDraw } from '../../table/draw/draws.ts'
import { decideSplit, findSplitRound, type SplitRound } from '../../table/draw/split-rounds.ts'
import { findPacketSeed, type PacketSeed } from '../../table/packets/packet-seeds.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { FilesOfDraw } from './draw-of-sale.ts'
import { verifyOnce } from './verify-once.ts'

export type RainPorts = LockPorts &
  Pick<Shop, 'table' | 'clock' | 'meter' | 'log'> & { filesOf: FilesOfDraw; beacon: DrawBeacon }

const minuteMs = 60_000
/** A round is asked for again after this, and counts as late after a minute. */
const beaconPauseMs = 3000
const never = Number.POSITIVE_INFINITY

/** When to look again, epoch ms. @throws when a part is unavailable */
export async function tendRain(ports: RainPorts, sale: Sale): Promise<number> {
  const { table, clock, filesOf } = ports
  const { saleId } = sale
  const seed = await findPacketSeed(table, saleId)
  // The first loading writes it.
  if (seed === undefined) return clock() + minuteMs
  const { splitAt } = seed
  if (splitAt === undefined) return forget(ports, sale)
  const files = filesOf(saleId)
  const file = await files.read(rainFile)
  if (file === undefined) return announce(ports, sale, { ...seed, splitAt })
  const rules = readRainRules(file)
  if (!rules.ok) throw new Error(`${rainFile} of ${saleId} cannot be read: ${rules.detail}`)
  const decided = await findSplitRound(table, saleId)
  if (decided === undefined && clock() < splitAt) return splitAt
  const isMixed = decided === undefined || decided.randomness !== undefined
  if (isMixed && (await files.read(roundFile)) === undefined) return mixIn(ports, sale, rules.value)
  if ((await saleTotals(table, saleId))?.money?.closedAt === undefined) return clock() + minuteMs
  return revealSeed(ports, sale, rules.value, { ...seed, ...decided })
}

/** The split of the sale is not announced, or all of it is published. */
async function forget({ table }: RainPorts, { saleId }: Sale): Promise<number> {
  await unlistDraw(table, saleId)
  return never
}

async function announce(
  ports: RainPorts,
  sale: Sale,
  { seed, splitAt }: PacketSeed & { splitAt: number },
): Promise<number> {
  const { clock, beacon, meter, log } = ports
  const { saleId, currency } = sale
  const { chain } = beacon
  const round = roundOfSplit({ beacon: chain, splitAt })
  if (clock() > lastRulesAt({ beacon: chain, round })) {
    meter.count('DrawFailed')
    log.error('the split of a rain was not published in time', { saleId })
    return forget(ports, sale)
  }
  const rules: RainRules = {
    ...{
      version: 1,
      sale: saleId,
      currency,
      waves: wavesOf(sale).map(({ count, totalAmount }) => ({ count, totalAmount })),
    },
    ...{ seedHash: hexOf(sha256(seed)), splitAt, round, beacon: chain, lateBeacon: 'seed-alone' },
  }
  return publish(ports, sale, rainFile, bytesOfJson(rules))
}

/** Decides the split by the round, unless it was decided without, and publishes the round. */
async function mixIn(ports: RainPorts, sale: Sale, { beacon: chain, round, splitAt }: RainRules): Promise<number> {
  const { table, clock, beacon, meter, log } = ports
  const { saleId } = sale
  const answer = await beacon.round(round)
  if (answer.kind === 'late' || verifyOnce(chain, round, answer.signature) === undefined) {
    if (clock() > splitAt + minuteMs) meter.count('BeaconLate')
    const reasons = answer.kind === 'late' ? answer.reasons.join('; ') : 'it is of another chain'
    log.warn('the round of a rain is late', { saleId, reasons })
    return clock() + beaconPauseMs
  }
  const { randomness } = await decideSplit(table, saleId, { randomness: answer.randomness })
  if (randomness !== answer.randomness) return clock() + minuteMs
  log.info('packets are split', { saleId, round })
  return publish(ports, sale, roundFile, roundBytes(answer))
}

async function revealSeed(
  ports: RainPorts,
  sale: Sale,
  { round }: RainRules,
  { seed, randomness }: PacketSeed & SplitRound,
): Promise<number> {
  const reveal: RainReveal = { seed: hexOf(seed), round: randomness === undefined ? null : round }
  await publish(ports, sale, revealFile, bytesOfJson(reveal))
  const isPublished = (await ports.filesOf(sale.saleId).read(revealFile)) !== undefined
  return isPublished ? forget(ports, sale) : ports.clock() + minuteMs
}

const bytesOfJson = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`)

/** Writes a file once; it never changes. */
async function publish(ports: RainPorts, { saleId }: Sale, path: string, bytes: Uint8Array): Promise<number> {
  await withLock(ports, saleId, async (signal) => {
    const files = ports.filesOf(saleId)
    if ((await files.read(path)) !== undefined) return
    signal.throwIfAborted()
    await files.write(path, bytes)
  })
  return ports.clock()
}
