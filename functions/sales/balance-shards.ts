/**
 * Balances the shards of a split stock several times a second: units move to the shards that need them while shoppers wait.
 * Only this code tells the gate whether a split stock, or a variant of it, is sold out, because no shard knows.
 */
import type { Sale } from '../../core/sale/sale.ts'
import { isSelling } from '../../core/sale/sale-life.ts'
import { unitsOfVariant, variantsSoldOut } from '../../core/sale/variants.ts'
import { undivided } from '../../core/stock/divided-units.ts'
import { publishRestocked, publishSoldOut, publishSoldOutVariants, readGate } from '../../redis/gate/gate.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { saveEscrow } from '../table/stock/escrows.ts'
import { replenishAdmissions } from './admissions.ts'
import type { Balancer, Round } from './balancer.ts'
import type { SalePorts } from './effects.ts'
import { partsIn } from './split-stock.ts'

type BalancePorts = SalePorts & Pick<ShopContext, 'shopfront'>

/** Time between two rounds, ms: how long an empty shard waits, and its shoppers a little longer. */
const everyMs = 200

/** Runs rounds until `until` (epoch ms), one for a sale that is not selling. @throws when the table or gate is unavailable */
export async function balanceShards(ports: BalancePorts, balancer: Balancer, sale: Sale, until: number): Promise<void> {
  const { clock, sleep } = ports
  if (sale.databases.length <= 1) return
  for (;;) {
    const round = await balancer(sale)
    if (round === undefined) return
    if (round.isAtRest) await publishToGate(ports, sale, round)
    if (clock() >= until || (round.isAtRest && !isSelling(sale, clock()))) return
    if (round.isAtRest) await sleep(Math.min(everyMs, until - clock()))
  }
}

/**
 * Publishes to the gate that the stock or a variant is sold out, or has units again. The escrow's revision orders the two, so a
 * restock is a revision of its own.
 */
async function publishToGate(
  ports: BalancePorts,
  { saleId }: Sale,
  { split, isSoldOut, soldOut }: Round,
): Promise<void> {
  const { table, gate, shopfront } = ports
  const known = await readGate(gate, saleId)
  if (known === undefined || (known.soldOut && isSoldOut)) return
  const listed = variantsSoldOut(known)
  const { left } = partsIn(split)
  const isLeft = (id: string) => unitsOfVariant(left, id) > 0
  const isRestocked = known.soldOut ? Object.keys(left).some(isLeft) : listed.some(isLeft)
  const fresh = soldOut.filter((id) => id !== undivided && (isRestocked || !listed.includes(id)))
  let { revision } = split.escrow
  if (isSoldOut) {
    await publishSoldOut(gate, saleId, revision)
  } else {
    if (!isRestocked && (known.soldOut || fresh.length === 0)) return
    if (isRestocked) {
      revision += 1
      if ((await saveEscrow(table, saleId, split.escrow.revision, { ...split.escrow, revision })) === 'conflict') return
      await replenishAdmissions(ports, saleId)
      await publishRestocked(gate, saleId, revision)
    }
    // A later list replaces an earlier one.
    const all = isRestocked ? fresh : [...listed, ...fresh]
    if (fresh.length > 0) await publishSoldOutVariants(gate, saleId, revision, all)
  }
  await shopfront.refresh(saleId)
}
