/** The pictures of a sale as they stand in its form. */
import type { Picture } from '../../../../core/sale/pictures.ts'
import { typedTexts } from '../lib/typed.ts'
import { type UploadState, uploadState } from './upload-states.ts'

/** `upload` names the upload that the picture comes from, if it was chosen in this form. */
export type PictureText = Picture & { upload?: string }

export const pictureInputs = ['src', 'alt'] as const
export type PicturePlace = `pictures.${number}.${(typeof pictureInputs)[number]}`

export function stateOf({ upload }: Pick<PictureText, 'upload'>): UploadState | undefined {
  return upload === undefined ? undefined : uploadState(upload)
}

/** Without an address while its upload is not finished. */
export function pictureIn(text: PictureText): Picture {
  const state = stateOf(text)
  const alts = typedTexts(text.alts)
  const src = state?.kind === 'stored' ? state.src : text.src.trim()
  return { src, alt: text.alt.trim(), ...(alts && { alts }) }
}
