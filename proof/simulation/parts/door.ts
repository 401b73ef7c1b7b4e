/**
 * What an instance of the gate lets in by tokens that the shop has signed for its own customers: the gate's memory over its
 * store, and its checks of a shopper (edge/checks/shopper.ts) in their order. Besides, keys of a shop and their tokens.
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

/** `shopperOf` gives who a token lets in, undefined for one that is refused. */
export type Door = { shopperOf: (token: string) => Promise<ShopperId | undefined> }

/** Customers by their subject, the key that their shop signs with now, and which of both is blocked. */
export type CustomerRecord = {
  readonly subjects: ReadonlyMap<string, ShopperId>
  key: KeyObject
  blocked: { key?: KeyObject; subject?: string }
}

/** The issuer of the tokens of a shop's customers, and the address of this shop, for which they are meant. */
export const customerIssuer = { name: 'shop', url: 'https://accounts.shop.example' }
const origin = 'https://sale.shop.example'

/** `clock` gives epoch ms. */
export function openDoor(store: Commander, clock: () => number): Door {
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
    async shopperOf(token) {
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

/** An Ed25519 key, the same for each seed. Its 32 bytes follow the head of their PKCS#8 (RFC 8410, 7). */
export function signingKey(seed: string): KeyObject {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  const key = Buffer.concat([head, createHash('sha256').update(seed).digest()])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

/** A token that the shop signs for `subject` at `now`, epoch ms. */
export function customerToken(key: KeyObject, subject: string, now: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(now / 1000)
  const claims = { iss: customerIssuer.url, aud: origin, sub: subject, iat, exp: iat + customerTokenSeconds }
  const signed = `${part({ alg: 'EdDSA' })}.${part(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
