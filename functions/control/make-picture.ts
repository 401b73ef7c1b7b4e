/** Makes the published picture of an upload. Repeating the call gives the same answer. */
import { createHash } from 'node:crypto'
import { maxUploadBytes, type PictureFault, type StoredPicture } from '../../core/api/pictures.ts'
import type { Refusal, RefusalReason } from '../../core/refusals.ts'
import { baseName, pictureFile } from '../../core/sale/pictures.ts'
import { inspect } from './inspect-picture.ts'
import { maxPixels, maxSide, type PictureFile, type ReEncoded, reEncode } from './re-encode-picture.ts'
import type { PictureShelf, UploadResult, Uploads } from './uploads.ts'

export type PicturePorts = { uploads: Uploads; shelf: PictureShelf; newUploadId: () => string }

export type PictureMade = { kind: 'stored'; picture: StoredPicture } | ({ kind: 'refused' } & Refusal)

/**
 * The files are published before the result is kept, and the result before the bytes are removed: a
 * call that repeats one that was cut off finds the bytes or the result.
 * @throws when a bucket is unavailable
 */
export async function makePicture({ uploads, shelf }: PicturePorts, uploadId: string): Promise<PictureMade> {
  const bytes = await uploads.read(uploadId, maxUploadBytes)
  if (bytes === undefined) {
    const kept = await uploads.result(uploadId)
    return kept === undefined ? refusedFor('unknown-upload') : answerOf(kept)
  }
  const made = bytes === 'too-large' || bytes.length === 0 ? refused('picture-bytes') : await filesFrom(bytes)
  const result = made.kind === 'refused' ? { refused: made.reason } : await publish(shelf, made.files)
  await uploads.finish(uploadId, result)
  return answerOf(result)
}

function answerOf(result: UploadResult): PictureMade {
  return 'refused' in result ? refusedFor(result.refused) : { kind: 'stored', picture: result }
}

async function filesFrom(bytes: Uint8Array): Promise<ReEncoded> {
  const inspected = inspect(bytes)
  return inspected.kind === 'refused' ? inspected : reEncode(bytes, inspected.type)
}

async function publish(shelf: PictureShelf, files: readonly PictureFile[]): Promise<StoredPicture> {
  const content = createHash('sha256')
  for (const { bytes } of files) content.update(bytes)
  const hash = content.digest('hex').slice(0, 32)
  await Promise.all(files.map(({ width, bytes }) => shelf.put(pictureFile(hash, width), bytes)))
  const { width = 0, height = 0 } = files.at(-1) ?? {}
  return { src: baseName(hash, { width, height }), width, height, widths: files.map((file) => file.width) }
}

const refused = (reason: PictureFault) => ({ kind: 'refused', reason }) as const

function refusedFor(reason: RefusalReason): PictureMade {
  const values = { pixels: maxPixels / 1_000_000, side: maxSide, megabytes: maxUploadBytes / 1_000_000 }
  return { kind: 'refused', reason, values }
}
