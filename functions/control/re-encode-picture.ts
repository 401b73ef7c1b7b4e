/**
 * Makes new files of the pixels of an uploaded picture, so that nothing else of it survives: no metadata, no place
 * where it was taken, no bytes of the sender. The decoder is sharp, in its WebAssembly form on Lambda (`build.ts`).
 */
import type { Metadata } from 'sharp'
import type { PictureFault } from '../../core/api/pictures.ts'
import { widthsFor } from '../../core/sale/pictures.ts'
import type { StillType } from './inspect-picture.ts'

/** A phone of today takes 50 megapixels; each is decoded to at most four bytes. */
export const maxPixels = 50_000_000

/** The longest side, px. The largest file is 1,600 px wide, and WebP has at most 16,383 px on a side. */
export const maxSide = 12_000

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

export type PictureFile = { width: number; height: number; bytes: Uint8Array }
export type ReEncoded = { kind: 'made'; files: readonly PictureFile[] } | { kind: 'refused'; reason: PictureFault }

/** Files of `bytes`, the smallest first. The same bytes give the same files with one version of sharp. */
export async function reEncode(bytes: Uint8Array, type: StillType): Promise<ReEncoded> {
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
  for (const wanted of widths) {
    const made = await sharp(data, { raw })
      .resize({ width: wanted })
      .webp({ quality })
      .toBuffer({ resolveWithObject: true })
    files.push({ width: made.info.width, height: made.info.height, bytes: made.data })
  }
  return files
}
