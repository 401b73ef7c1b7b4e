/**
 * The lists that the gate shares between sales: the block list (R8), the published sales (B4), and the issuers of customer
 * tokens. Every instance of the gate polls the small versions, and fetches a list only when its version has changed.
 */
import { createHash } from 'node:crypto'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { type Commander, command } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { customersKey, sharedListKeys } from '../keys.ts'
import { integer, kindOf, list, text } from '../reply.ts'
import { defineScript } from '../script.ts'
import blockSource from './block.lua'
import listSource from './list-sale.lua'
import publishSource from './publish-filter.lua'
import replacePassKeysSource from './replace-pass-keys.lua'

// Marked pure: a bundle carries only the scripts that it runs.
const blockScript = /* @__PURE__ */ defineScript('block', blockSource)
const blockCodes = { changed: 1, unchanged: 2 } as const
const listScript = /* @__PURE__ */ defineScript('list-sale', listSource)
const listCodes = { changed: 1, unchanged: 2 } as const
const publishScript = /* @__PURE__ */ defineScript('publish-filter', publishSource)
const publishCodes = { published: 1, moved: 2 } as const
const replacePassKeysScript = /* @__PURE__ */ defineScript('replace-pass-keys', replacePassKeysSource)
const replacePassKeysCodes = { replaced: 1, moved: 2 } as const

/**
 * 0 means that a list never existed. The filter is current when its version is not below that of `sales`. `passKeys` are the
 * keys themselves in the format of `passKeysText` (core/gate/pass.ts), because they are as short as a version; empty before
 * the first. `customers` is a digest of the issuers, empty before the first.
 */
export type SharedListVersions = {
  blocklist: number
  sales: number
  filter: number
  passKeys: string
  customers: string
}

/**
 * Reads the current versions in one command.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readListVersions(redis: Commander): Promise<SharedListVersions> {
  const fields = ['blocklist', 'sales', 'filter', 'passKeys', 'customers']
  const read = await command(redis, ['HMGET', sharedListKeys.versions, ...fields])
  const [blocklist, sales, filter, passKeys, customers] = list(read, 'versions')
  return {
    blocklist: integer(blocklist ?? 0, 'blocklist'),
    sales: integer(sales ?? 0, 'sales'),
    filter: integer(filter ?? 0, 'filter'),
    passKeys: text(passKeys ?? '', 'passKeys'),
    customers: text(customers ?? '', 'customers'),
  }
}

/**
 * Publishes pass keys that were derived from the stored keys `present`. `moved`: other keys are stored, and nothing changed.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function replacePassKeys(
  redis: Commander,
  present: string,
  keys: string,
): Promise<keyof typeof replacePassKeysCodes> {
  const [code] = await replacePassKeysScript.run(redis, [sharedListKeys.versions], [present, keys])
  return kindOf(replacePassKeysCodes, code, 'replace-pass-keys')
}

/**
 * Publishes pass keys and overwrites any others.
 * @throws RedisUnavailable
 */
export async function setPassKeys(redis: Commander, keys: string): Promise<void> {
  await command(redis, ['HSET', sharedListKeys.versions, 'passKeys', keys])
}

/** Reads the block list, in the format of `blockField` (core/gate/block.ts). @throws RedisUnavailable, UnexpectedReply */
export async function readBlocklist(redis: Commander): Promise<readonly string[]> {
  const fields = list(await command(redis, ['HKEYS', sharedListKeys.blocklist]), 'blocklist')
  return fields.map((field) => text(field, 'blocklist'))
}

/** Blocks or unblocks `field` at `now` (epoch ms). Repeatable. @throws RedisUnavailable, UnexpectedReply */
export async function setBlocked(redis: Commander, field: string, blocked: boolean, now: number): Promise<void> {
  const args = [field, blocked ? '1' : '0', String(now)]
  const [code] = await blockScript.run(redis, [sharedListKeys.blocklist, sharedListKeys.versions], args)
  kindOf(blockCodes, code, 'block')
}

/**
 * The result of a change of the list. `wasCurrent`: a filter was published, and it included all sales of the list before the
 * change. `listVersion` is the version of the list afterwards.
 */
export type ListedSale = { isChanged: boolean; wasCurrent: boolean; listVersion: number }

/** Publishes a sale at `now` (epoch ms), or removes it. Repeatable. @throws RedisUnavailable, UnexpectedReply */
export async function listSale(redis: Commander, saleId: SaleId, listed: boolean, now: number): Promise<ListedSale> {
  const args = [saleId, listed ? '1' : '0', String(now)]
  const [code, ...counters] = await listScript.run(redis, [sharedListKeys.sales, sharedListKeys.versions], args)
  const isChanged = kindOf(listCodes, code, 'list-sale') === 'changed'
  const [list = 0, filter = 0, changed = list] = counters.map((counter) => integer(counter, 'list-sale'))
  return { isChanged, wasCurrent: filter > 0 && filter >= list, listVersion: changed }
}

/**
 * Reads the ids of all published sales in one command.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readSaleIds(redis: Commander): Promise<readonly SaleId[]> {
  return list(await command(redis, ['SMEMBERS', sharedListKeys.sales]), 'sales').map(publishedSale)
}

/**
 * True when all of `saleIds` are published. Sends one command per 1,000 ids.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function areListed(redis: Commander, saleIds: readonly SaleId[]): Promise<boolean> {
  for (const some of slicesOf(saleIds, 1000)) {
    const found = await command(redis, ['SMISMEMBER', sharedListKeys.sales, ...some])
    if (list(found, 'sales').some((one) => integer(one, 'sales') === 0)) return false
  }
  return true
}

/** Reads the published sales, of `listVersion` or a later version. @throws RedisUnavailable, UnexpectedReply */
export async function readSales(redis: Commander): Promise<{ listVersion: number; saleIds: readonly SaleId[] }> {
  const { sales: listVersion } = await readListVersions(redis)
  return { listVersion, saleIds: await readSaleIds(redis) }
}

function publishedSale(member: unknown): SaleId {
  const saleId = parseSaleId(member)
  if (saleId === undefined) throw new UnexpectedReply('the list of sales holds what is no sale id')
  return saleId
}

/**
 * Publishes the filter of the sales of `salesVersion`, at `now` (epoch ms). `moved`: the list has changed, and nothing was
 * stored; read it again.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function publishFilter(
  redis: Commander,
  filter: Uint8Array,
  salesVersion: number,
  now: number,
): Promise<keyof typeof publishCodes> {
  const args = [Buffer.from(filter).toString('base64'), String(salesVersion), String(now)]
  const [code] = await publishScript.run(redis, [sharedListKeys.filter, sharedListKeys.versions], args)
  return kindOf(publishCodes, code, 'publish-filter')
}

/** Reads the filter of the published sales; undefined when none was published. @throws RedisUnavailable, UnexpectedReply */
export async function readFilter(redis: Commander): Promise<Uint8Array | undefined> {
  const found = await command(redis, ['GET', sharedListKeys.filter])
  return found === null ? undefined : Buffer.from(text(found, 'filter'), 'base64')
}

/** Characters of a digest, enough to make versions unique. */
const versionLength = 22

/** Returns the version of a text of `customersText` (core/people/customer-keys.ts). */
export function customersVersion(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, versionLength)
}

/**
 * Publishes the issuers of customers to the gate and removes those of version `former`. Writes the text before its version,
 * so that a reader of the version finds it. Safe to repeat.
 * @throws RedisUnavailable
 */
export async function publishCustomers(redis: Commander, customers: string, former: string): Promise<void> {
  const version = customersVersion(customers)
  await command(redis, ['SET', customersKey(version), customers])
  await command(redis, ['HSET', sharedListKeys.versions, 'customers', version])
  if (former !== '' && former !== version) await command(redis, ['DEL', customersKey(former)])
}

/** Reads the issuers of `version`; undefined if they were removed. @throws RedisUnavailable, UnexpectedReply */
export async function readCustomers(redis: Commander, version: string): Promise<string | undefined> {
  const found = await command(redis, ['GET', customersKey(version)])
  return found === null ? undefined : text(found, 'customers')
}
