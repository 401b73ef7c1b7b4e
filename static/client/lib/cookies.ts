/** Finds what a page can read among its cookies. */
import { type Pass, passCookie, passPattern } from '../../../core/gate/pass.ts'
import { whoCookie } from '../../../core/people/session.ts'

/**
 * The name in `document.cookie`, or null. It is percent-encoded there; what cannot be decoded is shown as it stands.
 */
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
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
