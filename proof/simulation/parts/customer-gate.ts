/**
 * Verifies tokens that the shop has signed for its own customers, as an instance of the gate does: its memory over its
 * store, and its checks of a shopper (edge/checks/shopper.ts) in their order. Also creates keys and tokens of a shop.
 */
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { ShopperId } from '../../../core/ids.ts'
import { customerTokenSeconds } from '../../../core/people/customer-keys.ts'
import { createLists } from '../../../edge/memory/lists.ts'
import { createSessionTokens } from '../../../edge/memory/tokens.ts'
import type { Commander } from '../../../redis/command.ts'
import {
  readBlocklist,
  readCustomers,
  readFilter,
  readListVersions,
  readSaleIds,
} from '../../../redis/gate/shared-lists.ts'

export type CustomerGate = ReturnType<typeof openCustomerGate>

/** Customers by their subject, the current key of their shop, and the blocked key and customer. */
export type CustomerRecord = {
  readonly subjects: ReadonlyMap<string, ShopperId>
  key: KeyObject
  blocked: { key?: KeyObject; subject?: string }
}

/** The issuer of customer tokens. `origin` is the address of this shop, their audience. */
export const customerIssuer = { name: 'shop', url: 'https://accounts.shop.example' }
const origin = 'https://sale.shop.example'

/** `clock` returns epoch ms. */
export function openCustomerGate(store: Commander, clock: () => number) {
  const lists = createLists(
    {
      versions: () => readListVersions(store),
      blocklist: () => readBlocklist(store),
      filter: () => readFilter(store),
      customers: (version) => readCustomers(store, version),
      saleIds: () => readSaleIds(store),
    },
    { origins: new Set([origin]), clock, onFailure: () => undefined },
  )
  const tokens = createSessionTokens({ publicKeys: [], issuer: origin, audience: origin }, clock)
  return {
    /** Returns the shopper of an accepted token; undefined when the token is refused. */
    async shopperOf(token: string): Promise<ShopperId | undefined> {
      const verified = tokens.verify(token, lists.known().customers.issuers)
      const shopper = verified ?? tokens.verify(token, (await lists.get()).customers.issuers)
      if (shopper === undefined || shopper === 'expired') return undefined
      const { shopperId, keyId } = shopper
      const { blocks } = await lists.getAt(clock())
      const isWithdrawn = !lists.known().customers.keyIds.has(keyId)
      return isWithdrawn || blocks.hasSessionKey(keyId) || blocks.hasShopper(shopperId) ? undefined : shopperId
    },
  }
}

/** Returns an Ed25519 key, the same for each seed. The 32 bytes follow the PKCS#8 header (RFC 8410, 7). */
export function customerSigningKey(seed: string): KeyObject {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = Buffer.concat([head, createHash('sha256').update(seed).digest()])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

/** Signs a token of the shop for `subject` at `now`, epoch ms. */
export function customerToken(key: KeyObject, subject: string, now: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(now / 1000)
  const claims = { iss: customerIssuer.url, aud: origin, sub: subject, iat, exp: iat + customerTokenSeconds }
  const signed = `${part({ alg: 'EdDSA' })}.${part(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
