/**
 * Sign-in on this machine: every name is accepted. A deployment has an identity provider instead.
 */

import { claims, type Identity, issuer } from '../cli/identity.ts'
import { parse } from '../core/parse.ts'
import { problemReply, type RouteReply } from './reply.ts'

const sessionSeconds = 8 * 3600

/**
 * Answers `POST /local/sign-in {shopperId, level?, roles?}` with a token and the cookies of its
 * session.
 */
export async function signIn(identity: Identity, body: unknown): Promise<RouteReply> {
  const who = parse(claims, body)
  if (!who.ok) return problemReply('invalid-request', who.detail, { field: who.field })
  const { shopperId } = who.value
  const token = await identity.token(who.value, { expiresInSeconds: sessionSeconds, issuer })
  return {
    status: 200,
    body: { token, shopperId, expiresInSeconds: sessionSeconds },
    headers: sessionCookies(token, encodeURIComponent(shopperId), sessionSeconds),
  }
}

/** Answers `DELETE /sign-in/session`: removes the session's cookies. */
export function signOut(): RouteReply {
  return { status: 204, body: undefined, headers: sessionCookies('', '', 0) }
}

/**
 * The session, for the gate alone, and the name, for the pages' header. Browsers treat
 * http://localhost as secure, so these are the cookies of a deployment.
 */
function sessionCookies(token: string, name: string, maxAgeSeconds: number): RouteReply['headers'] {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; Secure; SameSite=Lax`
  return {
    'set-cookie': [`sluice_session=${token}; ${attributes}; HttpOnly`, `sluice_who=${name}; ${attributes}`],
  }
}
