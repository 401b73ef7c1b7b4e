/**
 * The modules of CloudFront's runtime 2.0, as far as they are emulated
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html,
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-custom-methods.html).
 */
import { createHmac } from 'node:crypto'
import type { EdgeLocation } from './key-value-store.ts'

/** What a function's `import cf from 'cloudfront'` and `import crypto from 'crypto'` give it. */
export function viewerModules(store: EdgeLocation | undefined) {
  return {
    cloudfront: {
      kvs() {
        if (store === undefined) throw new Error('the function has no associated key-value store')
        return handleOf(store)
      },
    },
    crypto: { createHmac: hmac },
  }
}

/** Every method is asynchronous, and `get` rejects for a missing key. */
function handleOf(store: EdgeLocation) {
  return {
    async get(key: string, { format = 'string' }: { format?: string } = {}): Promise<unknown> {
      const value = store.get(key)
      if (value === undefined) throw new Error('KeyNotFound')
      if (format === 'string') return value
      if (format === 'json') return JSON.parse(value)
      throw new Error(`the format ${format} is not emulated`)
    },
    exists: async (key: string) => store.get(key) !== undefined,
    async meta() {
      const { createdAt, changedAt, itemCount } = store.meta()
      return {
        creationDateTime: new Date(createdAt).toISOString(),
        lastUpdatedDateTime: new Date(changedAt).toISOString(),
        keyCount: itemCount,
      }
    },
  }
}

const encodings = ['hex', 'base64', 'base64url'] as const

function hmac(algorithm: string, key: string) {
  if (algorithm !== 'sha256') throw new Error(`the algorithm ${algorithm} is not emulated`)
  const mac = createHmac(algorithm, key)
  const signer = {
    update(data: string) {
      mac.update(data)
      return signer
    },
    digest(encoding: string): string {
      const known = encodings.find((one) => one === encoding)
      if (known === undefined) throw new Error(`the encoding ${encoding} is not emulated`)
      return mac.digest(known)
    },
  }
  return signer
}
