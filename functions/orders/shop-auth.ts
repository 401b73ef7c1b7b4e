/** Authenticates the calls of shops by their shop keys. */
import { shopKeyHeader } from '../../core/orders/shop-key.ts'
import { problem } from '../../core/outcome.ts'
import { problemAnswer } from '../lib/http/answer.ts'
import type { Middleware } from '../lib/http/app.ts'
import { responseOf } from '../lib/http/stand-ins.ts'
import { findShopByKey, type ShopKeyDigests } from './shop-keys.ts'

/** Rejects requests without a valid shop key, and sets the name of the shop as the caller. */
export const forShops =
  (shopKeys: ShopKeyDigests): Middleware =>
  async (c, next) => {
    const key = c.req.header(shopKeyHeader)
    const shop = key === undefined ? undefined : findShopByKey(shopKeys, key)
    if (shop === undefined)
      return responseOf(problemAnswer(problem('sign-in-required', 'Send a key of your shop as bearer token.')))
    c.set('caller', shop)
    return next()
  }
