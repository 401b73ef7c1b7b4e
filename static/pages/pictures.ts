/** The pictures of a sale: one, or a gallery that needs no script. */
import { addressOf, type Picture, uploadedPicture } from '../../core/sale/pictures.ts'
import { galleryMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { speaker } from './say.ts'

const { label } = speaker(galleryMessages)

/** A picture takes the whole width of a phone, and less than half of a desktop. */
const pageSizes = '(min-width: 900px) 46vw, 100vw'

/** Without a known size the place is a square, as the style sheet has it for all. */
const square = { width: 1200, height: 1200 }

/** `priority` is for the one picture that a reader sees first; all others load when they come near. */
export function picture({ src, alt }: Picture, priority: boolean): Html {
  const { width, height } = uploadedPicture(src) ?? square
  const when = priority ? html`fetchpriority="high"` : html`loading="lazy"`
  return html`<img src="${addressOf(src, 960)}"${sources(src)} alt="${alt}" width="${width}" height="${height}" ${when}>`
}

function sources(src: string): Html {
  const files = uploadedPicture(src)?.files
  if (files === undefined || files.length === 1) return html``
  const set = files.map(({ path, width }) => `${path} ${width}w`).join(', ')
  return html` srcset="${set}" sizes="${pageSizes}"`
}

/** A small picture beside a title that says what it shows. */
export function thumbnail(src: string): Html {
  const { width, height } = uploadedPicture(src) ?? square
  return html`<img src="${addressOf(src, 480)}" alt="" width="${width}" height="${height}" loading="lazy">`
}

/** The style sheet of a page with several pictures. */
export const galleryStyles = (pictures: readonly Picture[]): string[] =>
  pictures.length > 1 ? ['gallery.css'] : []

/**
 * All pictures of a sale. Several are a row that scrolls by touch, with the arrow keys, and by a link
 * for each picture.
 */
export function gallery(pictures: readonly Picture[]): Html {
  const [first, ...others] = pictures
  if (first === undefined) return html``
  if (others.length === 0) return html`<div class="sale__picture">${picture(first, true)}</div>`
  return html`<div class="gallery">
${row(pictures, true)}
<ul class="gallery__links">${pictures.map(linkTo)}</ul>
</div>`
}

/** The pictures after the first, where that one is the stage. */
export function furtherPictures([, ...others]: readonly Picture[]): Html {
  return others.length === 0
    ? html``
    : html`<div class="gallery gallery--further">${row(others, false)}</div>`
}

function row(pictures: readonly Picture[], isFirst: boolean): Html {
  const items = pictures.map(
    (one, i) =>
      html`\n<li class="sale__picture" id="picture-${i + 1}">${picture(one, isFirst && i === 0)}</li>`,
  )
  return html`<ul class="gallery__row" id="pictures" tabindex="0" ${label('gallery.label')}>${items}</ul>`
}

function linkTo({ src, alt }: Picture, i: number): Html {
  return html`<li><a href="#picture-${i + 1}" aria-label="${alt}">${thumbnail(src)}</a></li>`
}
