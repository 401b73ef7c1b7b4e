/**
 * Maps the claims of a verified ID token to a shopper. A malformed claim only reduces rights: an unknown role or a
 * malformed level is dropped, and without a valid shopper id there is no session.
 */
import { parseShopperId, type ShopperId } from '../../core/ids.ts'
import { ownValue } from '../../core/lib/own-value.ts'
import { shownName } from '../../core/people/shown-name.ts'
import { type Role, roles } from '../../core/roles.ts'
import type { ClaimMapping } from './sign-in-settings.ts'

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string; readonly iss: string }

/** `name` is for the header of the pages; it is no identity. */
export type Person = { shopperId: ShopperId; level: number | undefined; roles: Role[]; name: string }

/** The highest level, as in `POST /local/sign-in`. */
const maxLevel = 100

/** Returns the shopper; undefined when the claims contain no valid id. */
export function readPerson(mapping: ClaimMapping, claims: Claims): Person | undefined {
  const shopperId = parseShopperId(readShopperId(mapping, claims))
  if (shopperId === undefined) return undefined
  return {
    shopperId,
    level: readLevel(claimOf(claims, mapping.level)),
    roles: readRoles(claimOf(claims, mapping.roles), mapping.roleNames),
    name: shownName(claimOf(claims, mapping.name)) ?? shopperId,
  }
}

/** Reads the id. An unverified email address is not accepted, because it could be another shopper's. */
function readShopperId({ shopperId }: ClaimMapping, claims: Claims): unknown {
  if (shopperId === 'email') return claims.email_verified === true ? claims.email : undefined
  return shopperId === 'sub' ? claims.sub : `${scopeOf(claims.iss)}|${claims.sub}`
}

/** Returns host and path of an issuer, in the characters of a shopper id. */
function scopeOf(issuer: string): string {
  const { host, pathname } = new URL(issuer)
  return (host + pathname).replace(/\/+$/, '').replaceAll('/', ':')
}

function claimOf(claims: Claims, name: string | undefined): unknown {
  return name === undefined ? undefined : ownValue(claims, name)
}

/** Reads a number that may be written as text: some providers write numbers so, Cognito always. */
function readLevel(claim: unknown): number | undefined {
  const level = typeof claim === 'string' && /^\d{1,3}$/.test(claim) ? Number(claim) : claim
  const isLevel = typeof level === 'number' && Number.isInteger(level) && level >= 0 && level <= maxLevel
  return isLevel ? level : undefined
}

function readRoles(claim: unknown, names: Readonly<Record<string, Role>> | undefined): Role[] {
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim]
  const ours = (name: unknown) => (names === undefined ? name : typeof name === 'string' && ownValue(names, name))
  const found = new Set(given.map(ours))
  return roles.filter((role) => found.has(role))
}
