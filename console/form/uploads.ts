/**
 * Pictures on their way to the shop: the bytes go straight to the bucket of uploads, and the shop makes its picture of them.
 * They go on while a form is drawn again in another language.
 */

import { useEffect, useState } from 'preact/hooks'
import type { Reply } from '../../client/http.ts'
import { maxUploadBytes, type PictureUpload, pictureTypes } from '../../core/api/pictures.ts'
import type { RefusalReason } from '../../core/refusals.ts'
import { refusalKey } from '../../templates/messages/codes.ts'
import { control } from '../api.ts'
import { type ConsoleVoice, reasonText } from '../view.ts'
import { uploadPrefix } from './fields.ts'

/** `share` is how much was sent, from 0 to 1. */
type UploadState =
  | { kind: 'sending'; share: number }
  | { kind: 'making' }
  | { kind: 'stored'; src: string }
  | { kind: 'refused'; reason: RefusalReason }
  | { kind: 'failed'; reply: Exclude<Reply, { kind: 'ok' }> }

type Upload = { state: UploadState; listener: () => void; ended: Promise<void> }

/** The uploads of this tab, by id. */
const uploads = new Map<string, Upload>()

let last: Promise<void> = Promise.resolve()

/** Starts after those before it: one picture after the other arrives sooner than all at once. */
export function startUpload(file: File): string {
  const id = uploadPrefix + crypto.randomUUID()
  const upload: Upload = { state: { kind: 'sending', share: 0 }, listener: () => {}, ended: last }
  uploads.set(id, upload)
  const take = (state: UploadState) => {
    upload.state = state
    upload.listener()
  }
  last = last.then(async () => take(await send(file, take)))
  upload.ended = last
  return id
}

export const isUploading = (state: UploadState | undefined): boolean =>
  state?.kind === 'sending' || state?.kind === 'making'
export const isFailed = (state: UploadState | undefined): boolean =>
  state?.kind === 'refused' || state?.kind === 'failed'

/** Resolves once none of these uploads is under way; others have ended. */
export const uploadsEnded = (ids: readonly string[]): Promise<unknown> =>
  Promise.all(ids.map((id) => uploads.get(id)?.ended))

export const uploadState = (id = ''): UploadState | undefined => uploads.get(id)?.state

/** How far the upload is, now and after each change; `stored` gets the address of its picture. */
export function useUpload(id: string | undefined, stored: (src: string) => void): UploadState | undefined {
  const [, drawAgain] = useState<UploadState>()
  const upload = uploads.get(id ?? '')
  useEffect(() => {
    if (upload === undefined) return
    const look = () => {
      drawAgain(upload.state)
      if (upload.state.kind === 'stored') stored(upload.state.src)
    }
    upload.listener = look
    look()
    return () => {
      upload.listener = () => {}
    }
  })
  return upload?.state
}

async function send(file: File, take: (state: UploadState) => void): Promise<UploadState> {
  const type = pictureTypes.find((known) => known === file.type)
  if (type === undefined) return { kind: 'refused', reason: reasonForType(file.type) }
  if (file.size === 0 || file.size > maxUploadBytes) return { kind: 'refused', reason: 'picture-bytes' }
  const begun = await control.beginPicture({ body: { type } })
  if (!begun.ok) return { kind: 'failed', reply: begun.reply }
  const isSent = await sendForm(begun.value, file, (share) => take({ kind: 'sending', share }))
  if (!isSent) return { kind: 'failed', reply: { kind: 'lost' } }
  take({ kind: 'making' })
  const made = await control.finishPicture({ uploadId: begun.value.uploadId })
  return made.ok ? { kind: 'stored', src: made.value.src } : { kind: 'failed', reply: made.reply }
}

const reasonForType = (type: string): RefusalReason => (type === 'image/svg+xml' ? 'picture-active' : 'picture-type')

/** `fetch` does not say how much of a body was sent. */
function sendForm({ url, fields }: PictureUpload, file: File, onShare: (share: number) => void): Promise<boolean> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', file)
  return new Promise((done) => {
    const request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) => onShare(loaded / Math.max(total, 1)))
    request.addEventListener('loadend', () => done(request.status >= 200 && request.status < 300))
    request.open('POST', url)
    request.send(form)
  })
}

/** Megapixels, pixels and megabytes that refusals name; the shop sends them with its own refusals. */
const limits = { pixels: 50, side: 12_000, megabytes: 10 }

/** How far it is, or why it failed. */
export function uploadNote(voice: ConsoleVoice, state: UploadState): string {
  switch (state.kind) {
    case 'sending':
      return voice.t('picture.sending')
    case 'making':
      return voice.t('picture.making')
    case 'stored':
      return ''
    case 'refused': {
      const key = refusalKey(state.reason)
      return key === undefined ? '' : voice.t(key, limits)
    }
    case 'failed':
      return reasonText(voice, state.reply)
  }
}
