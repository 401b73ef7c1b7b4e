/** Checks red packets after every script. */
import { parseShopperId, type SaleId } from '../../../core/ids.ts'
import type { Commander } from '../../../redis/command.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { claimName, type PacketRecord } from '../packet-record.ts'
import { partsOf, type ScriptRun, textsOf, watchScripts } from './watch-stock.ts'

/**
 * The index of the first argument of claim.lua: behind the command, the script, the number of keys
 * and the keys.
 */
const firstArgument = 7

/** The longest skew between two clocks, ms. */
const longestSkewMs = 500

/**
 * Keeps `record` up to date. Reports packets that exist twice or not at all, and owners that Redis
 * lost without a data loss (P3, I4).
 */
export function watchPackets(
  redis: Commander,
  saleId: SaleId,
  record: PacketRecord,
  now: () => number,
  violated: (what: string) => void,
): Commander {
  const { stock, packets, claims: claimsKey, held } = stockKeys(saleId)

  const handOut = ({ command, reply }: ScriptRun) => {
    const shopperId = parseShopperId(command[firstArgument])
    const [, packet, amount, currency] = String(partsOf(reply)[1]).split(' ')
    if (shopperId === undefined || currency === undefined) throw new Error('claim.lua handed out an invalid packet')
    record.handOut({ shopperId, packet: Number(packet), amount: Number(amount), currency })
  }

  return watchScripts(redis, async (run) => {
    const { name, reply } = run
    if (name === 'claim' && partsOf(reply)[0] === 1) handOut(run)
    if (name === 'unfreeze' && partsOf(reply)[0] === 1) record.redisRebuilt()
    if (!record.isWhole()) return
    const [counters, bits, length, shoppers] = await Promise.all([
      redis.exec(['HMGET', stock, 'packedWindow', 'loaded', 'heldBack']),
      redis.exec(['BITCOUNT', held]),
      redis.exec(['LLEN', packets]),
      redis.exec(['HKEYS', claimsKey]),
    ])
    const [packedWindow, loaded, heldBack = '0'] = textsOf(counters)
    if (loaded === undefined || mayBeLess(packedWindow ?? '', now())) return
    const waiting = Number(length)
    const claims = textsOf(shoppers)
    // A recovery that ended too late opened a sale that another had cleared: it hands out nothing.
    if (waiting === 0 && loaded === '0') return
    const isWhole = waiting + claims.length + Number(bits) === Number(loaded)
    if (!isWhole || Number(bits) !== Number(heldBack)) {
      violated(
        `${name} leaves ${waiting} packets, ${claims.length} claims and ${bits} held back (${heldBack}) of ${loaded} that were loaded (I4)`,
      )
    }
    for (const claim of record.handedOut.values()) {
      if (claim.standing === 'firm' && !claims.includes(claim.shopperId))
        violated(`${name} makes Redis lose ${claimName(claim)} (I4)`)
    }
  })
}

/** While a sale is recovered its packets are incomplete, and after its end they may be gone. */
function mayBeLess(packedWindow: string, now: number): boolean {
  return /!(?:frozen|closed)/.test(packedWindow) || Number.parseInt(packedWindow, 10) <= now + longestSkewMs
}
