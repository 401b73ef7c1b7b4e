import { NextResponse } from 'next/server'

/** Answers each page with a strict policy: scripts of this site with its nonce, and the elements of the sale. */
export function proxy(request) {
  const { SLUICE_URL: sale } = process.env
  const nonce = btoa(crypto.randomUUID())
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' ${sale}`,
    `connect-src 'self' ${sale}`,
    "style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ].join('; ')
  // Next.js reads the nonce of its own scripts from the request.
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('content-security-policy', policy)
  return response
}

export const config = { matcher: '/' }
