/** Renders the pictures of a sale: one picture, or a gallery without a script. */
import { altIn, type Picture, pictureUrl, uploadedPicture } from '../../core/sale/pictures.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { galleryMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { ownLanguage, textsAttribute, translator } from './say.ts'

const { label } = translator(galleryMessages)

/** A picture has the full width of a phone, and less than half of a desktop. */
const pageSizes = '(min-width: 900px) 46vw, 100vw'

/** The size of a picture whose own is unknown. The style sheet shows all as squares. */
const square = { width: 1200, height: 1200 }

/**
 * Renders a picture. `priority` is for the first one that a reader sees; the others load lazily. `nth`, from 1, is its
 * number in the sale.
 */
export function picture(one: Picture, nth: number, priority: boolean): Html {
  const { src, alts } = one
  const { width, height } = uploadedPicture(src) ?? square
  const when = priority ? html`fetchpriority="high"` : html`loading="lazy"`
  const own = altIn(one, ownLanguage())
  // Scripts change texts but no attributes, so a hidden text names the picture where languages differ.
  const [named, text] =
    alts === undefined
      ? [html``, html``]
      : [
          html` aria-labelledby="${textId(nth)}"`,
          html`<span hidden id="${textId(nth)}"${textsAttribute((language) => altIn(one, language))}>${own}</span>`,
        ]
  return html`<img src="${pictureUrl(src, 960)}"${sources(src)} alt="${own}"${named} width="${width}" height="${height}" ${when}>${text}`
}

const textId = (nth: number) => `picture-text-${nth}`

function sources(src: string): Html {
  const files = uploadedPicture(src)?.files
  if (files === undefined || files.length === 1) return html``
  const set = files.map(({ path, width }) => `${path} ${width}w`).join(', ')
  return html` srcset="${set}" sizes="${pageSizes}"`
}

/** Renders a small picture beside a title. The title names it, so `alt` is empty. */
export function thumbnail(src: string): Html {
  const { width, height } = uploadedPicture(src) ?? square
  return html`<img src="${pictureUrl(src, 480)}" alt="" width="${width}" height="${height}" loading="lazy">`
}

/** Returns the style sheet of a page with several pictures or rounds. */
export const galleryStyles = ({ pictures, windows }: Pick<Sale, 'pictures' | 'windows'>): string[] =>
  pictures.length > 1 || windows.length > 1 ? ['gallery.css'] : []

/** Renders all pictures of a sale. Several scroll in a row by touch, with the arrow keys, and by links. */
export function gallery(pictures: readonly Picture[]): Html {
  const [first, ...others] = pictures
  if (first === undefined) return html``
  if (others.length === 0) return html`<div class="sale__picture">${picture(first, 1, true)}</div>`
  return html`<div class="gallery">
${row(pictures, 0)}
<ul class="gallery__links">${pictures.map(linkTo)}</ul>
</div>`
}

/** Renders the pictures after the first, for a page whose stage shows the first. */
export function furtherPictures([, ...others]: readonly Picture[]): Html {
  return others.length === 0 ? html`` : html`<div class="gallery gallery--further">${row(others, 1)}</div>`
}

/** Renders a row. `before` counts the pictures of the sale that the page shows elsewhere. */
function row(pictures: readonly Picture[], before: number): Html {
  const items = pictures.map((one, i) => {
    const nth = before + i + 1
    return html`\n<li class="sale__picture" id="picture-${i + 1}">${picture(one, nth, nth === 1)}</li>`
  })
  return html`<ul class="gallery__row" id="pictures" tabindex="0" ${label('gallery.label')}>${items}</ul>`
}

function linkTo(one: Picture, i: number): Html {
  const name = one.alts === undefined ? html`aria-label="${one.alt}"` : html`aria-labelledby="${textId(i + 1)}"`
  return html`<li><a href="#picture-${i + 1}" ${name}>${thumbnail(one.src)}</a></li>`
}
