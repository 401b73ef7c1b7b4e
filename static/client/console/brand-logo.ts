/** The logo in the form of the brand: a file that is chosen, uploaded as pictures of sales are. */
import { pictureTypes } from '../../../core/api/pictures.ts'
import { make, setText } from '../dom.ts'
import { noteOf } from './picture-fields.ts'
import { followUpload, uploadState } from './upload-states.ts'
import { startUpload } from './uploads.ts'
import type { ConsoleVoice } from './view.ts'

/** `logo` is that of the saved brand; `onChange` is called when another one is there, or none. */
export function logoField(voice: ConsoleVoice, logo: string | undefined, onChange: () => void) {
  let present = logo
  let isUploading = false
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
    { type: 'button', class: 'button button--plain', id: 'logo-remove', click: () => set(undefined) },
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

  function set(next: string | undefined): void {
    present = next
    remove.hidden = next === undefined
    setText(note, '')
    onChange()
  }

  function take(chosen: File | undefined): void {
    if (chosen === undefined) return
    const upload = startUpload(chosen)
    const look = () => {
      const state = uploadState(upload)
      if (state === undefined) return
      isUploading = state.kind === 'sending' || state.kind === 'making'
      if (state.kind === 'stored') set(state.src)
      setText(note, noteOf(voice, state))
      note.classList.toggle('field__error', state.kind === 'refused' || state.kind === 'failed')
    }
    followUpload(upload, look)
    look()
    file.value = ''
  }

  remove.hidden = logo === undefined
  return { element, logo: () => present, isUploading: () => isUploading }
}
