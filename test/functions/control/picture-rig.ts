/** The routes of pictures over buckets in memory, and pictures made by the library that decodes them. */
import { picturesApp, type UploadResult, type Uploads } from '../../../functions/control/pictures.ts'
import type { HttpAnswer } from '../../../functions/lib/http/answer.ts'
import { answerTo } from '../../../proof/simulation/parts/requests.ts'

export const uploadId = '0123456789abcdef0123456789abcdef'

export function pictureRig() {
  const bytes = new Map<string, Uint8Array>()
  const results = new Map<string, UploadResult>()
  const files = new Map<string, Uint8Array>()
  const asked: string[] = []
  const begun: unknown[][] = []
  const uploads: Uploads = {
    async begin(...request) {
      begun.push(request)
      return { url: 'https://bucket.example', fields: { key: 'a' }, expiresAt: 1 }
    },
    async read(id, maxBytes) {
      asked.push(id)
      const found = bytes.get(id)
      return found !== undefined && found.length > maxBytes ? 'too-large' : found
    },
    result: async (id) => results.get(id),
    async finish(id, result) {
      results.set(id, result)
      bytes.delete(id)
    },
  }
  const ports = {
    uploads,
    store: { put: async (path: string, content: Uint8Array) => void files.set(path, content) },
    newUploadId: () => uploadId,
  }
  const call = (path: string, body?: unknown, roles = 'marketer'): Promise<HttpAnswer> =>
    answerTo(picturesApp(ports), {
      method: 'POST',
      path: `/api/control/pictures${path}`,
      query: new URLSearchParams(),
      headers: {
        'content-type': 'application/json',
        'x-shopper-id': 'mia',
        'x-shopper-roles': roles,
        'x-request-id': 'r',
      },
      body: body === undefined ? '' : JSON.stringify(body),
    })
  return {
    ...{ ports, bytes, results, files, asked, begun, call },
    /** Uploads `content` and finishes it: the status and the answer. */
    async send(content: Uint8Array): Promise<{ status: number; body: Record<string, unknown> }> {
      bytes.set(uploadId, content)
      const { statusCode, body } = await call(`/${uploadId}`)
      return { status: statusCode, body: JSON.parse(body) }
    },
  }
}
