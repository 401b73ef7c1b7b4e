/** Whether everybody is shown what there is. */
import { pointerPath } from '../../../core/pointer.ts'
import { redisGateReader } from '../../../functions/adapters/effects.redis.ts'
import { readStock } from '../../../redis/stock.ts'
import type { World } from '../world.ts'

/** Tells what the gate or the page says that is not so, of a sale at rest. */
export async function checkShown({ violated, redis, saleId, site }: World): Promise<void> {
  const stock = await readStock(redis, saleId)
  const told = await redisGateReader(redis).read(saleId)
  if (stock === undefined) return
  const isSoldOut = stock.available === 0
  if (told?.soldOut !== isSoldOut) {
    violated(`the gate says ${told?.soldOut ? 'sold out' : 'on sale'} of ${stock.available} units (G4, G7)`)
  }
  if (told?.fenced) violated('the gate says fenced of an open sale (I6)')
  const pointer: unknown = JSON.parse(site.objects.get(pointerPath(saleId))?.body ?? '{}')
  const shown = typeof pointer === 'object' && pointer !== null && 'remaining' in pointer && pointer.remaining
  if (shown !== stock.available) violated(`the page shows ${String(shown)} of ${stock.available} units`)
}
