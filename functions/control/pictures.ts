/**
 * `POST /api/control/pictures` and `POST /api/control/pictures/{uploadId}`: makes the published picture of an upload.
 * Each may bring its bytes once, and what came of them is kept for a day, so repeating the call gives the same answer.
 */
import { createHash } from 'node:crypto'
import { pictureOperations } from '../../core/api/picture-operations.ts'
import {
  maxUploadBytes,
  type PictureFault,
  type PictureType,
  parseUploadId,
  type StoredPicture,
} from '../../core/api/pictures.ts'
import type { Refusal, RefusalReason } from '../../core/refusals.ts'
import { baseName, pictureFile } from '../../core/sale/pictures.ts'
import { createApp } from '../lib/http/app.ts'
import { refusal } from './answers.ts'
import { forStaff, onControl } from './entrance.ts'
import { inspect } from './inspect-picture.ts'
import { maxPixels, maxSide, type PictureFile, type ReEncoded, reEncode } from './re-encode-picture.ts'

export type PicturePorts = { uploads: Uploads; shelf: PictureShelf; newUploadId: () => string }

type PictureMade = { kind: 'stored'; picture: StoredPicture } | ({ kind: 'refused' } & Refusal)

/**
 * The files are published before the result is kept, and the result before the bytes are removed: a
 * call that repeats one that was cut off finds the bytes or the result.
 * @throws when a bucket is unavailable
 */
async function makePicture({ uploads, shelf }: PicturePorts, uploadId: string): Promise<PictureMade> {
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

/** What a browser sends with the bytes; `expiresAt` is epoch ms. */
type UploadForm = { url: string; fields: Record<string, string>; expiresAt: number }

/** The result of an upload: the published picture, or why it was refused. */
export type UploadResult = StoredPicture | { refused: PictureFault }

/** All throw when the bucket is unavailable. Ids are those that `core/api/pictures.ts` accepts. */
export type Uploads = {
  /** A signed form for this upload alone: its name, its type, and at most `maxBytes`. */
  begin: (uploadId: string, type: PictureType, maxBytes: number) => Promise<UploadForm>
  /** The bytes; `too-large` without reading them, undefined when there are none. */
  read: (uploadId: string, maxBytes: number) => Promise<Uint8Array | 'too-large' | undefined>
  /** The result of the upload, if it is finished. */
  result: (uploadId: string) => Promise<UploadResult | undefined>
  /** Keeps the result, and then removes the bytes. Safe to repeat. */
  finish: (uploadId: string, result: UploadResult) => Promise<void>
}

/** Publishes one file of a picture; its name follows from its bytes, so writing it again changes nothing. */
export type PictureShelf = { put: (path: string, bytes: Uint8Array) => Promise<void> }

const routes = [
  onControl(pictureOperations.beginPicture, async ({ uploads, newUploadId }: PicturePorts, { body }) => {
    const uploadId = newUploadId()
    return { uploadId, ...(await uploads.begin(uploadId, body.type, maxUploadBytes)) }
  }),
  onControl(pictureOperations.finishPicture, async (ports: PicturePorts, { params }) => {
    const uploadId = parseUploadId(params.uploadId)
    // An id that no upload can have is as unknown as any other without an upload, and reaches no bucket.
    if (uploadId === undefined) return refusal({ reason: 'unknown-upload' }, 'not-found')
    const made = await makePicture(ports, uploadId)
    if (made.kind === 'stored') return made.picture
    return refusal(made, made.reason === 'unknown-upload' ? 'not-found' : 'invalid-request')
  }),
]

/** Answers requests of the shop's staff. */
export const picturesApp = (ports: PicturePorts) => createApp(ports, routes, forStaff('at-the-gate'))
