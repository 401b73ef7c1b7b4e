/**
 * Reads the signed-in name and the pass from the cookies that scripts can read. The session itself is an `HttpOnly` cookie.
 */
import { type Pass, passCookie, passPattern } from '../core/gate/pass.ts'
import { whoCookie } from '../core/people/session.ts'
import { signInPath, signInRoute } from '../core/people/sign-in-paths.ts'
import { byId, setText } from './dom.ts'
import { call } from './http.ts'
import { fieldsOf } from './wire.ts'

export function whoIsHere(): string | null {
  return nameInCookies(document.cookie)
}

/** Shows the name and the sign-out in the header, or a sign-in that leads back to this page. */
export function showWho(): void {
  const name = whoIsHere()
  const link = byId('who', HTMLAnchorElement)
  if (name !== null) setText(link, name)
  else link.href = signInPath(location.pathname + location.search)
  byId('sign-out', HTMLButtonElement).hidden = name === null
}

/**
 * Makes the sign-out button end the session here and at the identity provider, which leads back to the shop. Without an
 * address of the provider the page reloads.
 */
export function startSignOut(): void {
  byId('sign-out', HTMLButtonElement).addEventListener('click', async () => {
    const reply = await call(fetch, `${signInRoute}/end`, { method: 'POST' })
    if (reply.kind !== 'ok') return
    const { endSessionUrl } = fieldsOf(reply.body) ?? {}
    if (typeof endSessionUrl === 'string') location.assign(endSessionUrl)
    else location.reload()
  })
}

/** Returns the name in `document.cookie`, or null. Decodes percent-encoding where it is valid. */
export function nameInCookies(cookies: string): string | null {
  const text = cookieIn(cookies, whoCookie)
  return text === '' ? null : decoded(text)
}

/** Returns the pass in `document.cookie`, valid or expired. */
export function passInCookies(cookies: string): Pass | undefined {
  const [, shopperHash, expiry] = passPattern.exec(cookieIn(cookies, passCookie)) ?? []
  return shopperHash === undefined ? undefined : { shopperHash, expiresAt: Number(expiry) }
}

function cookieIn(cookies: string, name: string): string {
  const pair = cookies.split('; ').find((each) => each.startsWith(`${name}=`))
  return pair?.slice(name.length + 1) ?? ''
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
