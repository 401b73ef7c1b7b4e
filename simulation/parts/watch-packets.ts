/** Watches what scripts make of red packets, after every single one. */
import { parseShopperId, type SaleId } from '../../core/ids.ts'
import type { Commander } from '../../redis/command.ts'
import { stockKeys } from '../../redis/keys.ts'
import { claimName, type PacketBook } from '../packet-record.ts'
import { type Ran, textsOf, watchScripts } from './watch-stock.ts'

/** Where the arguments of claim.lua begin: behind its name, the number of its keys, and these. */
const firstArgument = 7

/** How far two clocks may be apart, ms. */
const longestSkewMs = 500

/**
 * Keeps `book` up to date, and tells when packets are there twice or not at all, and when Redis has forgotten who has one,
 * though it lost nothing (P3, I4).
 */
export function watchPackets(
  redis: Commander,
  saleId: SaleId,
  book: PacketBook,
  now: () => number,
  violated: (what: string) => void,
): Commander {
  const { stock, packets, buyers, held } = stockKeys(saleId)

  const handOut = ({ command, reply }: Ran) => {
    const shopperId = parseShopperId(command[firstArgument])
    const [, packet, amount, currency] = String(reply[1]).split(' ')
    if (shopperId === undefined || currency === undefined)
      throw new Error('claim.lua handed out what is no packet')
    book.handOut({ shopperId, packet: Number(packet), amount: Number(amount), currency })
  }

  return watchScripts(redis, async (ran) => {
    const { name, reply } = ran
    if (name === 'claim' && reply[0] === 1) handOut(ran)
    if (name === 'unfreeze' && reply[0] === 1) book.redisRebuilt()
    if (!book.isWhole()) return
    const [counters, bits, length, shoppers] = await Promise.all([
      redis.exec(['HMGET', stock, 'packedWindow', 'loaded', 'heldBack']),
      redis.exec(['BITCOUNT', held]),
      redis.exec(['LLEN', packets]),
      redis.exec(['HKEYS', buyers]),
    ])
    const [packedWindow, loaded, heldBack = '0'] = textsOf(counters)
    if (loaded === undefined || mayBeLess(packedWindow ?? '', now())) return
    const waiting = Number(length)
    const claims = textsOf(shoppers)
    // A rebuild that came to its end too late opened what another had cleared: nobody is handed anything of that.
    if (waiting === 0 && loaded === '0') return
    const isWhole = waiting + claims.length + Number(bits) === Number(loaded)
    if (!isWhole || Number(bits) !== Number(heldBack)) {
      violated(
        `${name} leaves ${waiting} packets, ${claims.length} claims and ${bits} held back (${heldBack}) of ${loaded} that were loaded (I4)`,
      )
    }
    for (const claim of book.handedOut.values()) {
      if (claim.standing === 'firm' && !claims.includes(claim.shopperId))
        violated(`${name} makes Redis forget ${claimName(claim)} (I4)`)
    }
  })
}

/** While a sale is rebuilt its packets are not all there, and once it is over none need be. */
function mayBeLess(packedWindow: string, now: number): boolean {
  return /!(?:frozen|closed)/.test(packedWindow) || Number.parseInt(packedWindow, 10) <= now + longestSkewMs
}
