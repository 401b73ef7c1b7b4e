/** The shops whose customers may buy: the control calls that list, add and change them. */
import { isDeepStrictEqual } from 'node:util'
import { controlOperations } from '../../core/api/control-requests.ts'
import { type CustomerIssuerInput, type CustomerIssuerView, maxIssuers } from '../../core/people/customer-issuer.ts'
import { customerKeysIn, rotatedKeys } from '../lib/customer-jwks.ts'
import { type HttpAnswer, invalid } from '../lib/http/answer.ts'
import type { GatePorts, Shop } from '../lib/shop/shop.ts'
import { publishIssuers, readKeysAt } from '../repair/gate/customer-keys.ts'
import type { Actor } from '../sales/audit.ts'
import { customerIssuers, type StoredIssuer } from '../table/people/customer-issuers.ts'
import { refusal } from './answers.ts'
import { onControl } from './entrance.ts'
import { savedAfter, untilWritten } from './save-record.ts'

type CustomerPorts = GatePorts & Pick<Shop, 'readPublicJson'>

/**
 * Saves the issuer in the place of the one of that name, after its keys have been read and found good. Keys of the former
 * one that are not among the new ones stay for as long as their last token may live. Undefined when another call has changed
 * the issuer meanwhile.
 */
async function saveIssuer(
  ports: CustomerPorts,
  actor: Actor,
  name: string,
  { issuer, signInUrl, jwksUrl, jwks }: CustomerIssuerInput,
): Promise<CustomerIssuerView | HttpAnswer | undefined> {
  const all = await customerIssuers.all(ports.table)
  const former = all.find((one) => one.name === name)
  const other = all.find((one) => one.name !== name && one.issuer === issuer)
  if (other !== undefined) return refusal({ reason: 'issuer-taken', values: { name: other.name }, field: 'issuer' })
  if (former === undefined && all.length >= maxIssuers) {
    return refusal({ reason: 'issuers-full', values: { limit: maxIssuers } })
  }
  const read = jwksUrl === undefined ? customerKeysIn(jwks?.keys ?? []) : await readKeysAt(ports, jwksUrl)
  if ('failure' in read) {
    const field = jwksUrl === undefined ? 'jwks' : 'jwksUrl'
    return invalid(field, `${field} ${read.failure}`)
  }
  const now = ports.clock()
  // Another issuer's keys are those of another shop system: nothing of theirs may stay.
  const keys = former?.issuer === issuer ? rotatedKeys(former.keys, read, now) : read
  const next: StoredIssuer = {
    ...{ name, issuer, signInUrl, jwksUrl, keys, savedAt: savedAfter(former, now) },
    ...(jwksUrl !== undefined && { checkedAt: now }),
  }
  const isFine = former?.failure === undefined
  if (former !== undefined && isFine && isDeepStrictEqual(settingsOf(former), settingsOf(next))) {
    await publishIssuers(ports)
    return viewOf(former)
  }
  const audit = {
    ...({ ...actor, what: 'save-customer-issuer', saleId: null, when: now } as const),
    before: former === undefined ? null : settingsOf(former),
    after: settingsOf(next),
  }
  if ((await customerIssuers.put(ports.table, next, audit, former)) === 'refused') return undefined
  await publishIssuers(ports)
  return viewOf(next)
}

/** The fields that a marketer decides, as the record of changes has them. */
function settingsOf({ name, issuer, signInUrl, jwksUrl, keys }: StoredIssuer) {
  return {
    ...{ issuerName: name, issuer },
    ...(signInUrl !== undefined && { signInUrl }),
    ...(jwksUrl !== undefined && { jwksUrl }),
    keys: keys.filter(({ until }) => until === undefined).map(({ id }) => id),
  }
}

function viewOf({
  keys,
  signInUrl,
  jwksUrl,
  checkedAt,
  failure,
  failedSince,
  ...rest
}: StoredIssuer): CustomerIssuerView {
  return {
    ...rest,
    signInUrl: signInUrl ?? null,
    jwksUrl: jwksUrl ?? null,
    checkedAt: checkedAt ?? null,
    failure: failure ?? null,
    failedSince: failedSince ?? null,
    keys: keys.map(({ id, kid, alg, until }) => ({ id, kid: kid ?? null, alg, until: until ?? null })),
  }
}

export const customerRoutes = [
  onControl(controlOperations.listCustomerIssuers, async ({ table }: Pick<Shop, 'table'>) => ({
    issuers: (await customerIssuers.all(table)).map(viewOf),
  })),
  onControl(controlOperations.saveCustomerIssuer, async (ports: CustomerPorts, { actor, params: { name }, body }) =>
    untilWritten(name, () => saveIssuer(ports, actor, name, body)),
  ),
  // No token of its keys is good any more.
  onControl(controlOperations.deleteCustomerIssuer, async (ports: GatePorts, { actor, params: { name } }) => {
    await customerIssuers.remove(ports.table, name, {
      ...{ ...actor, what: 'delete-customer-issuer', saleId: null, when: ports.clock() },
      before: { issuerName: name },
      after: null,
    })
    await publishIssuers(ports)
    return { name }
  }),
]
