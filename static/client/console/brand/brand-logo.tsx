/** The logo in the form of the brand: a file that is chosen, uploaded as pictures of sales are. */
import { pictureTypes } from '../../../../core/api/pictures.ts'
import { brandFormMessages } from '../../../messages/catalogues.ts'
import { type PictureText, stateOf } from '../form/picture-text.ts'
import { uploadNote, useUpload } from '../form/upload-progress.ts'
import { startUpload } from '../form/uploads.ts'
import { useViewWith } from '../view-place.ts'

/** `src` is the logo until the upload is stored. */
export type LogoText = { src: string | undefined } & Pick<PictureText, 'upload'>

/** The address of the logo as far as it is known. */
export function logoIn(text: LogoText): string | undefined {
  const state = stateOf(text)
  return state?.kind === 'stored' ? state.src : text.src
}

export function isUploading(text: LogoText): boolean {
  const state = stateOf(text)
  return state?.kind === 'sending' || state?.kind === 'making'
}

/** `change` is called when another logo is there, or none. */
export function LogoField({ text, change }: { text: LogoText; change(text: LogoText): void }) {
  const { voice } = useViewWith(brandFormMessages)
  const state = useUpload(text.upload, (now) => now.kind === 'stored' && change({ ...text }))
  const isFailed = state?.kind === 'refused' || state?.kind === 'failed'
  return (
    <div class="field">
      <label for="logo-file">{voice.t('brand.logo')}</label>
      <input
        type="file"
        id="logo-file"
        accept={pictureTypes.join(',')}
        aria-describedby="logo-hint logo-note"
        onChange={({ currentTarget: input }) => {
          const [chosen] = input.files ?? []
          if (chosen !== undefined) change({ src: logoIn(text), upload: startUpload(chosen) })
          input.value = ''
        }}
      />
      <p class="field__hint" id="logo-hint">
        {voice.t('brand.logoHint')}
      </p>
      <p class={`field__hint ${isFailed ? 'field__error' : ''}`} id="logo-note" role="status">
        {state && uploadNote(voice, state)}
      </p>
      <button
        type="button"
        class="button button--plain"
        id="logo-remove"
        hidden={logoIn(text) === undefined}
        onClick={() => change({ src: undefined })}
      >
        {voice.t('brand.removeLogo')}
      </button>
    </div>
  )
}
