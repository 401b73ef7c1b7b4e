/**
 * The signed-in name in the header. The session itself is a cookie that no script can read; the
 * sign-in sets a second cookie with the name, for the header only.
 */
import { signInPath, signInRoute } from '../../../core/people/sign-in-paths.ts'
import { nameInCookies } from '../lib/cookies.ts'
import { byId, setText } from '../lib/dom.ts'
import { call } from '../lib/http.ts'
import { fieldsOf } from '../lib/wire.ts'

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
    const reply = await call(window.fetch.bind(window), `${signInRoute}/end`, { method: 'POST' })
    if (reply.kind !== 'ok') return
    const { endSessionUrl } = fieldsOf(reply.body) ?? {}
    if (typeof endSessionUrl === 'string') location.assign(endSessionUrl)
    else location.reload()
  })
}
