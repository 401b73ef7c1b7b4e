/** The shops whose customers may buy: the control calls that list, add and change them. */
import { controlOperations } from '../../core/api/control-requests.ts'
import { customerIssuerView, issuerKeyView, maxIssuers, refusedView } from '../../core/people/customer-issuer.ts'
import { type RefusedTokens, readRefusedTokens } from '../../redis/gate/demand.ts'
import { publishIssuers, readKeysAt } from '../gate/customer-keys.ts'
import { readCustomerKeys, rotateKeys } from '../lib/customer-jwks.ts'
import { invalid } from '../lib/http/answer.ts'
import type { GatePorts, ShopContext } from '../lib/shop/shop.ts'
import { customerIssuers, type StoredIssuer } from '../table/people/customer-issuers.ts'
import { refusal, viewAs } from './answers.ts'
import { nullIfUnavailable } from './live.ts'
import { onControl } from './staff.ts'

type CustomerPorts = GatePorts & Pick<ShopContext, 'readPublicJson'>

const refusedIn = ({ gate, clock }: Pick<ShopContext, 'gate' | 'clock'>) =>
  nullIfUnavailable(() => readRefusedTokens(gate, clock()))

const viewOf = (issuer: StoredIssuer, refused: readonly RefusedTokens[] | null) => ({
  ...viewAs(customerIssuerView, issuer),
  keys: issuer.keys.map((key) => viewAs(issuerKeyView, key)),
  refused:
    refused?.filter(({ issuerName }) => issuerName === issuer.name).map((one) => viewAs(refusedView, one)) ?? null,
})

export const customerRoutes = [
  onControl(controlOperations.listCustomerIssuers, async (ports: Pick<ShopContext, 'table' | 'gate' | 'clock'>) => {
    const [issuers, refused] = await Promise.all([customerIssuers.all(ports.table), refusedIn(ports)])
    return { issuers: issuers.map((issuer) => viewOf(issuer, refused)) }
  }),
  // Saves nothing unless the keys can be read and used. Former keys that were replaced stay valid for the lifetime of a token.
  onControl(controlOperations.saveCustomerIssuer, async (ports: CustomerPorts, { actor, params: { name }, body }) => {
    const { issuer, signInUrl, jwksUrl, jwks } = body
    const saved = await customerIssuers.save(ports, { actor, name }, async (former, all) => {
      const other = all.find((one) => one.name !== name && one.issuer === issuer)
      if (other !== undefined) return refusal({ reason: 'issuer-taken', values: { name: other.name }, field: 'issuer' })
      const read = jwksUrl === undefined ? readCustomerKeys(jwks?.keys ?? []) : await readKeysAt(ports, jwksUrl)
      if ('failure' in read) {
        const field = jwksUrl === undefined ? 'jwks' : 'jwksUrl'
        return invalid(field, `${field} ${read.failure}`)
      }
      const now = ports.clock()
      // Keys of another issuer belong to another shop system, so keep none of them.
      const keys = former?.issuer === issuer ? rotateKeys(former.keys, read, now) : read
      return { issuer, signInUrl, jwksUrl, keys, ...(jwksUrl !== undefined && { checkedAt: now }) }
    })
    if (saved === 'full') return refusal({ reason: 'issuers-full', values: { limit: maxIssuers } })
    if ('statusCode' in saved) return saved
    await publishIssuers(ports)
    return viewOf(saved, await refusedIn(ports))
  }),
  // From now on the gate rejects every token of this issuer.
  onControl(controlOperations.deleteCustomerIssuer, async (ports: GatePorts, { actor, params: { name } }) => {
    const removed = await customerIssuers.remove(ports, { actor, name })
    await publishIssuers(ports)
    return removed
  }),
]
