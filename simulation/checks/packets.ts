/** Claimed packets reached their owners, and the others are still there (P3, P8, I2, I4). */
import { packetIdOf } from '../../core/claim.ts'
import { wholeOf } from '../../core/packets.ts'
import { hasEnded, type Sale } from '../../core/sale.ts'
import { packetsUpTo, splitAmounts } from '../../functions/sales/load-packets.ts'
import { stockKeys } from '../../redis/keys.ts'
import { readStock } from '../../redis/stock.ts'
import { claimsInMessages, claimsInRedis } from '../claim-names.ts'
import { claimName, type HandedOut } from '../packet-record.ts'
import { textsOf } from '../parts/watch-stock.ts'
import type { World } from '../world.ts'
import { creditsOf, type WalletPacket } from './credits.ts'

/** Reports violations for a sale of red packets at rest. */
export async function checkPackets(world: World): Promise<void> {
  const { truth, shoppers } = world
  const sale = await world.sale()
  const credits = await creditsOf(truth, sale, shoppers)
  await checkAmounts(world, sale, credits)
  checkAnswered(world, credits)
  await checkRemaining(world, sale, credits)
}

/** Every credited amount is the one that follows from the seed. */
async function checkAmounts(
  { truth, saleId, violated }: World,
  sale: Sale,
  credits: readonly WalletPacket[],
): Promise<void> {
  const amounts = splitAmounts(await truth.packetSeeds.of(saleId), sale)
  const should = new Map([...amounts].map((amount, packet) => [packetIdOf(saleId, packet), amount]))
  for (const { packetId, amount, currency } of credits) {
    if (amount !== should.get(packetId) || currency !== sale.currency) {
      violated(`${packetId} was credited with ${amount} ${currency} and holds ${should.get(packetId)} (P1)`)
    }
  }
}

/**
 * A shopper whose claim was answered has that packet (I2), with three exceptions after a data loss
 * of Redis: the claim was recorded nowhere else; it was lost for another one, so the table rejected
 * this one; or the shopper claimed twice and keeps one of the two.
 */
function checkAnswered({ packets, saleId, queues, violated }: World, credits: readonly WalletPacket[]): void {
  const owners = new Map(credits.map((credit) => [credit.packetId, credit]))
  const credited = new Map(credits.map((credit) => [credit.shopperId, credit]))
  const refused = new Set(
    claimsInMessages(queues.claims.dead.flatMap(({ body, reason }) => (reason === undefined ? [] : [body]))),
  )
  const isExcused = (credit: WalletPacket | undefined) =>
    credit !== undefined &&
    packets.excused.has(`${credit.shopperId} ${credit.packetId.slice(`${saleId}-p`.length)}`)

  const mayBeMissing = (claim: HandedOut): boolean => {
    if (packets.excused.has(claimName(claim))) return true
    const owner = owners.get(packetIdOf(saleId, claim.packet))
    const other = credited.get(claim.shopperId)
    const isRefused = refused.has(claimName(claim))
    if (claim.standing === 'firm') return isRefused && (isExcused(owner) || isExcused(other))
    const isOneOfTwo = claim.standing === 'doubtful' || packets.overwritable.has(claimName(claim))
    return isRefused || (isOneOfTwo && other !== undefined)
  }

  for (const claim of packets.handedOut.values()) {
    const { shopperId, packet, isAnswered, standing } = claim
    if (!isAnswered || owners.get(packetIdOf(saleId, packet))?.shopperId === shopperId) continue
    if (!mayBeMissing(claim)) {
      violated(`${claimName(claim)} was claimed, answered, and is in no wallet though it is ${standing} (I2)`)
    }
  }
}

/** Redis and the table agree on owners and stock, and all other packets are ready to be claimed. */
async function checkRemaining(world: World, sale: Sale, credits: readonly WalletPacket[]): Promise<void> {
  const { redis, saleId, truth, simulation, violated } = world
  const same = (what: string, is: unknown, should: unknown) => {
    if (is !== should) violated(`${what} is ${is} and should be ${should} (I4)`)
  }
  const stock = await readStock(redis, saleId)
  if (stock?.packets === undefined) return violated('the packets of the sale are missing (I4)')
  const kept = (await claimsInRedis(world)).map((name) => name.replace(' ', ` ${saleId}-p`)).sort()
  const owned = credits.map(({ shopperId, packetId }) => `${shopperId} ${packetId}`).sort()
  same('the list of owners in Redis', kept.join(), owned.join())
  same('the stock in Redis', stock.total, sale.stock)
  same(
    'remaining at the cap',
    (await truth.saleOrders.totals(saleId))?.remaining,
    sale.stock - credits.length,
  )
  const waiting = textsOf(await redis.exec(['LRANGE', stockKeys(saleId).packets, '0', '-1']))
  if (hasEnded(sale, simulation.now())) return same('packets left in Redis after the end', waiting.length, 0)
  const amounts = splitAmounts(await truth.packetSeeds.of(saleId), sale)
  const ownedIds = new Set(credits.map(({ packetId }) => packetId))
  const free = [...amounts].flatMap((amount, packet) =>
    ownedIds.has(packetIdOf(saleId, packet)) ? [] : [`${packet} ${amount} ${sale.currency}`],
  )
  same('packets loaded', stock.packets.loaded, packetsUpTo(sale))
  same('the list of unclaimed packets', waiting.map(withoutRank).sort().join(), free.sort().join())
}

const withoutRank = (packet: string) => packet.slice(packet.indexOf(' ') + 1)

/**
 * After its end, a sale's budget is closed and every cent accounted for; before, all packets are
 * claimed.
 */
export async function checkBudgetSpent(world: World): Promise<void> {
  const { truth, saleId, simulation, violated } = world
  const sale = await world.sale()
  const money = (await truth.saleOrders.totals(saleId))?.money
  if (money === undefined) return violated(`the cap of ${saleId} has no budget`)
  if (!hasEnded(sale, simulation.now())) {
    if (money.claimed !== wholeOf(sale).totalAmount) {
      violated(`${money.claimed} of ${money.budget} were claimed though all could be (I1)`)
    }
    return
  }
  const returns = truth.audited().filter(({ what }) => what === 'return')
  const [entry] = returns
  if (money.closedAt === undefined || returns.length !== 1) {
    violated(`the sale is over, and its budget was closed ${returns.length} times`)
  } else if (Number(entry?.after?.returned) + money.claimed !== money.budget) {
    violated(`${money.claimed} of ${money.budget} were claimed and ${entry?.after?.returned} returned`)
  }
}
