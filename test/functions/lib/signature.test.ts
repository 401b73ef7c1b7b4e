import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { describe, expect, it } from 'vitest'
import { signerOf } from '../../../functions/lib/signature.ts'

/** The examples that AWS publishes as its Signature Version 4 test suite. */
const access = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const token =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

const host = 'example.amazonaws.com'
const at = new Date('2015-08-30T12:36:00Z')
const scope = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'

describe('a signature', () => {
  it.each([
    [
      'post-vanilla',
      {},
      '',
      {},
      'host;x-amz-date',
      '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    ],
    [
      'post-x-www-form-urlencoded',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'Param1=value1',
      {},
      'content-type;host;x-amz-date',
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
    [
      'post-sts-header-before',
      {},
      '',
      { AWS_SESSION_TOKEN: token },
      'host;x-amz-date;x-amz-security-token',
      '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    ],
  ])('is that of %s in the test suite of AWS', (_name, headers, body, session, signed, signature) => {
    const sign = signerOf('service', { ...access, ...session })
    expect(sign(host, headers, body, at)).toEqual({
      ...headers,
      host,
      'x-amz-date': '20150830T123600Z',
      ...(signed.includes('token') ? { 'x-amz-security-token': token } : {}),
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${signed}, Signature=${signature}`,
    })
  })

  it.each([{}, { AWS_SESSION_TOKEN: token }])(
    'is the one of the SDK’s signer, also on the next day: %j',
    async (session) => {
      const all = { ...access, ...session }
      const sign = signerOf('sqs', all)
      const theirs = new SignatureV4({
        ...{ service: 'sqs', region: all.AWS_REGION, sha256: Sha256, applyChecksum: false },
        credentials: {
          accessKeyId: all.AWS_ACCESS_KEY_ID,
          secretAccessKey: all.AWS_SECRET_ACCESS_KEY,
          ...('AWS_SESSION_TOKEN' in session && { sessionToken: token }),
        },
      })
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'AmazonSQS.SendMessage',
        'x-amz-user-agent': ' aws-sdk-js/3  ua/2.1 ',
      }
      for (const body of ['{"MessageBody":"库存"}', '{}']) {
        for (const signingDate of ['2026-11-27T23:59:59.999Z', '2026-11-28T00:00:00Z'].map(
          (time) => new Date(time),
        )) {
          const request = { method: 'POST', protocol: 'https:', hostname: host, path: '/', query: {}, body }
          const expected = await theirs.sign({ ...request, headers: { ...headers, host } }, { signingDate })
          expect(sign(host, headers, body, signingDate)).toEqual(expected.headers)
          expect(sign(host, headers, Buffer.from(body), signingDate)).toEqual(expected.headers)
        }
      }
    },
  )

  it('leaves out headers that proxies change', () => {
    const sign = signerOf('sqs', access)
    const more = { 'X-Amzn-Trace-Id': 'Root=1', 'user-agent': 'a', 'content-length': '2' }
    expect(sign(host, more, '{}', at)).toEqual({ ...more, ...sign(host, {}, '{}', at) })
  })
})

/** SHA-256 in the form that the SDK's signer takes; with a secret, its HMAC. */
class Sha256 {
  readonly #hash

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret))
  }

  update(data: Uint8Array) {
    this.#hash.update(data)
  }

  async digest() {
    return this.#hash.digest()
  }
}

function keyOf(secret: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof secret === 'string') return secret
  return ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret)
}
