/**
 * The pictures of a sale in its form: files that are chosen or dropped, and addresses; each with the
 * words for people who do not see it.
 */
import { pictureTypes } from '../../../../core/api/pictures.ts'
import { maxAlternativeText, maxPictureAddress } from '../../../../core/body-limits.ts'
import { addressOf, maxPictures, uploadedPicture } from '../../../../core/sale/pictures.ts'
import { refusalMessage } from '../../../messages/refusals.ts'
import { make, setText } from '../../lib/dom.ts'
import { type Labelled, labelled } from '../../lib/labelled.ts'
import { type ConsoleVoice, reasonText } from '../view.ts'
import type { Place } from './field-errors.ts'
import { type PictureText, pictureIn, stateOf } from './picture-text.ts'
import { followUpload, type UploadState } from './upload-states.ts'
import { startUpload } from './uploads.ts'

type Row = { text: PictureText; src: Labelled; alt: Labelled; element: HTMLElement }

/** Megapixels, pixels and megabytes that `refusalMessage` names; the shop sends them with its own refusals. */
const limits = { pixels: 50, side: 12_000, megabytes: 10 }

export function pictureFields(voice: ConsoleVoice, pictures: readonly PictureText[]) {
  let rows: Row[] = []
  const list = make('ol', { class: 'picture-rows' })
  const error = make('p', { class: 'field__error', id: 'pictures-error', role: 'status' })
  const file = make('input', {
    type: 'file',
    id: 'picture-files',
    multiple: true,
    accept: pictureTypes.join(','),
    class: 'unseen',
    'aria-describedby': 'pictures-error',
    change: () => take(file.files ?? []),
  })
  const choose = make('label', { for: 'picture-files', class: 'drop' }, voice.t('picture.choose'))
  const add = make(
    'button',
    { type: 'button', class: 'button button--plain', id: 'picture-add', click: addAddress },
    voice.t('picture.addAddress'),
  )
  const element = make(
    'fieldset',
    { class: 'pictures', 'aria-describedby': 'pictures-hint pictures-error' },
    make('legend', {}, voice.t('form.pictures')),
    make(
      'p',
      { class: 'field__hint', id: 'pictures-hint' },
      voice.t('form.picturesHint', { max: maxPictures }),
    ),
    ...[list, error, file, choose, add],
  )
  element.addEventListener('dragover', (event) => event.preventDefault())
  element.addEventListener('drop', (event) => {
    event.preventDefault()
    take(event.dataTransfer?.files ?? [])
  })

  /** What was typed since the rows were drawn. */
  const values = (): PictureText[] =>
    rows.map(({ text, src, alt }) => ({ ...text, src: src.input.value, alt: alt.input.value }))

  function take(files: Iterable<File>): void {
    const chosen = [...files]
    file.value = ''
    const room = maxPictures - rows.length
    draw([
      ...values(),
      ...chosen.slice(0, room).map((one) => ({ src: '', alt: '', upload: startUpload(one) })),
    ])
    complain(chosen.length > room ? voice.t('error.pictures', { max: maxPictures }) : '')
    changed()
    rows.at(-1)?.alt.input.focus()
  }

  function addAddress(): void {
    draw([...values(), { src: '', alt: '' }])
    changed()
    rows.at(-1)?.src.input.focus()
  }

  /** Takes the row out, and puts it back at `to` if that is a place. */
  function move(from: number, to: number | undefined): void {
    const texts = values()
    const [taken] = texts.splice(from, 1)
    if (to !== undefined && taken !== undefined) texts.splice(to, 0, taken)
    draw(texts)
    changed()
    // The button that was pressed is gone; the keyboard goes on at the picture that moved, or the next.
    const near =
      rows[Math.min(to ?? from, rows.length - 1)]?.element.querySelector<HTMLElement>('button:enabled')
    ;(near ?? add).focus()
  }

  function draw(texts: readonly PictureText[]): void {
    rows = texts.map((text, i) => newRow(voice, text, i, texts.length, move))
    list.replaceChildren(...rows.map((row) => row.element))
    const isFull = rows.length >= maxPictures
    add.hidden = isFull
    choose.hidden = isFull
    file.disabled = isFull
  }

  /** Marks the choice of files as wrong, which then has the focus, and says why; empty text takes that back. */
  function complain(text: string): void {
    file.setAttribute('aria-invalid', String(text !== ''))
    setText(error, text)
  }

  /** A row that comes or goes changes what was entered, as typing does. */
  function changed(): void {
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }

  draw(pictures)
  return {
    element,
    values,
    /** The inputs by the place of their complaints. */
    fields: (): [Place, Pick<Labelled, 'complain'>][] => [
      ...rows.flatMap(({ src, alt }, i): [Place, Labelled][] => [
        [`pictures.${i}.src`, src],
        [`pictures.${i}.alt`, alt],
      ]),
      ['pictures', { complain }],
    ],
  }
}

/** `i` is the row's number from 0 of `count`, which names its inputs. */
function newRow(
  voice: ConsoleVoice,
  text: PictureText,
  i: number,
  count: number,
  move: (from: number, to: number | undefined) => void,
): Row {
  const src = labelled(
    `pictures.${i}.src`,
    voice.t('picture.src'),
    voice.t('form.imageHint'),
    make('input', {
      autocomplete: 'off',
      inputmode: 'url',
      spellcheck: 'false',
      list: 'pictures',
      maxlength: maxPictureAddress,
    }),
  )
  const alt = labelled(
    `pictures.${i}.alt`,
    voice.t('picture.alt'),
    voice.t('picture.altHint'),
    make('input', { autocomplete: 'off', maxlength: maxAlternativeText }),
  )
  src.input.value = text.src
  alt.input.value = text.alt
  const shown = preview(voice, text, src)
  const button = (id: string, label: string, sign: string, to: number | undefined, enabled: boolean) =>
    make(
      'button',
      {
        ...{ type: 'button', class: 'button button--plain', 'data-do': id, 'aria-label': label },
        ...{ disabled: !enabled, click: () => move(i, to) },
      },
      sign,
    )
  const n = { n: i + 1 }
  const element = make(
    'li',
    { class: 'picture-row' },
    shown,
    make('div', { class: 'picture-row__fields' }, src.element, alt.element),
    make(
      'div',
      { class: 'picture-row__actions' },
      button('up', voice.t('picture.up', n), '↑', i - 1, i > 0),
      button('down', voice.t('picture.down', n), '↓', i + 1, i < count - 1),
      button('remove', voice.t('picture.remove', n), '×', undefined, true),
    ),
  )
  return { text, src, alt, element }
}

/** The picture, or how far its upload is; the address of an uploaded one is not shown. */
function preview(voice: ConsoleVoice, text: PictureText, src: Labelled): HTMLElement {
  const image = make('img', { class: 'preview', alt: '', width: 160, height: 160 })
  const note = make('p', { class: 'field__hint', role: 'status' })
  const bar = make('progress', { max: 1, 'aria-label': voice.t('picture.progress') })
  image.addEventListener('error', () => setText(note, voice.t('form.imageBroken')))
  const look = () => {
    const address = pictureIn({ ...text, src: src.input.value }).src
    const state = stateOf(text)
    src.element.hidden = text.upload !== undefined || uploadedPicture(address) !== undefined
    image.hidden = address === ''
    if (address !== '') image.src = addressOf(address, 160)
    bar.hidden = state?.kind !== 'sending' && state?.kind !== 'making'
    if (state?.kind === 'sending') bar.value = state.share
    else bar.removeAttribute('value')
    setText(note, state === undefined ? '' : noteOf(voice, state))
    note.classList.toggle('field__error', state?.kind === 'refused' || state?.kind === 'failed')
  }
  if (text.upload !== undefined) {
    followUpload(text.upload, () => {
      look()
      // A picture that has arrived changes what was entered, as typing does.
      image.dispatchEvent(new Event('input', { bubbles: true }))
    })
  }
  src.input.addEventListener('change', look)
  look()
  return make('div', { class: 'picture-row__shown' }, image, bar, note)
}

/** How far an upload is, or why it failed. */
export function noteOf(voice: ConsoleVoice, state: UploadState): string {
  switch (state.kind) {
    case 'sending':
      return voice.t('picture.sending')
    case 'making':
      return voice.t('picture.making')
    case 'stored':
      return ''
    case 'refused': {
      const message = refusalMessage(state.reason)
      return message === undefined ? '' : voice.say(message, limits)
    }
    case 'failed':
      return reasonText(voice, state.reply)
  }
}
