/** The adapters that publish a sale's public pointer. */
import type { Shopfront } from '../lib/shop/publisher.ts'
import type { Site } from '../lib/shop/site.ts'
import { createPointerPublisher } from '../sales/publishing/pointer.ts'
import type { Stores } from './connect.ts'

export function pointerShopfront({ table, stock }: Pick<Stores, 'table' | 'stock'>, site: Site): Shopfront {
  return { refresh: createPointerPublisher({ site, table, stock, clock: Date.now }) }
}
