// The app proxy of the block: it answers the token of the customer who is signed in at a Shopify store.
import { createHmac, createPrivateKey, sign, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

/** Whether Shopify has signed the query (https://shopify.dev/docs/apps/build/online-store/app-proxies/authenticate-app-proxies). */
export function isSigned(query, secret) {
  const names = [...new Set(query.keys())].filter((name) => name !== 'signature')
  const text = names.map((name) => `${name}=${query.getAll(name).join(',')}`).sort()
  const expected = createHmac('sha256', secret).update(text.join('')).digest('hex')
  const given = query.get('signature') ?? ''
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

/** The status and the text for a request that came by the proxy, at `now` in epoch seconds. */
export function answerTo(query, { secret, store, sale, issuer, keyId, key }, now) {
  const isFresh = Math.abs(now - Number(query.get('timestamp'))) <= 90
  if (!isSigned(query, secret) || !isFresh || query.get('shop') !== store) return [403, '']
  const customer = query.get('logged_in_customer_id') ?? ''
  if (!/^\d+$/.test(customer)) return [401, '']
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: issuer, aud: sale, sub: customer, iat: now, exp: now + 1800 }
  const signed = `${part({ alg: 'EdDSA', kid: keyId })}.${part(claims)}`
  return [200, `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`]
}

function start() {
  const { SHOPIFY_API_SECRET: secret, STORE: store, SLUICE_URL: sale, ISSUER: issuer, KEY_FILE } = process.env
  const { KEY_ID: keyId = 'first', PORT: port = '3000' } = process.env
  for (const [name, value] of Object.entries({
    SHOPIFY_API_SECRET: secret,
    STORE: store,
    SLUICE_URL: sale,
    ISSUER: issuer,
    KEY_FILE,
  })) {
    if (!value) throw new Error(`set ${name}`)
  }
  const settings = { secret, store, sale, issuer, keyId, key: createPrivateKey(readFileSync(KEY_FILE)) }
  createServer((request, response) => {
    const query = new URLSearchParams(request.url.split('?')[1])
    const [status, text] = answerTo(query, settings, Math.floor(Date.now() / 1000))
    response.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(text)
  }).listen(port, () => console.log(`app proxy: port ${port}`))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) start()
