/**
 * How the red packets of a sale are split. Where the split is announced (docs/reference/packets.md), it waits for a public
 * round of a beacon, and no packet is loaded before it is decided whether that is mixed in: so the amounts are the same
 * in every load. Where the round has not come by `awaitedUntil`, they follow from the seed alone, because the sale has to open.
 */
import { bytesOfHex } from '../../core/draw/bytes.ts'
import type { Draw } from '../../core/lib/random-integers.ts'
import { awaitedUntil, splitTimeOf } from '../../core/packets/rain-rules.ts'
import { drawFromKey, keyOfSplit } from '../../core/packets/rain-split.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { decideSplit, findSplitRound } from '../table/draw/split-rounds.ts'
import { findPacketSeed, packetSeed, seedBytes } from '../table/packets/packet-seeds.ts'
import { drawFromSeed } from './seeded-random.ts'

type SplitPorts = Pick<Shop, 'table' | 'clock' | 'randomBytes'>

/** `drawOf` gives the draws of a wave by its number. `isFirst`: it was decided by this call, so no packet was loaded before. */
export type PacketSplit = { drawOf: (wave: number) => Draw; isFirst: boolean }

/** Undefined while the round is awaited. @throws when the table is unavailable */
export async function packetSplit(
  { table, clock, randomBytes }: SplitPorts,
  sale: Sale,
): Promise<PacketSplit | undefined> {
  const { saleId, startsAt } = sale
  const now = clock()
  const { seed, splitAt } = await packetSeed(table, saleId, () => {
    const due = splitTimeOf(sale, now)
    return { seed: randomBytes(seedBytes), ...(due !== undefined && { splitAt: due }) }
  })
  if (splitAt === undefined) return { drawOf: (wave) => drawFromSeed(seed, wave), isFirst: false }
  const known = await findSplitRound(table, saleId)
  if (known === undefined && now < awaitedUntil(splitAt, startsAt)) return undefined
  const { randomness } = known ?? (await decideSplit(table, saleId, {}))
  const key = keyOfSplit(seed, randomness === undefined ? undefined : bytesOfHex(randomness))
  return { drawOf: (wave) => drawFromKey(key, wave), isFirst: known === undefined }
}

/** Whether the packets of the sale wait for the round. @throws when the table is unavailable */
export async function awaitsRound(
  { table, clock }: Omit<SplitPorts, 'randomBytes'>,
  { saleId, startsAt }: Sale,
): Promise<boolean> {
  const splitAt = (await findPacketSeed(table, saleId))?.splitAt
  if (splitAt === undefined || clock() >= awaitedUntil(splitAt, startsAt)) return false
  return (await findSplitRound(table, saleId)) === undefined
}
