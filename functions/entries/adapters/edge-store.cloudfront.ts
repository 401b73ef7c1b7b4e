/** The store of the CloudFront Functions: a CloudFront KeyValueStore. */
// Registers the signer of version 4A, the only one that this API accepts.
import '@aws-sdk/signature-v4a'
import {
  CloudFrontKeyValueStoreClient,
  ConflictException,
  DescribeKeyValueStoreCommand,
  GetKeyCommand,
  ResourceNotFoundException,
  UpdateKeysCommand,
} from '@aws-sdk/client-cloudfront-keyvaluestore'
import type { EdgeStore } from '../../lib/shop/shop.ts'

/** Connects with the region, credentials and endpoint that the SDK reads from the environment. */
export function connectEdgeStore(): CloudFrontKeyValueStoreClient {
  return new CloudFrontKeyValueStoreClient({
    maxAttempts: 3,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
  })
}

export function cloudFrontEdgeStore(client: CloudFrontKeyValueStoreClient, arn: string): EdgeStore {
  const store = { KvsARN: arn }
  return {
    async etag() {
      const { ETag } = await client.send(new DescribeKeyValueStoreCommand(store))
      if (ETag === undefined) throw new Error(`${arn} was described without an ETag`)
      return ETag
    },
    async read(key) {
      try {
        const { Value } = await client.send(new GetKeyCommand({ ...store, Key: key }))
        return Value
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return undefined
        throw error
      }
    },
    /** After a lost reply the SDK's retry answers `conflict` although the first call took effect. */
    async update(etag, changes) {
      const Puts = [...changes].flatMap(([Key, Value]) => (Value === undefined ? [] : [{ Key, Value }]))
      const Deletes = [...changes].flatMap(([Key, Value]) => (Value === undefined ? [{ Key }] : []))
      try {
        await client.send(new UpdateKeysCommand({ ...store, IfMatch: etag, Puts, Deletes }))
        return 'updated'
      } catch (error) {
        if (error instanceof ConflictException) return 'conflict'
        throw error
      }
    },
  }
}
