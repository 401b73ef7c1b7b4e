/** Uploading a picture: the form for the bytes, and the stored result. */
import * as z from 'zod/mini'
import { readBy } from '../lib/parse.ts'
import type { RefusalReason } from '../refusals.ts'

/** The accepted types of an upload. The bytes decide the type, not the declared name. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const

export type PictureType = (typeof pictureTypes)[number]

/** More than photos of phones have. */
export const maxUploadBytes = 10_000_000

export const pictureFaults = [
  'picture-bytes',
  'picture-type',
  'picture-active',
  'picture-animated',
  'picture-size',
  'picture-broken',
] as const satisfies readonly RefusalReason[]

export type PictureFault = (typeof pictureFaults)[number]

export const uploadRequest = z.strictObject(
  { type: z.enum(pictureTypes, `must be one of ${pictureTypes.join(', ')}`) },
  'must be a JSON object with type',
)

/** Returns the upload id in `text`, or undefined: 128 random bits in hexadecimal, because it is part of an object key. */
export function parseUploadId(text: unknown): string | undefined {
  return typeof text === 'string' && /^[0-9a-f]{32}$/.test(text) ? text : undefined
}

const uploadId = readBy(parseUploadId, 'must be an upload id')

/** Send `fields`, then the bytes as `file`, as `multipart/form-data` to `url`, before `expiresAt` (epoch ms). */
export const pictureUpload = z.object({
  uploadId,
  url: z.string(),
  fields: z.record(z.string(), z.string()),
  expiresAt: z.number(),
})

/** `src` goes into the `pictures` of a sale. Sizes are in px; `widths` are those of its files. */
export const storedPicture = z.object({
  src: z.string(),
  width: z.number(),
  height: z.number(),
  widths: z.readonly(z.array(z.number())),
})

export type PictureUpload = z.infer<typeof pictureUpload>
export type StoredPicture = z.infer<typeof storedPicture>
