/**
 * What the first look at uploaded bytes says, before any decoder sees them. The decoder
 * (`re-encode-picture.ts`) makes new bytes of the pixels alone, so nothing that hides in a file is published;
 * a file that is a picture and a program at once is refused all the same, with the reason.
 */
import type { PictureFault } from '../../core/api/pictures.ts'

export type StillType = 'jpeg' | 'png' | 'webp' | 'avif'

export type Inspected = { kind: 'picture'; type: StillType } | { kind: 'refused'; reason: PictureFault }

/**
 * Text that browsers, PHP or a PDF reader would run. XMP of a photo is XML, and has none of it. Pixels
 * are any bytes, and the largest file has ten million of them: so short a mark counts only with the text
 * that follows it.
 */
const active = new RegExp(
  [
    String.raw`<(?:script|html|svg|iframe|object|embed|!doctype|\?php)[\s>][\t\n\r -~]{4}`,
    String.raw`<\?=(?:[\t\n\r -~]{16}|[\t\n\r -~]*?\?>)`,
    'javascript:',
    String.raw`%PDF-\d`,
  ].join('|'),
  'i',
)

/** The type of the picture in `bytes`, or why it is not accepted. */
export function inspect(bytes: Uint8Array): Inspected {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (active.test(text)) return refused('picture-active')
  const type = typeOf(text)
  if (type === undefined) return refused('picture-type')
  return isAnimated(type, text) ? refused('picture-animated') : { kind: 'picture', type }
}

const refused = (reason: PictureFault): Inspected => ({ kind: 'refused', reason })

/** By its signature: https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern, and `ftyp` for AVIF. */
function typeOf(text: string): StillType | undefined {
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('RIFF') && text.slice(8, 14) === 'WEBPVP') return 'webp'
  return /^\0[\s\S]{3}ftypavi[fs]/.test(text) ? 'avif' : undefined
}

/** The chunk of an animation stands in front of the pixels; an animated AVIF is a sequence. */
function isAnimated(type: StillType, text: string): boolean {
  const head = text.slice(0, 4096)
  if (type === 'png') return /acTL/.test(head.split('IDAT')[0] ?? '')
  if (type === 'webp') return text.slice(12, 16) === 'VP8X' && /ANIM/.test(head)
  return type === 'avif' && text.slice(8, 12) === 'avis'
}
