/** `POST /api/control/pictures` and `POST /api/control/pictures/{uploadId}`. */
import { pictureOperations } from '../../core/api/picture-operations.ts'
import { maxUploadBytes, parseUploadId } from '../../core/api/pictures.ts'
import { createApp } from '../lib/http/app.ts'
import { refusal } from './answers.ts'
import { forStaff, onControl } from './entrance.ts'
import { makePicture, type PicturePorts } from './make-picture.ts'

const routes = [
  onControl(pictureOperations.beginPicture, async ({ uploads, newUploadId }: PicturePorts, { body }) => {
    const uploadId = newUploadId()
    return { uploadId, ...(await uploads.begin(uploadId, body.type, maxUploadBytes)) }
  }),
  onControl(pictureOperations.finishPicture, async (ports: PicturePorts, { params }) => {
    const uploadId = parseUploadId(params.uploadId)
    // An id that no upload can have is as unknown as any other without an upload, and reaches no bucket.
    if (uploadId === undefined) return refusal({ reason: 'unknown-upload' }, 'not-found')
    const made = await makePicture(ports, uploadId)
    if (made.kind === 'stored') return made.picture
    return refusal(made, made.reason === 'unknown-upload' ? 'not-found' : 'invalid-request')
  }),
]

/** Answers requests of the shop's staff. */
export const picturesApp = (ports: PicturePorts) => createApp(ports, routes, forStaff('at-the-gate'))
