/** The shops whose customers may buy: the control calls that list, add and change them. */
import { isDeepStrictEqual } from 'node:util'
import { controlOperations } from '../../core/api/control-requests.ts'
import { type CustomerIssuerInput, type CustomerIssuerView, maxIssuers } from '../../core/people/customer-issuer.ts'
import { customerKeysIn, rotatedKeys } from '../lib/customer-jwks.ts'
import { invalid } from '../lib/http/answer.ts'
import type { GatePorts, Shop } from '../lib/shop/shop.ts'
import { publishIssuers, readKeysAt } from '../repair/gate/customer-keys.ts'
import type { Actor } from '../sales/audit.ts'
import { customerIssuers, type StoredIssuer } from '../table/people/customer-issuers.ts'
import { refusal } from './answers.ts'
import { onControl } from './entrance.ts'
import { savedAfter, untilWritten } from './save-record.ts'

export type CustomerPorts = GatePorts & Pick<Shop, 'readPublicJson'>

/** `taken` names the entry that has the issuer already. `unusable` is about that field of the input. */
export type IssuerSaved =
  | { kind: 'saved'; issuer: StoredIssuer }
  | { kind: 'full' }
  | { kind: 'taken'; name: string }
  | { kind: 'unusable'; field: 'jwksUrl' | 'jwks'; failure: string }

/**
 * Saves the issuer in the place of the one of that name, after its keys have been read and found good. Keys of the former
 * one that are not among the new ones stay for as long as their last token may live.
 */
function saveCustomerIssuer(
  ports: CustomerPorts,
  actor: Actor,
  name: string,
  input: CustomerIssuerInput,
): Promise<IssuerSaved> {
  return untilWritten(name, () => saveOnce(ports, actor, name, input))
}

/** Undefined when another call has changed the issuer meanwhile. */
async function saveOnce(
  ports: CustomerPorts,
  actor: Actor,
  name: string,
  { issuer, signInUrl, jwksUrl, jwks }: CustomerIssuerInput,
): Promise<IssuerSaved | undefined> {
  const all = await customerIssuers.all(ports.table)
  const former = all.find((one) => one.name === name)
  const other = all.find((one) => one.name !== name && one.issuer === issuer)
  if (other !== undefined) return { kind: 'taken', name: other.name }
  if (former === undefined && all.length >= maxIssuers) return { kind: 'full' }
  const read = jwksUrl === undefined ? customerKeysIn(jwks?.keys ?? []) : await readKeysAt(ports, jwksUrl)
  if ('failure' in read) {
    return { kind: 'unusable', field: jwksUrl === undefined ? 'jwks' : 'jwksUrl', failure: read.failure }
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
    return { kind: 'saved', issuer: former }
  }
  const audit = {
    ...({ ...actor, what: 'save-customer-issuer', saleId: null, when: now } as const),
    before: former === undefined ? null : settingsOf(former),
    after: settingsOf(next),
  }
  if ((await customerIssuers.put(ports.table, next, audit, former)) === 'refused') return undefined
  await publishIssuers(ports)
  return { kind: 'saved', issuer: next }
}

/** Takes back the issuer of that name, if there is one: no token of its keys is good any more. */
async function removeCustomerIssuer(ports: GatePorts, actor: Actor, name: string): Promise<void> {
  await customerIssuers.remove(ports.table, name, {
    ...{ ...actor, what: 'delete-customer-issuer', saleId: null, when: ports.clock() },
    before: { issuerName: name },
    after: null,
  })
  await publishIssuers(ports)
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

function issuerView({
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
    issuers: (await customerIssuers.all(table)).map(issuerView),
  })),
  onControl(controlOperations.saveCustomerIssuer, async (ports: CustomerPorts, { actor, params: { name }, body }) => {
    const outcome = await saveCustomerIssuer(ports, actor, name, body)
    switch (outcome.kind) {
      case 'saved':
        return issuerView(outcome.issuer)
      case 'full':
        return refusal({ reason: 'issuers-full', values: { limit: maxIssuers } })
      case 'taken':
        return refusal({ reason: 'issuer-taken', values: { name: outcome.name }, field: 'issuer' })
      case 'unusable':
        return invalid(outcome.field, `${outcome.field} ${outcome.failure}`)
    }
  }),
  onControl(controlOperations.deleteCustomerIssuer, async (ports: GatePorts, { actor, params: { name } }) => {
    await removeCustomerIssuer(ports, actor, name)
    return { name }
  }),
]
