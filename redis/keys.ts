/**
 * Every Redis key of the project. The hash tag is the sale and shard, so all keys of a shard are in one hash slot, and one
 * script may use them (S16, P6). Ids cannot contain braces.
 */
import { idShapes, type OrderId, parseSaleId, type SaleId, type ShopperId } from '../core/ids.ts'

export type StockKeys = { stock: string; outbox: string; packets: string; held: string }

/**
 * Returns the keys of one shard of a stock: `stock:{<sale>:<shard>}` with its counters, its definition and the record of each
 * shopper, and `:outbox`; a sale of red packets also has `:packets` and `:held`. Most stocks have one shard, number 0. The
 * keys never expire (S18); archiving a sale removes them.
 */
export function stockKeys(saleId: SaleId, shard = 0): StockKeys {
  const stock = `stock:{${saleId}:${shard}}`
  return {
    stock,
    outbox: `${stock}:outbox`,
    packets: `${stock}:packets`,
    held: `${stock}:held`,
  }
}

export type StockPlace = { saleId: SaleId; shard: number }

const stockKeyPattern = /* @__PURE__ */ new RegExp(`^stock:\\{(${idShapes.sale}):(\\d{1,2})\\}`)

/** Returns the sale and shard of a key of a stock; undefined for any other key. */
export function placeInKey(key: string | undefined): StockPlace | undefined {
  const [, sale, shard] = stockKeyPattern.exec(key ?? '') ?? []
  const saleId = parseSaleId(sale)
  return saleId === undefined ? undefined : { saleId, shard: Number(shard) }
}

/** The prefix of fields with records of shoppers in the hash of a stock. */
export const shopperPrefix = 'shopper:'

export function shopperField(shopperId: ShopperId): string {
  return `${shopperPrefix}${shopperId}`
}

/** Returns the part of an order id after its sale id. */
export function orderSuffix(orderId: OrderId): string {
  return orderId.slice(-26)
}

/** Returns the key of the lock of a sale. It is in the gate store, so waiting for it never loads the stock (K2). */
export function lockKey(saleId: SaleId): string {
  return `lock:{${saleId}}`
}

/** Returns the key of the facts of a sale, which the edge may read. */
export function gateKey(saleId: SaleId): string {
  return `gate:{${saleId}}`
}

/** Returns the key of the admissions of a sale, which the edge may write. */
export function admissionsKey(saleId: SaleId): string {
  return `${gateKey(saleId)}:admissions`
}

/** Returns the key of the demand of a sale, which the edge may write. */
export function demandKey(saleId: SaleId): string {
  return `${gateKey(saleId)}:demand`
}

/** Counts of refused customer tokens. The edge may write it, because it matches the pattern of `demandKey`. */
export const refusedTokensKey = 'gate:{-}:demand'

export function invitedKey(saleId: SaleId): string {
  return `${gateKey(saleId)}:invited`
}

/** Returns the key of the use of a solved challenge, which the edge may write. */
export function solvedKey(saleId: SaleId, challengeId: string): string {
  return `${gateKey(saleId)}:solved:${challengeId}`
}

/** When the next payment page of any sale may be opened. In the gate store, without access by the edge. */
export const paymentQueueKey = 'payments:{-}'

/**
 * The lists that the gate shares between sales. `versions` has the version of each of the others, which increases with every
 * change. `sales` are the ids of all published sales, `filter` is their Bloom filter. No sale has the id `-`.
 */
export const sharedListKeys = {
  versions: 'gate:{-}:versions',
  blocklist: 'gate:{-}:blocklist',
  sales: 'gate:{-}:sales',
  filter: 'gate:{-}:filter',
} as const

export function customersKey(version: string): string {
  return `gate:{-}:customers:${version}`
}
