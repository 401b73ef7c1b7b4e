/**
 * The draw of a sale as the functions hold it: its public files beside the page of the sale, its keys in the table, and
 * the rules that follow from its settings.
 */
import { randomBytes } from 'node:crypto'
import { CompactSign, exportJWK, generateKeyPair, importJWK } from 'jose'
import * as z from 'zod/mini'
import { recordBytes } from '../../../core/draw/record.ts'
import { type DrawRules, roundOfDraw } from '../../../core/draw/rules.ts'
import { tileRecords } from '../../../core/draw/tree.ts'
import type { SaleId } from '../../../core/ids.ts'
import { parse } from '../../../core/lib/parse.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { lastDraws, type SaleDraw } from '../../../core/sale/sale-draw.ts'
import { publicHalf, type SigningKey, signingKey } from '../../lib/session-token.ts'
import { immutable } from '../../lib/shop/site.ts'
import type { Table } from '../../lib/shop/table.ts'
import { type DrawKeys, drawKeys, keyOfSeries } from '../../table/draw/draws.ts'
import type { DrawFiles, SignLine } from './keep-draw.ts'

export type FilesOfDraw = (saleId: SaleId) => DrawFiles

/** Heads, steps and a tile that grows: readers see a change within ten seconds. */
const growing = 'public, max-age=0, s-maxage=10'

/** How caches keep a file of a draw, and its type. */
export function headersOfFile(path: string, bytes: Uint8Array): { contentType: string; cacheControl: string } {
  const isWhole = path.endsWith('.json') || (/^tiles\/\d/.test(path) && bytes.length === tileRecords * recordBytes)
  const types = { json: 'application/json', txt: 'text/plain; charset=utf-8' }
  const type = Object.entries(types).find(([end]) => path.endsWith(end))?.[1]
  return { contentType: type ?? 'application/octet-stream', cacheControl: isWhole ? immutable : growing }
}

const idKeyBytes = 32

/** Draws of a series share the key of ids, and each signs with its own. */
async function freshKeys(table: Table, series: string | undefined): Promise<DrawKeys> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const fresh = randomBytes(idKeyBytes)
  const ids = series === undefined ? fresh : await keyOfSeries(table, series, fresh)
  return { ids, signing: signingKey.parse(await exportJWK(privateKey)) }
}

/** A key of offers: all that it opens is the way to the gate, so it stands beside the state of the draw. */
export const newOfferKey = () => randomBytes(idKeyBytes).toString('base64url')

/** The keys of a draw, and how it signs. */
export type OwnKeys = { ids: Uint8Array; publicKey: DrawRules['keys'][number]; sign: SignLine }

/** Keys never change, so an instance reads those of a sale once. */
const known = new WeakMap<Table, Map<SaleId, Promise<OwnKeys>>>()

/** `series` is that of a draw whose keys may not be made yet. @throws when the table is unavailable */
export async function openKeys(table: Table, saleId: SaleId, series?: string): Promise<OwnKeys> {
  const ofTable = known.get(table) ?? new Map<SaleId, Promise<OwnKeys>>()
  known.set(table, ofTable)
  const keys = ofTable.get(saleId) ?? readOwnKeys(table, saleId, series)
  ofTable.set(saleId, keys)
  return keys.catch((error: unknown) => {
    ofTable.delete(saleId)
    throw error
  })
}

async function readOwnKeys(table: Table, saleId: SaleId, series: string | undefined): Promise<OwnKeys> {
  const { ids, signing } = await drawKeys(table, saleId, () => freshKeys(table, series))
  return { ids, ...(await lineSigner(signing)) }
}

const publicKey = z.object({
  ...{ kty: z.literal('EC'), crv: z.literal('P-256') },
  ...{ x: z.string(), y: z.string(), kid: z.string() },
})

/** Signs lines with this key. @throws RangeError for another kind of key */
async function lineSigner(jwk: SigningKey): Promise<Pick<OwnKeys, 'publicKey' | 'sign'>> {
  const [key, half] = [await importJWK(jwk, 'ES256'), parse(publicKey, await publicHalf(jwk))]
  if (!half.ok) throw new RangeError(`the signing key is no ES256 key: ${half.detail}`)
  const { kid } = half.value
  return {
    publicKey: half.value,
    sign: ({ typ }, payload) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'ES256', kid, typ })
        .sign(key),
  }
}

/** The rules of the draw of a sale. They never change once they are published. */
export function rulesOf(
  { saleId, stock, variants, standby, currency }: Pick<Sale, 'saleId' | 'stock' | 'variants' | 'standby' | 'currency'>,
  { opensAt, closesAt, commitSeconds, claimSeconds, mostInGroup, series, ranks, odds, prizeValue: amount }: SaleDraw,
  { beacon, earlier, key }: Pick<DrawRules, 'beacon' | 'earlier'> & { key: DrawRules['keys'][number] },
): DrawRules {
  // A standby list begins without units: what comes back is added to it.
  const drawn = (units: number) => (standby === undefined ? units : 0)
  return {
    ...{ version: 1, sale: saleId, opensAt, closesAt, commitSeconds },
    round: roundOfDraw({ closesAt, commitSeconds, beacon }),
    ...{ beacon, lateBeacon: 'wait' },
    variants: variants?.map(({ id, stock: units }) => ({ id, units: drawn(units) })) ?? [{ units: drawn(stock) }],
    ...{ claimWindowSeconds: claimSeconds, mostInGroup },
    mostTries: series === undefined ? 1 : 1 + lastDraws,
    ...{ earlier, ties: 'lowest-id', groups: 'skip', keys: [key] },
    ...(ranks && { ranks }),
    ...(odds !== undefined && { odds }),
    ...(amount !== undefined && { prizeValue: { amount, currency } }),
  }
}
