/**
 * Every Redis key of the project. The braces make sale and shard the hash tag, so all keys of one
 * sale lie in one hash slot and one script may use them (S16, P6). Ids cannot contain braces.
 */
import { idShapes, type OrderId, parseSaleId, type SaleId, type ShopperId } from '../core/ids.ts'

export type StockKeys = { stock: string; outbox: string; packets: string; held: string }

/**
 * The keys of one shard of a sale's stock: `stock:{<sale>:<shard>}` with its counters, its definition and the record of
 * each shopper, and `:outbox`; a sale of red packets also has `:packets` and `:held`. Most stocks have one shard,
 * number 0. None of the keys ever expires (S18); a sale that is archived loses them.
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

/** A stock in its database: the shard of a sale. */
export type StockPlace = { saleId: SaleId; shard: number }

const stockKeyPattern = /* @__PURE__ */ new RegExp(`^stock:\\{(${idShapes.sale}):(\\d{1,2})\\}`)

/** Returns the sale and shard whose stock has `key`; undefined for any other key. */
export function placeInKey(key: string | undefined): StockPlace | undefined {
  const [, sale, shard] = stockKeyPattern.exec(key ?? '') ?? []
  const saleId = parseSaleId(sale)
  return saleId === undefined ? undefined : { saleId, shard: Number(shard) }
}

/** How the field of a shopper's record in the stock begins; no other field does. */
export const shopperPrefix = 'shopper:'

export function shopperField(shopperId: ShopperId): string {
  return `${shopperPrefix}${shopperId}`
}

/** Returns an order within its sale: its id without the sale's, so all of a sale are equally long. */
export function orderSuffix(orderId: OrderId): string {
  return orderId.slice(-26)
}

/** The lock of a sale, in the gate store, so that waiting for it never touches the stock (K2): `lock:{<sale>}`. */
export function lockKey(saleId: SaleId): string {
  return `lock:{${saleId}}`
}

/** What the edge may read of a sale: `gate:{<sale>}`. */
export function gateKey(saleId: SaleId): string {
  return `gate:{${saleId}}`
}

/** Returns the admissions of a sale: `gate:{<sale>}:admissions`. The edge may write it. */
export function admissionsKey(saleId: SaleId): string {
  return `${gateKey(saleId)}:admissions`
}

/** Returns the counted demand of a sale: `gate:{<sale>}:demand`. The edge may write it. */
export function demandKey(saleId: SaleId): string {
  return `${gateKey(saleId)}:demand`
}

/** How often tokens of customers were refused. The edge may write it, by the pattern of `demandKey`. */
export const refusedTokensKey = 'gate:{-}:demand'

/** Returns the shoppers who may buy in a sale by invitation: `gate:{<sale>}:invited`. */
export function invitedKey(saleId: SaleId): string {
  return `${gateKey(saleId)}:invited`
}

/** Returns the use of one solved challenge: `gate:{<sale>}:solved:<challenge>`, until it expires. The edge may write it. */
export function solvedKey(saleId: SaleId, challengeId: string): string {
  return `${gateKey(saleId)}:solved:${challengeId}`
}

/** When the next payment page may be opened, of any sale. In the gate store; the edge has no right to it. */
export const paymentTurnsKey = 'payments:{-}'

/**
 * What the gate needs beside single sales: `gate:{-}:versions`, the version of each of the others,
 * which rises with every change; `:blocklist`; `:sales`, the ids of all published sales; `:filter`,
 * their Bloom filter. No sale id is a hyphen.
 */
export const sharedListKeys = {
  versions: 'gate:{-}:versions',
  blocklist: 'gate:{-}:blocklist',
  sales: 'gate:{-}:sales',
  filter: 'gate:{-}:filter',
} as const

/** Returns the issuers of the shop's own customers, in the edition of that version: `gate:{-}:customers:<version>`. */
export function customersKey(version: string): string {
  return `gate:{-}:customers:${version}`
}
