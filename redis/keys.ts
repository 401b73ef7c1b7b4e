/**
 * Every Redis key of the project. The braces make sale and shard the hash tag, so all keys of one
 * sale lie in one hash slot and one script may use them (S16, P6). Ids cannot contain braces.
 */
import type { SaleId } from '../core/ids.ts'

export type StockKeys = {
  stock: string
  buyers: string
  holds: string
  outbox: string
  packets: string
  held: string
}

/** A sale's stock lives in one shard, number 0. */
const shard = 0

/**
 * The keys of a sale's stock: `stock:{<sale>:0}` and, behind it, `:buyers`, `:holds` and `:outbox`;
 * a sale of red packets has `:packets` and `:held`, and no holds. None of them ever expires (S18);
 * a sale that is archived loses them.
 */
export function stockKeys(saleId: SaleId): StockKeys {
  const stock = `stock:{${saleId}:${shard}}`
  return {
    stock,
    buyers: `${stock}:buyers`,
    holds: `${stock}:holds`,
    outbox: `${stock}:outbox`,
    packets: `${stock}:packets`,
    held: `${stock}:held`,
  }
}

/**
 * The lock of a sale, in the gate store, so that waiting for it never touches the stock (K2):
 * `lock:{<sale>}`.
 */
export function lockKey(saleId: SaleId): string {
  return `lock:{${saleId}}`
}

/** What the edge may read of a sale: `gate:{<sale>}`. */
export function gateKey(saleId: SaleId): string {
  return `gate:{${saleId}}`
}

/** The admissions of a sale: `gate:{<sale>}:admissions`. The edge may write it. */
export function admissionsKey(saleId: SaleId): string {
  return `${gateKey(saleId)}:admissions`
}

/**
 * The use of one solved challenge: `gate:{<sale>}:solved:<challenge>`, until it expires. The edge
 * may write it.
 */
export function solvedKey(saleId: SaleId, challengeId: string): string {
  return `${gateKey(saleId)}:solved:${challengeId}`
}

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
