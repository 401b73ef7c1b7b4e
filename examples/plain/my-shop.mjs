// A shop in one file: it signs tokens for its customers and shows one page, which sells a sale of Sluice.
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'

const { SALE: saleId = 'stoneware-mug', PORT: port = '8080' } = process.env
const { SLUICE_URL: sale = 'http://localhost:8787' } = process.env
const issuer = `http://localhost:${port}`
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first', use: 'sig' }] }
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

function customerToken(sub) {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: sale, sub, iat, exp: iat + 1800 }
  const signed = `${part({ alg: 'EdDSA', kid: 'first' })}.${part(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>My shop</title>
<meta name="viewport" content="width=device-width"><script async crossorigin src="${sale}/elements.js"></script></head>
<body><h1>My shop</h1>
<sluice-sale sale="${saleId}" token-from="/sale-token">
  <a href="${sale}/sales/${saleId}/">Buy it here</a>
</sluice-sale></body></html>`

createServer(({ url }, response) => {
  // Your shop knows who is signed in, and answers 401 to a guest. Here every visitor is customer 4711.
  let [type, text] = ['text/html; charset=utf-8', page]
  if (url === '/sale-token') [type, text] = ['text/plain', customerToken('4711')]
  if (url === '/jwks.json') [type, text] = ['application/json', JSON.stringify(jwks)]
  response.writeHead(200, { 'content-type': type }).end(text)
}).listen(port, () => console.log(`my shop: ${issuer}`))
