/**
 * Pictures on their way to the shop: the bytes go straight to the bucket of uploads, and the shop makes
 * its picture of them.
 */
import { maxUploadBytes, type PictureUpload, pictureTypes } from '../../../../core/api/pictures.ts'
import type { RefusalReason } from '../../../../core/refusals.ts'
import { beginPicture, finishPicture } from '../api.ts'
import { addUpload, type UploadState } from './upload-states.ts'

let last: Promise<void> = Promise.resolve()

/** Starts after those before it: one picture after the other arrives sooner than all at once. */
export function startUpload(file: File): string {
  const id = crypto.randomUUID()
  const take = addUpload(id, { kind: 'sending', share: 0 })
  last = last.then(async () => take(await send(file, take)))
  return id
}

async function send(file: File, take: (state: UploadState) => void): Promise<UploadState> {
  const type = pictureTypes.find((known) => known === file.type)
  if (type === undefined) return { kind: 'refused', reason: reasonForType(file.type) }
  if (file.size === 0 || file.size > maxUploadBytes) return { kind: 'refused', reason: 'picture-bytes' }
  const begun = await beginPicture(type)
  if (!begun.ok) return { kind: 'failed', reply: begun.reply }
  const isSent = await sendForm(begun.value, file, (share) => take({ kind: 'sending', share }))
  if (!isSent) return { kind: 'failed', reply: { kind: 'lost' } }
  take({ kind: 'making' })
  const made = await finishPicture(begun.value.uploadId)
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
