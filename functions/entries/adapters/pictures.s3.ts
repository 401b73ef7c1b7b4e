/** Stores pictures in S3: uploads in a separate bucket, and the files that the site serves. */
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import * as z from 'zod/mini'
import { pictureFaults, storedPicture } from '../../../core/api/pictures.ts'
import { readJson } from '../../../core/lib/parse.ts'
import type { PictureStore, Uploads } from '../../control/pictures.ts'
import { immutable } from '../../lib/shop/shop.ts'
import { readObject } from './site.s3.ts'

export function s3Pictures(s3: S3Client, bucket: string): PictureStore {
  return {
    async put(path, bytes) {
      await s3.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: path,
          Body: bytes,
          ContentType: 'image/webp',
          CacheControl: immutable,
        }),
      )
    },
  }
}

const uploadResult = z.union([storedPicture, z.object({ refused: z.enum(pictureFaults) })])

/** Long enough to upload ten megabytes over a slow connection. */
const formSeconds = 600

const bytesOf = (uploadId: string) => `uploads/${uploadId}/bytes`
const resultOf = (uploadId: string) => `uploads/${uploadId}/result.json`

/**
 * Signs forms without a request. The host name of a form's address contains the bucket, so that the console's policy can
 * name it. A stand-in for S3 has no such host names.
 */
export function connectUploadForms({ AWS_ENDPOINT_URL_S3: other }: { AWS_ENDPOINT_URL_S3?: string }): S3Client {
  return new S3Client({ forcePathStyle: other !== undefined })
}

export function s3Uploads(s3: S3Client, forms: S3Client, bucket: string, clock: () => number): Uploads {
  const find = (key: string) => readObject(s3, { Bucket: bucket, Key: key })
  return {
    async begin(uploadId, type, maxBytes) {
      const { url, fields } = await createPresignedPost(forms, {
        Bucket: bucket,
        Key: bytesOf(uploadId),
        Fields: { 'Content-Type': type },
        Conditions: [['content-length-range', 1, maxBytes]],
        Expires: formSeconds,
      })
      return { url, fields, expiresAt: clock() + formSeconds * 1000 }
    },
    async read(uploadId, maxBytes) {
      const found = await find(bytesOf(uploadId))
      if (found === undefined) return undefined
      if ((found.ContentLength ?? 0) > maxBytes) {
        found.Body?.transformToWebStream().cancel()
        return 'too-large'
      }
      return found.Body?.transformToByteArray()
    },
    async result(uploadId) {
      const text = await (await find(resultOf(uploadId)))?.Body?.transformToString('utf8')
      const read = text === undefined ? undefined : readJson(uploadResult, text)
      return read?.ok ? read.value : undefined
    },
    async finish(uploadId, result) {
      await s3.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: resultOf(uploadId),
          Body: JSON.stringify(result),
          ContentType: 'application/json',
        }),
      )
      await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: bytesOf(uploadId) }))
    },
  }
}
