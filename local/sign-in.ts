/**
 * The short way to a session on this machine, for tools and tests: every name is accepted. Shoppers go
 * through the local issuer (issuer/).
 */

import { claims, type Identity, issuer } from '../cli/identity.ts'
import { passCookieText, passLifeSeconds } from '../core/gate/pass.ts'
import { parse } from '../core/lib/parse.ts'
import { defaultSessionSeconds, sessionCookieTexts } from '../core/people/session-cookies.ts'
import { problemReply, type RouteReply } from './listen.ts'

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
  const token = await identity.token(who.value, { expiresInSeconds: defaultSessionSeconds, issuer })
  const pass = await getPass(token)
  return {
    status: 200,
    body: { token, shopperId, expiresInSeconds: defaultSessionSeconds, ...(pass !== undefined && { pass }) },
    headers: {
      'set-cookie': [
        ...sessionCookieTexts(token, shopperId, defaultSessionSeconds),
        ...(pass === undefined ? [] : [passCookieText(pass, passLifeSeconds)]),
      ],
    },
  }
}
