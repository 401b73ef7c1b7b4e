/** Uploading a picture: a form for the bytes, and what is made of them. */
import * as z from 'zod/mini'
import { readBy } from '../lib/parse.ts'
import type { RefusalReason } from '../refusals.ts'

/** What a picture may be when it is uploaded; the bytes decide, and not this name. */
export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const

export type PictureType = (typeof pictureTypes)[number]

/** More than a phone's camera makes. */
export const maxUploadBytes = 10_000_000

/** Why an uploaded file is refused. */
export const pictureFaults = [
  'picture-bytes',
  'picture-type',
  'picture-active',
  'picture-animated',
  'picture-size',
  'picture-broken',
] as const satisfies readonly RefusalReason[]

export type PictureFault = (typeof pictureFaults)[number]

/** The body of a request for an upload. */
export const uploadRequest = z.strictObject(
  { type: z.enum(pictureTypes, `must be one of ${pictureTypes.join(', ')}`) },
  'must be a JSON object with type',
)

/** 128 random bits. It is part of an object's name, so it has no other characters. */
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

/** `src` is for the `pictures` of a sale; sizes are in px, `widths` those of its files. */
export const storedPicture = z.object({
  src: z.string(),
  width: z.number(),
  height: z.number(),
  widths: z.readonly(z.array(z.number())),
})

export type PictureUpload = z.infer<typeof pictureUpload>
export type StoredPicture = z.infer<typeof storedPicture>
