/**
 * `POST /api/control/pictures` and `POST /api/control/pictures/{uploadId}` make the published picture of an upload. The result
 * of an upload is kept for a day, so repeating the call gives the same answer.
 *
 * Bytes are inspected before any decoder sees them, and active content is rejected with that reason. The decoder (sharp, as
 * WebAssembly on Lambda, `build.ts`) makes new files from the pixels alone, so no metadata, no location and no other bytes of
 * an upload survive.
 */
import { createHash } from 'node:crypto'
import type { Metadata } from 'sharp'
import { pictureOperations } from '../../core/api/picture-operations.ts'
import {
  maxUploadBytes,
  type PictureFault,
  type PictureType,
  parseUploadId,
  type StoredPicture,
} from '../../core/api/pictures.ts'
import type { RefusalReason } from '../../core/refusals.ts'
import { baseName, pictureFile, widthsFor } from '../../core/sale/pictures.ts'
import type { HttpAnswer } from '../lib/http/answer.ts'
import { createApp } from '../lib/http/app.ts'
import { lazyLoad } from '../lib/lazy-load.ts'
import { refusal } from './answers.ts'
import { forStaff, onControl } from './staff.ts'

export type PicturePorts = { uploads: Uploads; store: PictureStore; newUploadId: () => string }

/**
 * Publishes the files, then stores the result, then removes the upload: after an interruption a repeat finds the upload or the
 * result.
 * @throws when a bucket is unavailable
 */
async function makePicture({ uploads, store }: PicturePorts, uploadId: string): Promise<StoredPicture | HttpAnswer> {
  const kept = await uploads.result(uploadId)
  if (kept !== undefined) return answerOf(kept)
  const bytes = await uploads.read(uploadId, maxUploadBytes)
  if (bytes === undefined) return refusedFor('unknown-upload')
  const made = bytes === 'too-large' || bytes.length === 0 ? refused('picture-bytes') : await filesFrom(bytes)
  const result = made.kind === 'refused' ? { refused: made.reason } : await publish(store, made.files)
  await uploads.finish(uploadId, result)
  return answerOf(result)
}

function answerOf(result: UploadResult): StoredPicture | HttpAnswer {
  return 'refused' in result ? refusedFor(result.refused) : result
}

async function filesFrom(bytes: Uint8Array): Promise<ReEncoded> {
  const inspected = inspect(bytes)
  return inspected.kind === 'refused' ? inspected : reEncode(bytes, inspected.type)
}

async function publish(store: PictureStore, files: readonly PictureFile[]): Promise<StoredPicture> {
  const content = createHash('sha256')
  for (const { bytes } of files) content.update(bytes)
  const hash = content.digest('hex').slice(0, 32)
  await Promise.all(files.map(({ width, bytes }) => store.put(pictureFile(hash, width), bytes)))
  const { width = 0, height = 0 } = files.at(-1) ?? {}
  return { src: baseName(hash, { width, height }), width, height, widths: files.map((file) => file.width) }
}

function refusedFor(reason: RefusalReason): HttpAnswer {
  const values = { pixels: maxPixels / 1_000_000, side: maxSide, megabytes: maxUploadBytes / 1_000_000 }
  return refusal({ reason, values }, reason === 'unknown-upload' ? 'not-found' : 'invalid-request')
}

/** The form that a browser sends with the bytes; `expiresAt` is epoch ms. */
type UploadForm = { url: string; fields: Record<string, string>; expiresAt: number }

export type UploadResult = StoredPicture | { refused: PictureFault }

/** Every call throws when the bucket is unavailable. Ids are those that `core/api/pictures.ts` accepts. */
export type Uploads = {
  /** Signs a form for this upload alone: its name, its type, and at most `maxBytes`. */
  begin: (uploadId: string, type: PictureType, maxBytes: number) => Promise<UploadForm>
  /** Returns the bytes, `too-large` without reading them, or undefined when there are none. */
  read: (uploadId: string, maxBytes: number) => Promise<Uint8Array | 'too-large' | undefined>
  result: (uploadId: string) => Promise<UploadResult | undefined>
  /** Stores the result, then removes the bytes. Safe to repeat. */
  finish: (uploadId: string, result: UploadResult) => Promise<void>
}

/** Publishes one file of a picture. The name is a hash of the bytes, so writing it again is a no-op. */
export type PictureStore = { put: (path: string, bytes: Uint8Array) => Promise<void> }

/** Current phones take 50 megapixels; each pixel is decoded to at most four bytes. */
const maxPixels = 50_000_000

/** The longest side, px. The largest file is 1,600 px wide, and WebP has at most 16,383 px on a side. */
const maxSide = 12_000

/** WebP quality: good enough for a product, in about a third of the bytes of a JPEG. */
const quality = 80

/** Loads the decoder on first use: it takes longer to load than the rest of the function, which also signs upload forms. */
const decoder = lazyLoad(async () => {
  const { default: sharp } = await import('sharp')
  // An instance processes one picture at a time, and no two are alike.
  sharp.cache(false)
  // The library reads many formats; only these are allowed, and only from memory.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadHeifBuffer',
    ],
  })
  return sharp
})

type PictureFile = { width: number; height: number; bytes: Uint8Array }
type ReEncoded = { kind: 'made'; files: readonly PictureFile[] } | { kind: 'refused'; reason: PictureFault }

/** Makes the files of a picture, the smallest first. The result depends only on the bytes and the version of sharp. */
async function reEncode(bytes: Uint8Array, type: StillType): Promise<ReEncoded> {
  const header = await readHeader(bytes, type)
  if (header.kind === 'refused') return header
  try {
    return { kind: 'made', files: await filesOf(bytes, header) }
  } catch {
    // The header was valid. The library throws plain errors, and only the pixels can be the cause.
    return refused('picture-broken')
  }
}

/** `page` is the index of the primary picture in the file. */
type Header = { kind: 'header'; width: number; page: number } | { kind: 'refused'; reason: PictureFault }

const refused = (reason: PictureFault) => ({ kind: 'refused', reason }) as const

/** Reads the size in the header before a pixel is decoded. */
async function readHeader(bytes: Uint8Array, type: StillType): Promise<Header> {
  const sharp = await decoder()
  let header: Metadata
  try {
    header = await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch {
    // Only the bytes can be the cause.
    return refused('picture-broken')
  }
  const { autoOrient, format, compression, pages = 1, pagePrimary: page = 0 } = header
  const { width, height } = autoOrient
  const isType = type === 'avif' ? format === 'heif' && compression === 'av1' : format === type
  if (!isType) return refused('picture-type')
  // An AVIF may hold several still pictures.
  if (pages > 1 && type !== 'avif') return refused('picture-animated')
  if (width * height > maxPixels || Math.max(width, height) > maxSide) return refused('picture-size')
  return { kind: 'header', width, page }
}

async function filesOf(
  bytes: Uint8Array,
  { width, page }: Extract<Header, { kind: 'header' }>,
): Promise<PictureFile[]> {
  const sharp = await decoder()
  const widths = widthsFor(width)
  // Decode once: decoding takes most of the time and memory.
  const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'truncated', page })
    .autoOrient()
    .resize({ width: widths.at(-1) })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const files: PictureFile[] = []
  for (const targetWidth of widths) {
    const made = await sharp(data, { raw })
      .resize({ width: targetWidth })
      .webp({ quality })
      .toBuffer({ resolveWithObject: true })
    files.push({ width: made.info.width, height: made.info.height, bytes: made.data })
  }
  return files
}

type StillType = 'jpeg' | 'png' | 'webp' | 'avif'

/** Matches text that browsers, PHP or a PDF reader would run. */
const activeContent = /<(?:script|html|svg|iframe|object|embed|!doctype|\?php)[\s>]|<\?=|javascript:|%PDF-\d/i

/** Returns the type of the picture in `bytes`, or why it is not accepted. */
function inspect(bytes: Uint8Array): { kind: 'picture'; type: StillType } | { kind: 'refused'; reason: PictureFault } {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const type = typeOf(text)
  if (type === undefined) return refused(activeContent.test(text) ? 'picture-active' : 'picture-type')
  return isAnimated(type, text) ? refused('picture-animated') : { kind: 'picture', type }
}

/**
 * Detects the type by its signature: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern, and `ftyp` for AVIF.
 */
function typeOf(text: string): StillType | undefined {
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('RIFF') && text.slice(8, 14) === 'WEBPVP') return 'webp'
  return brandsOf(text).some((brand) => brand === 'avif' || brand === 'avis') ? 'avif' : undefined
}

/** Returns the brands of a file of boxes (ISO/IEC 14496-12), its major brand first; none for other files. */
function brandsOf(text: string): string[] {
  const end = text.charCodeAt(3)
  const listed = text.slice(8, 12) + text.slice(16, end)
  return /^\0\0\0[\s\S]ftyp/.test(text) ? (listed.match(/[\s\S]{4}/g) ?? []) : []
}

/** True for an animated picture: a flag in WebP, an `acTL` chunk before the pixels in PNG, a sequence in AVIF. */
function isAnimated(type: StillType, text: string): boolean {
  if (type === 'png') return chunksBeforePixels(text).includes('acTL')
  if (type === 'webp') return text.slice(12, 16) === 'VP8X' && (text.charCodeAt(20) & 2) !== 0
  return type === 'avif' && brandsOf(text)[0] === 'avis'
}

function chunksBeforePixels(png: string): string[] {
  const types: string[] = []
  let at = 8
  while (at < png.length && types.at(-1) !== 'IDAT') {
    types.push(png.slice(at + 4, at + 8))
    at += 12 + Buffer.from(png.slice(at, at + 4).padEnd(4), 'latin1').readUInt32BE()
  }
  return types
}

const routes = [
  onControl(pictureOperations.beginPicture, async ({ uploads, newUploadId }: PicturePorts, { body }) => {
    const uploadId = newUploadId()
    return { uploadId, ...(await uploads.begin(uploadId, body.type, maxUploadBytes)) }
  }),
  onControl(pictureOperations.finishPicture, async (ports: PicturePorts, { params }) => {
    const uploadId = parseUploadId(params.uploadId)
    // Answer an impossible id like an unknown upload, without a call to the bucket.
    if (uploadId === undefined) return refusal({ reason: 'unknown-upload' }, 'not-found')
    return makePicture(ports, uploadId)
  }),
]

/** Answers requests of the shop's staff. */
export const picturesApp = (ports: PicturePorts) => createApp(ports, routes, forStaff('at-the-gate'))
