/** The uploads of this tab, which go on while the form is drawn again in another language. */
import type { RefusalReason } from '../../../../core/refusals.ts'
import type { Reply } from '../../lib/http.ts'

/** `share` is how much was sent, from 0 to 1. */
export type UploadState =
  | { kind: 'sending'; share: number }
  | { kind: 'making' }
  | { kind: 'stored'; src: string }
  | { kind: 'refused'; reason: RefusalReason }
  | { kind: 'failed'; reply: Exclude<Reply, { kind: 'ok' }> }

type Upload = { state: UploadState; listener: () => void }

const uploads = new Map<string, Upload>()

/** Answers with the function that takes each next state. */
export function addUpload(id: string, first: UploadState): (state: UploadState) => void {
  const upload: Upload = { state: first, listener: () => {} }
  uploads.set(id, upload)
  return (state) => {
    upload.state = state
    upload.listener()
  }
}

export const uploadState = (id: string): UploadState | undefined => uploads.get(id)?.state

/** Calls `listener` from now on at each change, instead of the one before it. */
export function followUpload(id: string, listener: () => void): void {
  const upload = uploads.get(id)
  if (upload !== undefined) upload.listener = listener
}
