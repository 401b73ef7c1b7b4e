/** The paths and cookies of sign-in. Only its function reads the cookies. */
export const signInRoute = '/api/sign-in'

/** Returns the path that signs the shopper in and then returns to `back`. */
export function signInPath(back: string): string {
  return `${signInRoute}?return=${encodeURIComponent(back)}`
}

/** The path that exchanges a customer token of the shop for a session. */
export const customerRoute = '/api/sign-in/customer'

/**
 * The prefix of cookies with the state of a sign-in for its callback: state, nonce, PKCE verifier and return path. Each
 * attempt has its own cookie, so that sign-ins in two tabs both work.
 */
export const signInCookiePrefix = 'sluice_sign_in_'

/** Contains the refresh token. */
export const refreshCookie = 'sluice_refresh'

/** Returns a cookie of the sign-in function. The redirect from the issuer is cross-site, so its cookie needs `Lax`. */
export function signInCookieText(
  name: string,
  value: string,
  maxAgeSeconds: number,
  sameSite: 'Lax' | 'Strict',
): string {
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${signInRoute}; Secure; HttpOnly; SameSite=${sameSite}`
}

/** The header with the origin of the shop. The gate sets it, because functions do not see the host of the request. */
export const shopOriginHeader = 'x-shop-origin'
