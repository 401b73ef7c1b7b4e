/**
 * Sign-in on this machine: every name is accepted. A deployment has an identity provider instead.
 */

import { claims, type Identity, issuer } from '../cli/identity.ts'
import { parse } from '../core/parse.ts'
import { passCookieText, passLifeSeconds } from '../core/pass.ts'
import { problemReply, type RouteReply } from './reply.ts'

const sessionSeconds = 8 * 3600

/** `getPass` asks the shop for the pass of a new session; undefined when it gives none. */
export type SignInParts = { identity: Identity; getPass(token: string): Promise<string | undefined> }

/**
 * Answers `POST /local/sign-in {shopperId, level?, roles?}` with a token, a pass if the shop gives one,
 * and the cookies of both: an identity provider that gets the pass with the session spares the page a
 * request.
 */
export async function signIn({ identity, getPass }: SignInParts, body: unknown): Promise<RouteReply> {
  const who = parse(claims, body)
  if (!who.ok) return problemReply('invalid-request', who.detail, { field: who.field })
  const { shopperId } = who.value
  const token = await identity.token(who.value, { expiresInSeconds: sessionSeconds, issuer })
  const pass = await getPass(token)
  return {
    status: 200,
    body: { token, shopperId, expiresInSeconds: sessionSeconds, ...(pass !== undefined && { pass }) },
    headers: {
      'set-cookie': [
        ...sessionCookies(token, encodeURIComponent(shopperId), sessionSeconds),
        ...(pass === undefined ? [] : [passCookieText(pass, passLifeSeconds)]),
      ],
    },
  }
}

/** Answers `DELETE /sign-in/session`: removes the session's cookies. */
export function signOut(): RouteReply {
  const headers = { 'set-cookie': [...sessionCookies('', '', 0), passCookieText('', 0)] }
  return { status: 204, body: undefined, headers }
}

/**
 * The session, for the gate alone, and the name, for the pages' header. Browsers treat
 * http://localhost as secure, so these are the cookies of a deployment.
 */
function sessionCookies(token: string, name: string, maxAgeSeconds: number): string[] {
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; Secure; SameSite=Lax`
  return [`sluice_session=${token}; ${attributes}; HttpOnly`, `sluice_who=${name}; ${attributes}`]
}
