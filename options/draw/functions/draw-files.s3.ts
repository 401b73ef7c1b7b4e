/** Stores the public files of draws in S3. */
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { addedFilePath } from '../../../core/sale/pointer.ts'
import { isAlreadyCreated, readObject } from '../../../functions/entries/adapters/site.s3.ts'
import { immutable } from '../../../functions/lib/shop/shop.ts'
import { listFile } from '../core/check-draw.ts'
import type { FilesOfDraw } from './draw-of-sale.ts'

export function s3DrawFiles(s3: S3Client, bucket: string): FilesOfDraw {
  return (saleId) => {
    /** The ETags as last read or written; undefined for a file that was missing. */
    const known = new Map<string, string | undefined>()
    return {
      async read(path) {
        const object = await readObject(s3, { Bucket: bucket, Key: addedFilePath(saleId, 'draw', path) })
        known.set(path, object?.ETag)
        return object?.Body?.transformToByteArray()
      },
      async write(path, bytes) {
        const { contentType, cacheControl } = headersOfFile(path)
        const etag = known.get(path)
        const file = { Bucket: bucket, Key: addedFilePath(saleId, 'draw', path) }
        const put = new PutObjectCommand({
          ...{ ...file, Body: bytes, ContentType: contentType, CacheControl: cacheControl },
          ...(etag === undefined ? { IfNoneMatch: '*' } : { IfMatch: etag }),
        })
        const ETag = await s3.send(put).then(
          (written) => written.ETag,
          async (error: unknown) => {
            if (known.has(path) || !isAlreadyCreated(error)) throw error
            const present = await readObject(s3, file)
            const isSame = Buffer.compare((await present?.Body?.transformToByteArray()) ?? Buffer.of(), bytes) === 0
            if (!isSame) throw error
            return present?.ETag
          },
        )
        known.set(path, ETag)
      },
    }
  }
}

/** Returns the cache policy and type of a file. Readers see a new list or step within ten seconds. */
function headersOfFile(path: string): { contentType: string; cacheControl: string } {
  const types = { json: 'application/json', txt: 'text/plain; charset=utf-8' }
  const type = Object.entries(types).find(([end]) => path.endsWith(end))?.[1]
  const isFinal = path.endsWith('.json') || path === listFile
  const cacheControl = isFinal ? immutable : 'public, max-age=0, s-maxage=10'
  return { contentType: type ?? 'application/octet-stream', cacheControl }
}
