/** Stores public objects in S3. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import type { Site, SiteObject } from '../../lib/shop/shop.ts'

export const s3MaxAttempts = 3

/** Connects with what the SDK reads from the environment. `limitMs` limits one try of a request. */
export function connectS3(limitMs = 2000): S3Client {
  return new S3Client({
    forcePathStyle: true,
    maxAttempts: s3MaxAttempts,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: limitMs, throwOnRequestTimeout: true },
  })
}

export function s3Site(s3: S3Client, bucket: string): Site {
  const put = ({ path, body, contentType, cacheControl }: SiteObject, onlyIfAbsent: boolean) =>
    s3.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: path,
        Body: body,
        ContentType: contentType,
        CacheControl: cacheControl,
        ...(onlyIfAbsent ? { IfNoneMatch: '*' } : {}),
      }),
    )
  return {
    async read(path) {
      return (await readObject(s3, { Bucket: bucket, Key: path }))?.Body?.transformToString('utf8')
    },
    async put(object) {
      await put(object, false)
    },
    async create(object) {
      try {
        await put(object, true)
      } catch (error) {
        if (!isAlreadyCreated(error)) throw error
      }
    },
    async remove(path) {
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: path }))
    },
  }
}

/** Returns undefined for a missing object. */
export async function readObject(s3: S3Client, object: { Bucket: string; Key: string }) {
  try {
    return await s3.send(new GetObjectCommand(object))
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}

/** True when another writer has created the object, just now (409) or before (412). */
export function isAlreadyCreated(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  return status === 412 || status === 409
}
