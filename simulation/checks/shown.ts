/** Whether everybody is shown what there is. */
import { admissionsLeft } from '../../core/admission.ts'
import { blockField } from '../../core/block.ts'
import { pointerPath } from '../../core/pointer.ts'
import { openSaleFilter } from '../../core/sale-filter.ts'
import { readGate } from '../../redis/gate.ts'
import { readAdmissions } from '../../redis/replenish.ts'
import { readBlocklist, readFilter, readListVersions } from '../../redis/shared-lists.ts'
import { readStock } from '../../redis/stock.ts'
import type { World } from '../world.ts'

/** Tells what the gate or the page says that is not so, of a sale at rest. */
export async function checkShown(world: World): Promise<void> {
  const { violated, redis, saleId, site } = world
  await checkNotices(world)
  const stock = await readStock(redis, saleId)
  const told = await readGate(redis, saleId)
  if (stock === undefined) return
  const isSoldOut = stock.available === 0
  if (told?.soldOut !== isSoldOut) {
    violated(`the gate says ${told?.soldOut ? 'sold out' : 'on sale'} of ${stock.available} units (G4, G7)`)
  }
  if (told?.frozen) violated('the gate says frozen of an open sale (I6)')
  const { admissionRatio } = await world.sale()
  const { remaining, out } = (await readAdmissions(redis, saleId)) ?? {}
  const should = admissionsLeft({ ...stock, out: 0 }, admissionRatio)
  if (remaining !== should || out !== 0) {
    violated(`${remaining} clicks may come and ${out} are out, and ${should} should be (G4, G7)`)
  }
  const pointer: unknown = JSON.parse(site.objects.get(pointerPath(saleId))?.body ?? '{}')
  const shown = typeof pointer === 'object' && pointer !== null && 'remaining' in pointer && pointer.remaining
  if (shown !== stock.available) violated(`the page shows ${String(shown)} of ${stock.available} units`)
}

/** Who is shut out (R8), and the filter that knows of the sale (B4). */
async function checkNotices({ violated, redis, saleId, truth }: World): Promise<void> {
  const told = [...(await readBlocklist(redis))].sort()
  const rightful = (await truth.blocklist.entries()).map(blockField).sort()
  if (told.join() !== rightful.join()) violated(`the gate shuts out ${told} and should ${rightful} (R8)`)
  const versions = await readListVersions(redis)
  const filter = openSaleFilter((await readFilter(redis)) ?? new Uint8Array())
  if (versions.filter < versions.sales || filter?.mayHold(saleId) !== true)
    violated('the filter denies the sale (B4)')
}
