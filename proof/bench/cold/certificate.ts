/**
 * A certificate for `localhost`, made anew for each measurement so that no key is stored (RFC 5280,
 * DER).
 */
import { generateKeyPairSync, sign } from 'node:crypto'

/** Both in PEM. */
export type Certificate = { certificate: string; key: string }

const yearMs = 365 * 86_400_000
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
const commonName = Buffer.from('0603550403', 'hex')
const subjectAltName = Buffer.from('0603551d11', 'hex')
const basicConstraints = Buffer.from('0603551d13', 'hex')

/** A self-signed certificate, valid for a year, and its private key. */
export function selfSignedCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from('localhost')))))
  const altNames = tagged(0x04, sequence(tagged(0x82, Buffer.from('localhost'))))
  const isAuthority = tagged(0x04, sequence(Buffer.from('0101ff', 'hex')))
  const extensions = sequence(sequence(subjectAltName, altNames), sequence(basicConstraints, isAuthority))
  const now = Date.now()
  const version3 = tagged(0xa0, Buffer.from('020102', 'hex'))
  const toBeSigned = sequence(
    version3,
    Buffer.from('020101', 'hex'),
    ecdsaWithSha256,
    name,
    sequence(timeOf(now - yearMs / 365), timeOf(now + yearMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
  const signature = tagged(0x03, Buffer.of(0), sign('sha256', toBeSigned, privateKey))
  const bytes = sequence(toBeSigned, ecdsaWithSha256, signature)
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

/** UTCTime, `YYMMDDHHMMSSZ`. */
function timeOf(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/[-:T]|\.\d+/g, '')
  return tagged(0x17, Buffer.from(digits.slice(2)))
}
