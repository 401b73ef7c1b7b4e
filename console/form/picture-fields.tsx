/** The pictures of a sale in its form: files or addresses, each with words for people who do not see it. */
import { useRef, useState } from 'preact/hooks'
import { pictureTypes } from '../../core/api/pictures.ts'
import { maxPictures, pictureUrl, uploadedPicture } from '../../core/sale/pictures.ts'
import { useFocusLater } from '../parts/entry-form.ts'
import { textAt } from '../parts/text-parts.ts'
import { PlainButton } from '../parts/work-button.tsx'
import { useView } from '../view.ts'
import { uploadPrefix } from './fields.ts'
import { FormField, type FormState } from './form-fields.tsx'
import { isFailed, isUploading, startUpload, uploadNote, useUpload } from './uploads.ts'

const samples = ['mug', 'lamp', 'tea', 'teapot', 'sneaker', 'ticket', 'packet']

export function PictureFields({ form }: { form: FormState }) {
  const { voice } = useView()
  const { text, enter, error } = form
  const { pictures } = text
  const [isTooMany, setTooMany] = useState(false)
  const place = useRef<HTMLFieldSetElement>(null)
  const file = useRef<HTMLInputElement>(null)
  const focusLater = useFocusLater()
  const isFull = pictures.length >= maxPictures
  const wrong = isTooMany ? voice.t('error.pictures', { max: maxPictures }) : error('pictures')
  const focusRow = (row: number, name: 'src' | 'alt') =>
    focusLater(() => document.getElementById(`field-pictures-${row}-${name}`))

  function take(files: Iterable<File>): void {
    const chosen = [...files]
    if (file.current !== null) file.current.value = ''
    const added = chosen.slice(0, maxPictures - pictures.length).map((one) => ({ src: startUpload(one), alt: '' }))
    setTooMany(chosen.length > added.length)
    enter('pictures', [...pictures, ...added])
    focusRow(pictures.length + added.length - 1, 'alt')
  }
  function add(): void {
    setTooMany(false)
    enter('pictures', [...pictures, { src: '', alt: '' }])
    focusRow(pictures.length, 'src')
  }
  /** Takes the row out, and puts it back at `to` if that is a place. */
  function move(from: number, to: number | undefined): void {
    setTooMany(false)
    const moved = [...pictures]
    const [taken] = moved.splice(from, 1)
    if (to !== undefined && taken !== undefined) moved.splice(to, 0, taken)
    enter('pictures', moved)
    // The button that was pressed is gone; the keyboard goes on at the picture that moved, or the next.
    const near = Math.min(to ?? from, moved.length - 1)
    focusLater(
      () =>
        place.current?.querySelectorAll('.picture-row')[near]?.querySelector<HTMLElement>('button:enabled') ??
        document.getElementById('picture-add'),
    )
  }
  return (
    <fieldset
      class="pictures"
      aria-describedby="pictures-hint pictures-error"
      ref={place}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer?.files ?? [])
      }}
    >
      <legend>{voice.t('form.pictures')}</legend>
      <p class="field__hint" id="pictures-hint">
        {voice.t('form.picturesHint', { max: maxPictures })}
      </p>
      <ol class="picture-rows">
        {pictures.map((_, i) => (
          <PictureRow key={i} form={form} i={i} move={move} />
        ))}
      </ol>
      <p class="field__error" id="pictures-error" role="status">
        {wrong}
      </p>
      <input
        type="file"
        id="picture-files"
        multiple
        accept={pictureTypes.join(',')}
        class="unseen"
        aria-describedby="pictures-error"
        aria-invalid={wrong !== ''}
        disabled={isFull}
        ref={file}
        onChange={(event) => take(event.currentTarget.files ?? [])}
      />
      <label for="picture-files" class="drop" hidden={isFull}>
        {voice.t('picture.choose')}
      </label>
      <PlainButton id="picture-add" hidden={isFull} onClick={add}>
        {voice.t('picture.addAddress')}
      </PlainButton>
      <datalist id="pictures">
        {samples.map((name) => (
          <option key={name} value={`/assets/pictures/${name}.svg`} />
        ))}
      </datalist>
    </fieldset>
  )
}

/** `i` is the row's number from 0, which names its inputs. */
type RowProps = { form: FormState; i: number; move(from: number, to: number | undefined): void }

function PictureRow({ form, i, move }: RowProps) {
  const { voice } = useView()
  const { text, enter, error } = form
  const [path, altPath] = [`pictures.${i}.src`, `pictures.${i}.alt`]
  // While an address is typed the picture stays the one before.
  const [typedOver, setTypedOver] = useState<string>()
  const [broken, setBroken] = useState<string>()
  const entered = textAt(text, path).trim()
  // A picture that has arrived changes what was entered, as typing does.
  const state = useUpload(entered, (src) => enter(path, src))
  const present = entered.startsWith(uploadPrefix) ? '' : entered
  const address = typedOver ?? present
  const isUploaded = state !== undefined || uploadedPicture(present) !== undefined
  const typing: FormState = {
    ...form,
    enter(typed, part) {
      setTypedOver(address)
      enter(typed, part)
    },
  }
  const actions = [
    { what: 'up', sign: '↑', to: i - 1, isOn: i > 0 },
    { what: 'down', sign: '↓', to: i + 1, isOn: i < text.pictures.length - 1 },
    { what: 'remove', sign: '×', to: undefined, isOn: true },
  ] as const
  return (
    <li class="picture-row">
      <div class="picture-row__shown">
        <img
          class="preview"
          alt=""
          width={160}
          height={160}
          hidden={address === ''}
          src={address === '' ? undefined : pictureUrl(address, 160)}
          onError={() => setBroken(address)}
        />
        <progress
          max={1}
          aria-label={voice.t('picture.progress')}
          hidden={!isUploading(state)}
          value={state?.kind === 'sending' ? state.share : undefined}
        />
        {/* The input of its address is hidden: the complaint stands here, and takes the focus. */}
        {isUploaded && error(path) !== '' && (
          <p class="field__error" tabindex={-1} data-wrong>
            {error(path)}
          </p>
        )}
        <p class={`field__hint ${isFailed(state) ? 'field__error' : ''}`} role="status">
          {address !== '' && broken === address ? voice.t('form.imageBroken') : state && uploadNote(voice, state)}
        </p>
      </div>
      <div class="picture-row__fields">
        <FormField
          {...{ form: typing, path, isHidden: isUploaded }}
          label={voice.t('picture.src')}
          hint={voice.t('form.imageHint')}
          onChange={() => setTypedOver(undefined)}
        />
        <FormField {...{ form, path: altPath }} label={voice.t('picture.alt')} hint={voice.t('picture.altHint')} />
      </div>
      <div class="picture-row__actions">
        {actions.map(({ what, sign, to, isOn }) => (
          <PlainButton
            key={what}
            data-do={what}
            aria-label={voice.t(`picture.${what}`, { n: i + 1 })}
            disabled={!isOn}
            onClick={() => move(i, to)}
          >
            {sign}
          </PlainButton>
        ))}
      </div>
    </li>
  )
}
