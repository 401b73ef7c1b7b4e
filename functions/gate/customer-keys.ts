/**
 * The keys of the shop's own customers. The table holds the issuers and the keys read from their addresses; the gate's store
 * holds a copy for every instance of the gate. No click waits for this.
 */
import { parse } from '../../core/lib/parse.ts'
import { keySet } from '../../core/people/customer-issuer.ts'
import { customersText } from '../../core/people/customer-keys.ts'
import { customersVersion, publishCustomers, readCustomers, readListVersions } from '../../redis/gate/shared-lists.ts'
import { type ReadKeys, readCustomerKeys, rotateKeys } from '../lib/customer-jwks.ts'
import { NotReadable } from '../lib/http/public-http.ts'
import type { GatePorts, ShopContext } from '../lib/shop/shop.ts'
import { customerIssuers, type StoredIssuer } from '../table/people/customer-issuers.ts'

/** How old the keys of an address may be, ms. A shop publishes a new key this long before it signs with it. */
const keysAgeMs = 10 * 60_000

/** Marketers may change the list while it is published; after this many rounds the next run continues. */
const maxRounds = 3

/** Reads the keys at `jwksUrl`, or returns why there are none, as a sentence without its subject. */
export async function readKeysAt(
  { readPublicJson }: Pick<ShopContext, 'readPublicJson'>,
  jwksUrl: string,
): Promise<ReadKeys> {
  try {
    const document = parse(keySet, await readPublicJson(jwksUrl))
    return document.ok ? readCustomerKeys(document.value.keys) : { failure: `is no set of keys: ${document.detail}` }
  } catch (error) {
    if (error instanceof NotReadable) return { failure: `cannot be read: ${error.message}` }
    throw error
  }
}

/**
 * Reads the keys that are due and publishes what the gate lacks. When an address cannot be read, its keys stay as they were.
 * @throws when the table or the gate's store is unavailable
 */
export async function refreshCustomerKeys(
  ports: GatePorts & Pick<ShopContext, 'readPublicJson' | 'log'>,
): Promise<void> {
  const issuers = await customerIssuers.all(ports.table)
  const recorded = await Promise.all(issuers.map((issuer) => refresh(ports, issuer)))
  await publishIssuers(ports, recorded.includes(true) ? undefined : issuers)
}

/** Refreshes one issuer; true when something was recorded. */
async function refresh(
  ports: GatePorts & Pick<ShopContext, 'readPublicJson' | 'log'>,
  issuer: StoredIssuer,
): Promise<boolean> {
  const { name, jwksUrl, keys, checkedAt, savedAt, failedSince } = issuer
  const now = ports.clock()
  const kept = keys.filter(({ until }) => until === undefined || until > now)
  if (jwksUrl === undefined || now - Math.max(checkedAt ?? 0, savedAt) < keysAgeMs) {
    if (kept.length === keys.length) return false
    await customerIssuers.note(ports.table, issuer, { keys: kept })
    return true
  }
  const read = await readKeysAt(ports, jwksUrl)
  const found =
    'failure' in read
      ? { keys: kept, failure: read.failure, failedSince: failedSince ?? now }
      : { keys: rotateKeys(keys, read, now), failure: undefined, failedSince: undefined }
  if ('failure' in read) ports.log.warn('keys of customers not read', { issuer: name, failure: read.failure })
  await customerIssuers.note(ports.table, issuer, { ...found, checkedAt: now })
  return true
}

/**
 * Makes the gate's issuers equal to the table's. Every writer reads the table again after writing, so the last one publishes
 * the latest state. Costs two small reads when nothing has changed, and one when the table was just `listed`. Safe to repeat.
 * @throws when the table or the gate's store is unavailable
 */
export async function publishIssuers(
  { gate, table }: Pick<ShopContext, 'gate' | 'table'>,
  listed?: readonly StoredIssuer[],
): Promise<void> {
  for (let round = 1; round <= maxRounds; round += 1) {
    const issuers = (round === 1 ? listed : undefined) ?? (await customerIssuers.all(table))
    const { customers: present } = await readListVersions(gate)
    // A shop without issuers publishes nothing, unless it must replace an earlier list.
    if (issuers.length === 0 && present === '') return
    const text = customersText(issuers.map(gateView))
    if (customersVersion(text) === present && (await readCustomers(gate, present)) !== undefined) return
    await publishCustomers(gate, text, present)
  }
}

function gateView({ name, issuer, signInUrl, keys }: StoredIssuer) {
  return { name, issuer, ...(signInUrl !== undefined && { signInUrl }), keys }
}
