/** `POST /api/control/pictures` and `POST /api/control/pictures/{uploadId}`. */
import { controlApi } from '../../core/api/control.ts'
import { maxUploadBytes, parseUploadId, uploadRequest } from '../../core/api/pictures.ts'
import { maxControlBodyBytes } from '../../core/body-limits.ts'
import { answerOf, type HttpAnswer } from '../lib/http/answer.ts'
import { readBody } from '../lib/http/body.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { createRouter } from '../lib/http/routes.ts'
import { refusal } from './answers.ts'
import { type Arrival, type ControlRoute, enterControl, guarded } from './entrance.ts'
import { makePicture, type PicturePorts } from './make-picture.ts'

const all: readonly ControlRoute<PicturePorts>[] = [
  {
    ...controlApi.beginPicture,
    run: async ({ ports, request }) => {
      const body = readBody(uploadRequest, request, maxControlBodyBytes)
      if (!body.ok) return body.answer
      const uploadId = ports.newUploadId()
      const form = await ports.uploads.begin(uploadId, body.value.type, maxUploadBytes)
      return answerOf(controlApi.beginPicture, { uploadId, ...form })
    },
  },
  {
    ...controlApi.finishPicture,
    run: async ({ ports }, { uploadId: id }) => {
      const uploadId = parseUploadId(id)
      // An id that no upload can have is as unknown as any other without an upload, and reaches no bucket.
      if (uploadId === undefined) return refusal({ reason: 'unknown-upload' }, 'not-found')
      const made = await makePicture(ports, uploadId)
      if (made.kind === 'stored') return answerOf(controlApi.finishPicture, made.picture)
      return refusal(made, made.reason === 'unknown-upload' ? 'not-found' : 'invalid-request')
    },
  },
]

const route = createRouter<Arrival<PicturePorts>>(all.map(guarded))

/**
 * Answers one request of the shop's staff.
 * @throws what the ports throw
 */
export async function answerPictures(ports: PicturePorts, request: HttpRequest): Promise<HttpAnswer> {
  return enterControl(route, ports, request, 'at-the-gate')
}
