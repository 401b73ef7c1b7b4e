import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * A token for half an hour for the customer with that id.
 * @throws when a setting is missing or the key cannot be read
 */
export function customerToken(sub) {
  const { SLUICE_URL: sale, SHOP_ISSUER: issuer, SHOP_KEY_FILE: file, SHOP_KEY_ID: kid = 'first' } = process.env
  if (!sale || !issuer || !file) throw new Error('set SLUICE_URL, SHOP_ISSUER and SHOP_KEY_FILE')
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: issuer, aud: sale, sub, iat, exp: iat + 1800 }
  const signed = `${part({ alg: 'EdDSA', kid })}.${part(claims)}`
  const key = createPrivateKey(readFileSync(file))
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}
