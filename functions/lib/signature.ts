/** Signs requests to AWS with Signature Version 4, the SDK's signer and Node's SHA-256. */
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { awsVariables, Environment } from './env.ts'

/** The variables are valid for the life of the environment. */
export type AwsAccess = Environment<typeof awsVariables>

type Headers = Readonly<Record<string, string>>

/** Resolves with all headers of a POST of `body` to the path `/` of `host`, signed at `at`. */
type Sign = (host: string, headers: Headers, body: string, at: Date) => Promise<Headers>

/** Returns a signer. `service` is the name that AWS uses in signatures, such as `sqs`. */
export function signerOf(service: string, access: AwsAccess): Sign {
  const { AWS_SESSION_TOKEN: sessionToken } = access
  const signer = new SignatureV4({
    service,
    region: access.AWS_REGION,
    credentials: {
      accessKeyId: access.AWS_ACCESS_KEY_ID,
      secretAccessKey: access.AWS_SECRET_ACCESS_KEY,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    sha256: Sha256,
    // Only S3 needs the hash of the body in a header as well.
    applyChecksum: false,
  })
  return async (host, headers, body, signingDate) => {
    const request = { method: 'POST', protocol: 'https:', hostname: host, path: '/', body }
    const signed = await signer.sign({ ...request, headers: { ...headers, host } }, { signingDate })
    return signed.headers
  }
}

type Bytes = ArrayBuffer | ArrayBufferView

/** SHA-256 in the interface of the signer; an HMAC when there is a secret. */
class Sha256 {
  readonly #hash

  constructor(secret?: string | Bytes) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret))
  }

  update(data: Uint8Array): void {
    this.#hash.update(data)
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}

/** Returns bytes as a KeyObject: Node needs three times as long for an HMAC with plain bytes. */
function keyOf(secret: string | Bytes): string | KeyObject {
  if (typeof secret === 'string') return secret
  if (!ArrayBuffer.isView(secret)) return createSecretKey(new Uint8Array(secret))
  return createSecretKey(new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength))
}
