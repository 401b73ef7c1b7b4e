/**
 * The signed-in name in the header. The session itself is a cookie that no script can read; the
 * sign-in sets a second cookie with the name, for the header only.
 */
import { nameInCookies } from './cookies.ts'
import { byId, setText } from './dom.ts'
import { call } from './http.ts'

/** The name of who signed in on this browser, or null. */
export function whoIsHere(): string | null {
  return nameInCookies(document.cookie)
}

/** Whether signing in is impossible. */
export function surelyStranger(): boolean {
  return whoIsHere() === null
}

/** Shows the name in the header, and beside it the way out. */
export function showWho(): void {
  const name = whoIsHere()
  if (name !== null) setText(byId('who', HTMLAnchorElement), name)
  byId('sign-out', HTMLButtonElement).hidden = name === null
}

/** Lets the control end the session; the page is then loaded again without one. */
export function startSignOut(): void {
  byId('sign-out', HTMLButtonElement).addEventListener('click', async () => {
    const reply = await call(window.fetch.bind(window), '/sign-in/session', { method: 'DELETE' })
    if (reply.kind === 'ok') location.reload()
  })
}
