/** A marketer changes the brand of the shop. Safe to repeat (I5). */
import { isDeepStrictEqual } from 'node:util'
import { controlOperations } from '../../core/api/control-requests.ts'
import { languages } from '../../static/messages/catalogues.ts'
import { invalid } from '../lib/http/answer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { findBrand, saveBrand } from '../table/sale/brand.ts'
import { refusal } from './answers.ts'
import { onControl } from './entrance.ts'

export const brandRoutes = [
  onControl(controlOperations.getBrand, ({ table }: Pick<Shop, 'table'>) => findBrand(table)),
  // Over the revision that it names, and publishes all pages; what a crash leaves unpublished the next scheduled run publishes.
  onControl(
    controlOperations.changeBrand,
    async ({ table, publisher, clock }: Pick<Shop, 'table' | 'publisher' | 'clock'>, { actor, body }) => {
      const { revision, brand } = body
      const unknown = (brand.languages ?? []).findIndex((one) => !languages.includes(one))
      if (unknown !== -1)
        return invalid(`brand.languages.${unknown}`, `brand.languages must be among ${languages.join(', ')}`)
      await publisher.brandStyle(brand)
      const before = await findBrand(table)
      const next = { revision: revision + 1, brand }
      const isDone = before.revision === next.revision && isDeepStrictEqual(before.brand, brand)
      if (!isDone) {
        const audit = { what: 'brand' as const, saleId: null, when: clock(), before: before.brand, after: brand }
        const isLate = before.revision !== revision
        if (isLate || (await saveBrand(table, next, { ...actor, ...audit })) === 'conflict')
          return refusal({ reason: 'brand-changed' })
      }
      await publisher.brand()
      return next
    },
  ),
]
