/** The logo in the form of the brand: a file that is chosen, uploaded as pictures of sales are. */
import { pictureTypes } from '../../../../core/api/pictures.ts'
import { make, setText } from '../../lib/dom.ts'
import { noteOf } from '../form/picture-fields.ts'
import { type PictureText, stateOf } from '../form/picture-text.ts'
import { followUpload } from '../form/upload-states.ts'
import { startUpload } from '../form/uploads.ts'
import type { ConsoleVoice } from '../view.ts'

/** `src` is the logo until the upload is stored, which goes on while the form is drawn again. */
export type LogoText = { src: string | undefined } & Pick<PictureText, 'upload'>

/** `first` is what the field begins with; `onChange` is called when another logo is there, or none. */
export function logoField(voice: ConsoleVoice, first: LogoText, onChange: () => void) {
  let text = first
  const note = make('p', { class: 'field__hint', id: 'logo-note', role: 'status' })
  const file = make('input', {
    type: 'file',
    id: 'logo-file',
    accept: pictureTypes.join(','),
    'aria-describedby': 'logo-hint logo-note',
    change: () => take(file.files?.[0]),
  })
  const remove = make(
    'button',
    {
      type: 'button',
      class: 'button button--plain',
      id: 'logo-remove',
      click: () => set({ src: undefined }),
    },
    voice.t('brand.removeLogo'),
  )
  const element = make(
    'div',
    { class: 'field' },
    make('label', { for: 'logo-file' }, voice.t('brand.logo')),
    file,
    make('p', { class: 'field__hint', id: 'logo-hint' }, voice.t('brand.logoHint')),
    note,
    remove,
  )

  function logo(): string | undefined {
    const state = stateOf(text)
    return state?.kind === 'stored' ? state.src : text.src
  }

  function isUploading(): boolean {
    const state = stateOf(text)
    return state?.kind === 'sending' || state?.kind === 'making'
  }

  function look(): void {
    const state = stateOf(text)
    remove.hidden = logo() === undefined
    setText(note, state === undefined ? '' : noteOf(voice, state))
    note.classList.toggle('field__error', state?.kind === 'refused' || state?.kind === 'failed')
  }

  function follow(): void {
    look()
    if (text.upload === undefined) return
    followUpload(text.upload, () => {
      look()
      if (stateOf(text)?.kind === 'stored') onChange()
    })
  }

  function set(next: LogoText): void {
    text = next
    follow()
    onChange()
  }

  function take(chosen: File | undefined): void {
    if (chosen !== undefined) set({ src: logo(), upload: startUpload(chosen) })
    file.value = ''
  }

  follow()
  return { element, logo, isUploading, text: () => text }
}
