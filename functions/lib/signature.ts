/**
 * Signs requests to AWS, Signature Version 4. The SDK's signer needs several times as much processor time: it derives a key
 * to find the one that it has, and copies the request with its headers.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'

/** Set by Lambda, and valid for the life of the environment; the token belongs to a role. */
export type AwsAccess = {
  AWS_REGION: string
  AWS_ACCESS_KEY_ID: string
  AWS_SECRET_ACCESS_KEY: string
  AWS_SESSION_TOKEN?: string | undefined
}

type Headers = Readonly<Record<string, string>>

/**
 * All headers of a POST of `body` to the path `/` of `host`, signed at `at`. The signature covers the headers of which AWS
 * requires that, whose names are in small letters.
 */
type Sign = (host: string, headers: Headers, body: string | Uint8Array, at: Date) => Record<string, string>

const mustSign = /^(?:host|content-type|x-amz-.*)$/

/** `service` is the name that AWS uses in signatures, such as `sqs`. */
export function signerOf(service: string, access: AwsAccess): Sign {
  const { AWS_REGION: region, AWS_SESSION_TOKEN: token } = access
  let known: { day: string; key: KeyObject } | undefined

  /** The key of a day. As a KeyObject: with bare bytes Node needs three times as long for an HMAC. */
  function keyOf(day: string): KeyObject {
    if (known?.day === day) return known.key
    let key = Buffer.from(`AWS4${access.AWS_SECRET_ACCESS_KEY}`)
    for (const word of [day, region, service, 'aws4_request']) {
      key = createHmac('sha256', key).update(word).digest()
    }
    known = { day, key: createSecretKey(key) }
    return known.key
  }

  return (host, headers, body, at) => {
    const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
    const day = time.slice(0, 8)
    const sent: Record<string, string> = { ...headers, host, 'x-amz-date': time }
    if (token) sent['x-amz-security-token'] = token
    const names = Object.keys(sent)
      .filter((name) => mustSign.test(name))
      .sort()
    const lines = names.map((name) => `${name}:${sent[name]?.trim().replace(/ +/g, ' ')}\n`).join('')
    const signed = names.join(';')
    const request = `POST\n/\n\n${lines}\n${signed}\n${hash('sha256', body, 'hex')}`
    const scope = `${day}/${region}/${service}/aws4_request`
    const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash('sha256', request, 'hex')}`
    const signature = createHmac('sha256', keyOf(day)).update(text).digest('hex')
    const credential = `Credential=${access.AWS_ACCESS_KEY_ID}/${scope}`
    sent.authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signed}, Signature=${signature}`
    return sent
  }
}
