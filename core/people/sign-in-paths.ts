/** Where sign-in begins, and the cookies of its function, which nothing else reads. */
export const signInRoute = '/api/sign-in'

/** Returns the address that signs the shopper in and leads back to `back`. */
export function signInPath(back: string): string {
  return `${signInRoute}?return=${encodeURIComponent(back)}`
}

/** Where a token that the shop has signed for its customer becomes a session. */
export const customerRoute = '/api/sign-in/customer'

/**
 * Begins the name of a cookie with the facts that the callback must find again: state, nonce, PKCE verifier and the way
 * back. Each attempt has one of its own, so that sign-ins in two tabs both end.
 */
export const signInCookiePrefix = 'sluice_sign_in_'

/** The refresh token. */
export const refreshCookie = 'sluice_refresh'

/** Returns a cookie of the sign-in's function. The way back from the issuer is cross-site, so it needs `Lax`. */
export function signInCookieText(
  name: string,
  value: string,
  maxAgeSeconds: number,
  sameSite: 'Lax' | 'Strict',
): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${signInRoute}; Secure; HttpOnly; SameSite=${sameSite}`
}

/** The origin of the shop, set by the gate: a function does not see which host the viewer asked. */
export const shopOriginHeader = 'x-shop-origin'
