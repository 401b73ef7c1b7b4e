/** Sign-in on this machine: whoever asks is believed. A deployment has an identity provider instead. */
import { parse } from '../core/parse.ts'
import { claims, type Identity, issuer } from './identity.ts'
import { type Reply, refusal } from './reply.ts'

const sessionSeconds = 8 * 3600

// Browsers treat http://localhost as secure, so the cookie is the one a deployment would set.
const attributes = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** Answers `POST /local/sign-in {shopperId, level?, roles?}`: the token, and the same as session cookie. */
export async function signIn(identity: Identity, body: unknown): Promise<Reply> {
  const who = parse(claims, body)
  if (!who.ok) return refusal('invalid-request', who.detail, { field: who.field })
  const token = await identity.token(who.value, { expiresInSeconds: sessionSeconds, issuer })
  return {
    status: 200,
    body: { token, shopperId: who.value.shopperId, expiresInSeconds: sessionSeconds },
    headers: { 'set-cookie': `sluice_session=${token}; Max-Age=${sessionSeconds}; ${attributes}` },
  }
}

/** Answers `DELETE /local/sign-in`: the browser forgets the session. */
export function signOut(): Reply {
  return {
    status: 204,
    body: undefined,
    headers: { 'set-cookie': `sluice_session=; Max-Age=0; ${attributes}` },
  }
}
