/**
 * The preview of the page of a sale on a phone, beside its form, or in a dialog where there is no room.
 * The page stands in a frame without scripts, in which only the console draws.
 */
import type { Brand } from '../../../../core/brand.ts'
import { type Scheme, schemes } from '../../../../core/contrast.ts'
import { languages } from '../../../../core/language.ts'
import type { Assets } from '../../../pages/layout.ts'
import { byId, make } from '../../lib/dom.ts'
import { redraw } from '../../lib/redraw.ts'
import { fieldsOf } from '../../lib/wire.ts'
import { getBrand } from '../api.ts'
import type { FormText } from '../form/form-text.ts'
import { segments } from '../lib/segments.ts'
import type { ConsoleVoice } from '../view.ts'
import { colourScheme } from './colour-scheme.ts'
import { follow } from './follow-document.ts'
import { previewPage } from './preview-page.ts'
import { type PreviewState, previewSale, previewStates } from './preview-sale.ts'

/** The page is drawn again this long after a key at the latest. */
const restMs = 300

/** From here on the form leaves room for a phone; `static/styles/sale-form.css` says the same. */
const roomForBoth = '(min-width: 1080px)'

/** `read` answers with what is entered. */
export function phonePreview(voice: ConsoleVoice, read: () => FormText) {
  const assets = assetsOf(byId('main'))
  let brand: Brand = {}
  let timer: number | undefined
  let state: PreviewState = 'before'
  let language = voice.language()
  let scheme = screenScheme()
  const frame = make('iframe', {
    ...{ class: 'phone__screen', id: 'preview-frame', title: voice.t('preview.frame') },
    // Without scripts; the console itself reaches in to draw.
    ...{ sandbox: 'allow-same-origin', srcdoc: emptyPage, load: draw },
  })
  const switches = make(
    'div',
    { class: 'phone__switches' },
    segments({ name: 'preview-state', legend: voice.t('preview.state') }, previewStates, state, {
      label: (one) => voice.t(`preview.state.${one}`),
      choose(one) {
        state = one
        draw()
      },
    }),
    segments({ name: 'preview-language', legend: voice.t('preview.language') }, languages, language, {
      label: (one) => (one === 'en' ? 'English' : '中文'),
      choose(one) {
        language = one
        draw()
      },
    }),
    segments({ name: 'preview-scheme', legend: voice.t('preview.scheme') }, schemes, scheme, {
      label: (one) => voice.t(`preview.scheme.${one}`),
      choose(one) {
        scheme = one
        draw()
      },
    }),
  )
  const content = make('div', { class: 'phone' }, switches, make('div', { class: 'phone__body' }, frame))
  const aside = make('aside', { class: 'composer__preview', 'aria-label': voice.t('preview.title') })
  const close = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'preview-close', click: () => dialog.close() },
    voice.t('preview.close'),
  )
  const dialog = make(
    'dialog',
    { class: 'dialog dialog--phone', id: 'preview', 'aria-labelledby': 'preview-title' },
    make(
      'div',
      { class: 'console__head' },
      make('h2', { id: 'preview-title' }, voice.t('preview.title')),
      close,
    ),
  )
  const opener = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'preview-open', click: open },
    voice.t('preview.title'),
  )

  function open(): void {
    dialog.append(content)
    dialog.showModal()
  }

  function draw(): void {
    window.clearTimeout(timer)
    timer = undefined
    const page = frame.contentDocument
    // A frame that moved has an empty document until it has loaded, and is drawn then.
    if (!page?.body) return
    const text = read()
    const now = Date.now()
    const standIns = { title: voice.t('preview.noTitle'), description: voice.t('preview.noDescription') }
    const drawn = previewPage({
      ...{ sale: previewSale(text, standIns, now), standIn: text.title.trim() === '' },
      ...{ state, language, brand, assets, now },
    })
    page.documentElement.lang = language
    page.body.dataset.page = drawn.body.dataset.page ?? ''
    // The one stop for the keyboard, from which the arrow keys scroll.
    page.body.tabIndex = 0
    const paint = () => colourScheme(page, scheme)
    for (const sheet of drawn.querySelectorAll('link')) sheet.addEventListener('load', paint)
    redraw(page.head, ...drawn.head.children)
    follow(page.body, drawn.body)
    paint()
  }

  const room = window.matchMedia(roomForBoth)
  const place = () => {
    if (room.matches) {
      dialog.close()
      // A frame that moves loads again.
      if (content.parentElement !== aside) aside.append(content)
    } else if (!dialog.open) content.remove()
    aside.hidden = !room.matches
    opener.hidden = room.matches
  }
  const resized = () => {
    // The form is left, or drawn again in another language.
    if (aside.isConnected) place()
    else room.removeEventListener('change', resized)
  }
  room.addEventListener('change', resized)
  place()
  void getBrand().then((answer) => {
    // Without an answer the page has the shop's usual look, which is no reason to keep it back.
    if (!answer.ok) return
    brand = answer.value.brand
    draw()
  })

  return {
    /** What opens the preview where it does not stand beside the form. */
    opener,
    aside,
    dialog,
    /** To be called when what is entered has changed. */
    look(): void {
      timer ??= window.setTimeout(draw, restMs)
    },
  }
}

const emptyPage = '<!doctype html><html lang="en"><head><title></title></head><body></body></html>'

const screenScheme = (): Scheme =>
  window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'

/** The addresses of what the page is built of, as the console's own page was printed with them. */
function assetsOf({ dataset }: HTMLElement): Assets {
  const fields = fieldsOf(JSON.parse(dataset.assets ?? '{}')) ?? {}
  return Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
