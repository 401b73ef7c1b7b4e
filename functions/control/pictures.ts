/**
 * `POST /api/control/pictures` and `POST /api/control/pictures/{uploadId}`: makes the published picture of an upload.
 * Each may bring its bytes once, and what came of them is kept for a day, so repeating the call gives the same answer.
 *
 * Bytes are looked at before any decoder sees them, and what is no picture but runs somewhere is refused with that
 * reason. The decoder (sharp, in its WebAssembly form on Lambda, `build.ts`) makes new files of the pixels alone, so
 * nothing else of an upload survives: no metadata, no place where it was taken, no bytes of the sender.
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
import { refusal } from './answers.ts'
import { forStaff, onControl } from './staff.ts'

export type PicturePorts = { uploads: Uploads; store: PictureStore; newUploadId: () => string }

/**
 * The files are published before the result is kept, and the result before the bytes are removed: a
 * call that repeats one that was cut off finds the bytes or the result.
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
export type PictureStore = { put: (path: string, bytes: Uint8Array) => Promise<void> }

/** A phone of today takes 50 megapixels; each is decoded to at most four bytes. */
const maxPixels = 50_000_000

/** The longest side, px. The largest file is 1,600 px wide, and WebP has at most 16,383 px on a side. */
const maxSide = 12_000

/** Good enough for a product, and about a third of a JPEG. */
const quality = 80

let loading: ReturnType<typeof loadSharp> | undefined

/** The decoder takes longer to load than the rest of the function, which also gives forms for uploads. */
function decoder(): ReturnType<typeof loadSharp> {
  loading ??= loadSharp()
  return loading
}

async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // One picture at a time passes through an instance, and no other is like it.
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
}

type PictureFile = { width: number; height: number; bytes: Uint8Array }
type ReEncoded = { kind: 'made'; files: readonly PictureFile[] } | { kind: 'refused'; reason: PictureFault }

/** Files of `bytes`, the smallest first. The same bytes give the same files with one version of sharp. */
async function reEncode(bytes: Uint8Array, type: StillType): Promise<ReEncoded> {
  const header = await readHeader(bytes, type)
  if (header.kind === 'refused') return header
  try {
    return { kind: 'made', files: await filesOf(bytes, header) }
  } catch {
    // The header was sound. The library fails with plain errors, and only the pixels are left as a cause.
    return refused('picture-broken')
  }
}

/** `page` is which of several pictures the file shows. */
type Header = { kind: 'header'; width: number; page: number } | { kind: 'refused'; reason: PictureFault }

const refused = (reason: PictureFault) => ({ kind: 'refused', reason }) as const

/** The size that the picture claims, read before one pixel is decoded. */
async function readHeader(bytes: Uint8Array, type: StillType): Promise<Header> {
  const sharp = await decoder()
  let header: Metadata
  try {
    header = await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch {
    // As above: the bytes are the only cause.
    return refused('picture-broken')
  }
  const { autoOrient, format, compression, pages = 1, pagePrimary: page = 0 } = header
  const { width, height } = autoOrient
  const isType = type === 'avif' ? format === 'heif' && compression === 'av1' : format === type
  if (!isType) return refused('picture-type')
  // An AVIF may hold several still ones.
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
  // Decoded once: that is where the time and the memory go.
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

type Inspected = { kind: 'picture'; type: StillType } | { kind: 'refused'; reason: PictureFault }

/** Text that browsers, PHP or a PDF reader would run. */
const activeContent = /<(?:script|html|svg|iframe|object|embed|!doctype|\?php)[\s>]|<\?=|javascript:|%PDF-\d/i

/** The type of the picture in `bytes`, or why it is not accepted. */
function inspect(bytes: Uint8Array): Inspected {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const type = typeOf(text)
  if (type === undefined) return refused(activeContent.test(text) ? 'picture-active' : 'picture-type')
  return isAnimated(type, text) ? refused('picture-animated') : { kind: 'picture', type }
}

/** By its signature: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern, and `ftyp` for AVIF. */
function typeOf(text: string): StillType | undefined {
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('RIFF') && text.slice(8, 14) === 'WEBPVP') return 'webp'
  return brandsOf(text).some((brand) => brand === 'avif' || brand === 'avis') ? 'avif' : undefined
}

/** The brands of a file of boxes (ISO/IEC 14496-12), its own one first; none of another file. */
function brandsOf(text: string): string[] {
  const end = text.charCodeAt(3)
  const listed = text.slice(8, 12) + text.slice(16, end)
  return /^\0\0\0[\s\S]ftyp/.test(text) ? (listed.match(/[\s\S]{4}/g) ?? []) : []
}

/** A flag of a WebP says so, and a chunk of a PNG in front of its pixels; an animated AVIF is a sequence. */
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
    // An id that no upload can have is as unknown as any other without an upload, and reaches no bucket.
    if (uploadId === undefined) return refusal({ reason: 'unknown-upload' }, 'not-found')
    return makePicture(ports, uploadId)
  }),
]

/** Answers requests of the shop's staff. */
export const picturesApp = (ports: PicturePorts) => createApp(ports, routes, forStaff('at-the-gate'))
