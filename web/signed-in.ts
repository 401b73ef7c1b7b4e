/**
 * The person who is signed in, by the cookies that a script can read: the name for the header, and the pass. The session
 * itself is a cookie that no script can read.
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

/** Shows the name in the header, and beside it the way out; a stranger's way in leads back to this page. */
export function showWho(): void {
  const name = whoIsHere()
  const link = byId('who', HTMLAnchorElement)
  if (name !== null) setText(link, name)
  else link.href = signInPath(location.pathname + location.search)
  byId('sign-out', HTMLButtonElement).hidden = name === null
}

/**
 * Lets the control end the session here, and then at the identity provider, which leads back to the shop.
 * Without an address of it the page is loaded again.
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

/** The name in `document.cookie`, or null. It is percent-encoded there; what cannot be decoded is shown as it stands. */
export function nameInCookies(cookies: string): string | null {
  const text = cookieIn(cookies, whoCookie)
  return text === '' ? null : decoded(text)
}

/** The pass in `document.cookie`, whether it is still valid or not. */
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
