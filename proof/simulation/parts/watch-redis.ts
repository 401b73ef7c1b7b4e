/** Checks the stock and the red packets after every script. */
import * as z from 'zod/mini'
import { parseShopperId, type SaleId } from '../../../core/ids.ts'
import { redPacket as packetShape } from '../../../core/packets/packet.ts'
import { sumByVariant, unitsOfVariant } from '../../../core/sale/variants.ts'
import type { Command, Commander } from '../../../redis/command.ts'
import { placeOf } from '../../../redis/databases.ts'
import { shopperPrefix, stockKeys } from '../../../redis/keys.ts'
import { type HeldOrder, ordersIn } from '../../../redis/orders/holds.ts'
import { jsonReply, pairs } from '../../../redis/reply.ts'
import { claimName, type PacketRecord } from '../packet-record.ts'
import type { StatusRecord } from '../records.ts'
import type { UnitsLeft } from '../units-left.ts'
import { nameOfCommand } from './redis.ts'

/** A script that ran: its name, the command and the reply. */
type ScriptRun = { name: string; command: Command; reply: unknown }

/** Scripts that change no units. */
const readers = new Set(['packet-counts', 'shard-demand'])

/** Calls `check` after every script that may have changed something. */
function watchScripts(redis: Commander, check: (ran: ScriptRun) => Promise<void>): Commander {
  return {
    async exec(command) {
      const reply = await redis.exec(command)
      if (command[0].startsWith('EVAL')) {
        const name = nameOfCommand(command).replace(/:text$/, '')
        if (!readers.has(name)) await check({ name, command, reply })
      }
      return reply
    },
  }
}

/**
 * Reports units that were taken while the sale was closed, by the marketer's last answer or by its state in Redis (I6),
 * and booked units that differ from held ones (I4).
 */
export function watchStock(
  redis: Commander,
  saleId: SaleId,
  { statusRecord, unitsLeft }: { statusRecord: Pick<StatusRecord, 'confirmed'>; unitsLeft: Pick<UnitsLeft, 'count'> },
  violated: (what: string) => void,
): Commander {
  return watchScripts(redis, async ({ name, command, reply }) => {
    const place = placeOf(command)
    if (place !== undefined && place.saleId !== saleId) return
    const { stock } = stockKeys(saleId, place?.shard)
    const fields = new Map(pairs(await redis.exec(['HGETALL', stock]), 'stock'))
    const count = (field: string) => Number(fields.get(field) ?? 0)
    const held = heldIn(saleId, fields)
    const units = held.reduce((sum, { quantity }) => sum + quantity, 0)
    const booked = count('booked')
    if (booked !== units + count('heldBack')) {
      violated(`${name} leaves ${booked} units booked, ${units} held and ${count('heldBack')} held back (I4)`)
    }
    for (const fault of faultsOfVariants(fields, held)) violated(`${name} leaves ${fault} (I4, N1)`)
    await unitsLeft.count()
    const flag = fields.get('flag')
    const isWon = name === 'reserve' && partsOf(reply)[0] === 1
    if (isWon && statusRecord.confirmed() !== undefined) {
      violated(`units were taken after the marketer was answered that the sale is ${statusRecord.confirmed()} (I6)`)
    }
    if (isWon && (flag !== 'on' || fields.has('frozen'))) {
      violated(`units were taken of a closed sale: ${flag}${fields.has('frozen') ? ', frozen' : ''} (I6)`)
    }
  })
}

function heldIn(saleId: SaleId, fields: ReadonlyMap<string, string>): HeldOrder[] {
  return [...fields].flatMap(([field, record]) => {
    const shopperId = field.startsWith(shopperPrefix) ? parseShopperId(field.slice(shopperPrefix.length)) : undefined
    return shopperId === undefined ? [] : ordersIn(saleId, shopperId, record)
  })
}

/** Returns faults of each variant, and of the sum of all variants. */
function faultsOfVariants(fields: ReadonlyMap<string, string>, orders: readonly HeldOrder[]): string[] {
  const ids = z.array(z.string()).parse(JSON.parse(fields.get('variants') ?? '[]'))
  if (ids.length === 0) return []
  const count = (field: string) => Number(fields.get(field) ?? 0)
  const held = sumByVariant(orders)
  const faults = ids.flatMap((id) => {
    const [booked, heldBack] = [count(`booked:${id}`), count(`heldBack:${id}`)]
    const units = unitsOfVariant(held, id)
    return booked === units + heldBack
      ? []
      : [`${booked} units of ${id} booked, ${units} held and ${heldBack} held back`]
  })
  const all = ids.reduce((sum, id) => sum + count(`total:${id}`), 0)
  return all === count('total') ? faults : [...faults, `${all} units of all variants, and ${count('total')}`]
}

/** Returns the parts of an array reply. */
function partsOf(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : []
}

export function textsOf(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.flatMap((text) => (typeof text === 'string' ? [text] : [])) : []
}

/** The index of the first argument of a claim, after the command, the script, the number of keys and the keys. */
const firstArgument = 6

/** The position of the packet in the reply of reserve.lua. */
const packetAt = 8

/** Maximum skew between two clocks, ms. */
const maxSkewMs = 500

/**
 * Updates `record`. Reports packets that exist twice or not at all, and owners that are missing without a data loss
 * (P3, I4).
 */
export function watchPackets(
  redis: Commander,
  saleId: SaleId,
  record: PacketRecord,
  now: () => number,
  violated: (what: string) => void,
): Commander {
  const { stock, packets, held } = stockKeys(saleId)
  /**
   * A rolled-back Redis has handed out a packet twice: packets may be missing until the next recovery without
   * duplicates.
   */
  let hasDoubled = false

  const recordClaim = ({ command, reply }: ScriptRun) => {
    const shopperId = parseShopperId(command[firstArgument])
    if (shopperId === undefined) throw new Error('reserve.lua gave out a packet without a shopper')
    const { number, ...money } = jsonReply(packetShape, partsOf(reply)[packetAt], 'a packet')
    record.recordClaim({ shopperId, packet: number, ...money })
  }

  return watchScripts(redis, async (run) => {
    const { name, reply } = run
    if (name === 'reserve' && partsOf(reply)[0] === 1) recordClaim(run)
    if (name === 'unfreeze' && partsOf(reply)[0] === 1) record.redisRebuilt()
    if (!record.hasAllData()) return
    const [all, kept, length] = await Promise.all([
      redis.exec(['HGETALL', stock]),
      redis.exec(['HLEN', held]),
      redis.exec(['LLEN', packets]),
    ])
    const fields = new Map(pairs(all, 'stock'))
    const loaded = fields.get('loaded')
    const endsAt = Number(fields.get('closesAt'))
    // While a sale is recovered its packets are incomplete, and after its end they may be gone.
    const mayBeLess = fields.has('frozen') || fields.get('flag') === 'closed' || endsAt - 1 <= now() + maxSkewMs
    if (loaded === undefined || mayBeLess) return
    const waiting = Number(length)
    const orders = heldIn(saleId, fields).filter(({ quantity }) => quantity > 0)
    const owners = new Set(orders.map(({ shopperId }) => shopperId))
    const taken = new Set(orders.map(({ packet }) => packet?.number)).size
    if (name === 'unfreeze') hasDoubled = false
    if (taken < orders.length) hasDoubled = true
    const heldBack = Number(fields.get('heldBack') ?? 0)
    const found = waiting + taken + Number(kept)
    if ((hasDoubled ? found > Number(loaded) : found !== Number(loaded)) || Number(kept) !== heldBack) {
      violated(
        `${name} leaves ${waiting} packets, ${orders.length} orders and ${kept} held back (${heldBack}) of ${loaded} that were loaded (I4)`,
      )
    }
    for (const claim of record.claimed.values()) {
      if (claim.certainty === 'firm' && !owners.has(claim.shopperId))
        violated(`${name} makes Redis lose ${claimName(claim)} (I4)`)
    }
  })
}
