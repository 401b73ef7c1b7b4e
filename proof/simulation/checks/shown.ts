/** Checks that the gate and the page show the real state of the sale. */
import * as z from 'zod/mini'
import { admissionsLeft } from '../../../core/gate/admission.ts'
import { blockField } from '../../../core/gate/block.ts'
import { entryIn, entryKey } from '../../../core/gate/edge-entry.ts'
import { openSaleFilter } from '../../../core/gate/sale-filter.ts'
import { ownValue } from '../../../core/lib/own-value.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { pointerPath } from '../../../core/sale/pointer.ts'
import { variantsSoldOut } from '../../../core/sale/variants.ts'
import { allBlocks } from '../../../functions/table/gate/blocklist.ts'
import { findEscrow } from '../../../functions/table/stock/escrows.ts'
import { armedTokenOf } from '../../../redis/gate/armed-token.ts'
import { type GateFacts, readGate } from '../../../redis/gate/gate.ts'
import { readAdmissions } from '../../../redis/gate/replenish.ts'
import { readBlocklist, readFilter, readListVersions } from '../../../redis/gate/shared-lists.ts'
import { hasReturnableUnits, readStock } from '../../../redis/stock/stock.ts'
import { withPool } from '../../stock-counts.ts'
import { unitsWithEscrow } from '../units-left.ts'
import type { World } from '../world.ts'

/** Reports differences between the stock and the gate or page of a sale at rest. */
export async function checkShown(world: World): Promise<void> {
  const { violated, redis, stocks, saleId, truth } = world
  await checkGateLists(world)
  const stock = await readStock(stocks, saleId)
  const gate = await readGate(redis, saleId)
  if (stock === undefined) return
  const escrow = await findEscrow(truth.table, saleId)
  const { total, available } = unitsWithEscrow(stock, escrow)
  const isSoldOut = available === 0 && !hasReturnableUnits(stock)
  if (gate?.soldOut !== isSoldOut) {
    violated(`the gate says ${gate?.soldOut ? 'sold out' : 'on sale'} of ${available} units (G4, G7)`)
  }
  checkEdge(world, gate)
  if (gate?.frozen) violated('the gate shows an open sale as frozen (I6)')
  const { admissionRatio } = await world.sale()
  const { remaining, out } = (await readAdmissions(redis, saleId)) ?? {}
  const should = admissionsLeft({ ...stock, total, out: 0 }, admissionRatio)
  if (remaining !== should || out !== 0) {
    violated(`${remaining} requests may be admitted and ${out} are admitted, and ${should} should be (G4, G7)`)
  }
  const shown = shownOnPage(world)?.remaining
  if (shown !== available) violated(`the page shows ${shown} of ${available} units`)
  for (const id of gate === undefined ? [] : variantsSoldOut(gate)) {
    const left = ownValue(withPool(stock, escrow?.pool).variants, id)?.left
    if (left !== 0) violated(`the gate says sold out of ${id}, and ${left} of it are left (N1)`)
  }
}

const units = z.object({ remaining: z.number(), variants: z.optional(z.record(z.string(), z.number())) })

/** Returns the units left on the page; undefined when it shows none. */
export function shownOnPage({ site, saleId }: World): z.infer<typeof units> | undefined {
  const pointer = readJson(units, site.objects.get(pointerPath(saleId))?.body ?? '{}')
  return pointer.ok ? pointer.value : undefined
}

/** Checks that the store of the CloudFront Functions agrees with the gate (L6). */
function checkEdge({ violated, saleId, edgeStore }: World, gate: GateFacts | undefined): void {
  const entry = entryIn(edgeStore.values.get(entryKey(saleId)) ?? '')
  const isSoldOut = typeof entry?.soldOutAt === 'number'
  const shown = [entry?.version, entry?.flag, entry?.turnKey, isSoldOut]
  const known = [
    gate?.version,
    gate?.flag,
    gate?.startToken && armedTokenOf(gate.startToken),
    gate?.flag !== 'closed' && gate?.soldOut,
  ]
  if (shown.join() !== known.join()) violated(`the edge shows ${shown} where the gate has ${known} (L6)`)
}

/** Checks the gate's block list (R8) and its filter of known sales (B4). */
async function checkGateLists({ violated, redis, saleId, truth }: World): Promise<void> {
  const blocked = [...(await readBlocklist(redis))].sort()
  const expected = (await allBlocks(truth.table)).map(blockField).sort()
  if (blocked.join() !== expected.join()) violated(`the gate blocks ${blocked} and should block ${expected} (R8)`)
  const versions = await readListVersions(redis)
  const filter = openSaleFilter((await readFilter(redis)) ?? new Uint8Array())
  if (versions.filter < versions.sales || filter?.mayHold(saleId) !== true)
    violated('the filter does not contain the sale (B4)')
}
