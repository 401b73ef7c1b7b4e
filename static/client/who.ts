/**
 * Who is signed in, as the header shows it. The session itself is a cookie that no script can read; the name is
 * kept beside it for the header only. Pages of a build with its own sign-in page have a control to sign out.
 */
import { byId, openStore, setText } from './dom.ts'
import { call } from './http.ts'

const whoKey = 'sluice.who'

/** The name of who signed in on this browser, or null. */
export function whoIsHere(): string | null {
  return openStore('localStorage').getItem(whoKey)
}

/**
 * Whether nobody can be signed in. Only a build with its own sign-in page is told when somebody comes in; elsewhere the
 * shop alone knows.
 */
export function surelyStranger(): boolean {
  return whoIsHere() === null && document.getElementById('sign-out') !== null
}

/** Remembers who signed in. */
export function rememberWho(name: string): void {
  openStore('localStorage').setItem(whoKey, name)
}

/** Shows the name in the header, and beside it the way out. */
export function showWho(): void {
  const name = whoIsHere()
  if (name !== null) setText(byId('who', HTMLAnchorElement), name)
  const signOut = document.getElementById('sign-out')
  if (signOut !== null) signOut.hidden = name === null
}

/** Lets the control end the session; the page is then read anew, as a stranger sees it. */
export function startSignOut(): void {
  document.getElementById('sign-out')?.addEventListener('click', async () => {
    const reply = await call(window.fetch.bind(window), '/local/sign-in', { method: 'DELETE' })
    if (reply.kind !== 'ok') return
    openStore('localStorage').removeItem(whoKey)
    location.reload()
  })
}
