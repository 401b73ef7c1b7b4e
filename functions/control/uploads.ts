/** The port to uploads: each may bring its bytes once, and keeps what came of them for a day. */
import type { PictureFault, PictureType, StoredPicture } from '../../core/api/pictures.ts'

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
