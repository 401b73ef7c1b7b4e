/**
 * A shop's own site on another origin: one page with the elements, under a policy that allows no more than they need, and
 * an address that gives the token of the customer whose cookie the browser has. `/cart` is the checkout of that shop.
 */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { Browser } from '@playwright/test'
import { SignJWT } from 'jose'
import { afterAll } from 'vitest'
import { type Listening, listen } from '../../local/listen.ts'
import { control, type Shop } from '../journey/support.ts'
import { launchBrowser } from './browser.ts'
import { closePagesOfTests } from './visitor.ts'

type HostSite = Listening & {
  /** This address of the same machine is another site than `localhost`. */
  origin: string
  issuer: { issuer: string; jwks: { keys: object[] } }
  /** The address for `checkoutUrl`: one without TLS must be of `localhost`. */
  cart: string
  /** The pages at `/?{query}` and `/cart`: `body` is what they show, `how` their script and headers where these are others. */
  show(body: string, how?: { script?: string; headers?: Record<string, string> }): void
}

/**
 * A site whose customers the shop knows by the issuer `name`, and a browser without third-party cookies. Call it once per
 * file, outside of its tests.
 */
export async function openHostOf(stack: Shop, name: string): Promise<{ browser: Browser; host: HostSite }> {
  const browser = await launchBrowser(['--test-third-party-cookie-phaseout'])
  closePagesOfTests(browser)
  const host = await startHostSite(stack.url, `https://${name}.example`)
  await control(stack, `/customer-issuers/${name}`, host.issuer, 'PUT')
  afterAll(async () => {
    await control(stack, `/customer-issuers/${name}`, undefined, 'DELETE')
    await browser.close()
    await host.stop()
  })
  return { browser, host }
}

/** Sells from `saleOrigin`. The cookie `customer` says who is signed in; the first token of one named `old-…` has ended. */
async function startHostSite(saleOrigin: string, issuer: string): Promise<HostSite> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  let body = ''
  let how: Parameters<HostSite['show']>[1]
  const asked: string[] = []

  const policy = `default-src 'none'; script-src ${saleOrigin}; connect-src ${saleOrigin} 'self'; require-trusted-types-for 'script'`

  function tokenFor(sub: string): Promise<string> {
    const hasEnded = sub.startsWith('old-') && !asked.includes(sub)
    const madeAt = Math.floor(Date.now() / 1000) - (hasEnded ? 7200 : 0)
    asked.push(sub)
    return new SignJWT({ iss: issuer, aud: saleOrigin, sub })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'first' })
      .setIssuedAt(madeAt)
      .setExpirationTime(madeAt + 1800)
      .sign(privateKey)
  }

  const page = (language: string) =>
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Host</title>
<meta name="viewport" content="width=device-width">${how?.script ?? `<script async src="${saleOrigin}/elements.js"></script>`}</head>
<body><main><h1>Host</h1>${body}</main></body></html>`

  const server = createServer(async ({ url = '/', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://host')
    if (pathname === '/sale-token') {
      const [, customer] = /(?:^|; )customer=([\w-]+)/.exec(headers.cookie ?? '') ?? []
      response.writeHead(customer === undefined ? 401 : 200, { 'content-type': 'text/plain' })
      response.end(customer === undefined ? '' : await tokenFor(customer))
      return
    }
    if (pathname !== '/' && pathname !== '/cart') {
      response.writeHead(404).end()
      return
    }
    const own = how?.headers ?? { 'content-security-policy': policy }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...own })
    response.end(page(searchParams.get('lang') ?? 'en'))
  })
  const listening = await listen(server, 0)
  const { port } = new URL(listening.url)
  return {
    ...listening,
    origin: `http://127.0.0.1:${port}`,
    cart: `http://localhost:${port}/cart`,
    issuer: { issuer, jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }] } },
    show(next, otherwise) {
      body = next
      how = otherwise
    },
  }
}
