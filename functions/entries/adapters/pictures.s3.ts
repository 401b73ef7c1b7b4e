/** The published files of pictures in the bucket of the site. */
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { PictureShelf } from '../../control/uploads.ts'
import { immutable } from '../../lib/shop/site.ts'

export function s3Pictures(s3: S3Client, bucket: string): PictureShelf {
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
