/** The system that the visiting files share. They break no part of it. */
import { inject } from 'vitest'
import { type Shop, shopAt } from './support.ts'

/** `name` keeps the shoppers of one file apart from those of others: `ann` is another one in each. */
export function sharedShop(name: string): Shop {
  const shop = shopAt(inject('shopUrl'))
  return { url: shop.url, token: (shopperId, options) => shop.token(`${name}-${shopperId}`, options) }
}
