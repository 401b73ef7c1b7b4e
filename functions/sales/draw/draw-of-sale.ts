/**
 * The draw of a sale as the functions hold it: its public files beside the page of the sale, its keys in the table, and
 * the rules that follow from its settings.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose'
import * as z from 'zod/mini'
import { listFile } from '../../../core/draw/check-draw.ts'
import { type DrawRules, roundOfDraw } from '../../../core/draw/rules.ts'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import type { SaleDraw } from '../../../core/sale/sale-draw.ts'
import { signingKey } from '../../lib/session-token.ts'
import { immutable } from '../../lib/shop/site.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type DrawKeys, drawKeys } from '../../table/draw/draws.ts'
import type { DrawFiles, SignLine } from './keep-draw.ts'

export type FilesOfDraw = (saleId: SaleId) => DrawFiles

/** How caches keep a file of a draw, and its type. Readers see a new list or step within ten seconds. */
export function headersOfFile(path: string): { contentType: string; cacheControl: string } {
  const types = { json: 'application/json', txt: 'text/plain; charset=utf-8' }
  const type = Object.entries(types).find(([end]) => path.endsWith(end))?.[1]
  const isFinal = path.endsWith('.json') || path === listFile
  const cacheControl = isFinal ? immutable : 'public, max-age=0, s-maxage=10'
  return { contentType: type ?? 'application/octet-stream', cacheControl }
}

const idKeyBytes = 32

async function freshKeys(): Promise<DrawKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ids: randomBytes(idKeyBytes), signing: signingKey.parse(await exportJWK(privateKey)) }
}

/** The id of a shopper in a draw, which only the shop can connect with the shopper. */
export function entrantId(key: Uint8Array, shopperId: ShopperId): Uint8Array {
  return createHmac('sha256', key).update(shopperId).digest()
}

/** A key of offers: all that it opens is the way to the gate, so it stands beside the state of the draw. */
export const newOfferKey = () => randomBytes(idKeyBytes).toString('base64url')

/** The keys of a draw, and how it signs. */
export type OwnKeys = { ids: Uint8Array; publicKey: DrawRules['key']; sign: SignLine }

/** Keys never change, so an instance reads those of a sale once. */
const known = new WeakMap<Table, Map<SaleId, Promise<OwnKeys>>>()

/** @throws when the table is unavailable */
export async function openKeys(table: Table, saleId: SaleId): Promise<OwnKeys> {
  const ofTable = known.get(table) ?? new Map<SaleId, Promise<OwnKeys>>()
  known.set(table, ofTable)
  const keys = ofTable.get(saleId) ?? readOwnKeys(table, saleId)
  ofTable.set(saleId, keys)
  return keys.catch((error: unknown) => {
    ofTable.delete(saleId)
    throw error
  })
}

const publicKey = z.object({ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string() })

async function readOwnKeys(table: Table, saleId: SaleId): Promise<OwnKeys> {
  const { ids, signing } = await drawKeys(table, saleId, freshKeys)
  const [key, half] = [await importJWK(signing, 'ES256'), parse(publicKey, signing)]
  if (!half.ok) throw new RangeError(`the signing key is no ES256 key: ${half.detail}`)
  return {
    ids,
    publicKey: half.value,
    sign: ({ typ }, payload) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'ES256', typ })
        .sign(key),
  }
}

/** The rules of the draw of a sale. They never change once they are published. */
export function rulesOf(
  { saleId, stock, variants }: Pick<Sale, 'saleId' | 'stock' | 'variants'>,
  { opensAt, closesAt, commitSeconds, claimSeconds }: SaleDraw,
  { beacon, key }: Pick<DrawRules, 'beacon' | 'key'>,
): DrawRules {
  return {
    version: 1,
    sale: saleId,
    opensAt,
    closesAt,
    commitSeconds,
    round: roundOfDraw({ closesAt, commitSeconds, beacon }),
    beacon,
    variants: variants?.map(({ id, stock: units }) => ({ id, units })) ?? [{ units: stock }],
    claimWindowSeconds: claimSeconds,
    key,
  }
}
