/** Uploads in S3: the form takes what its policy allows and nothing else, and what came of it is kept. */
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PictureType } from '../../core/api/pictures.ts'
import type { UploadResult, Uploads } from '../../functions/control/pictures.ts'
import { connectUploadForms, s3Pictures, s3Uploads } from '../../functions/entries/adapters/pictures.s3.ts'
import { localSecret } from '../../local/resources.ts'
import { startQueues, type TestQueues } from './cloud.ts'

const maxBytes = 1000
const result = { src: `/pictures/${'a'.repeat(32)}-300x200`, width: 300, height: 200, widths: [300] }
const bytes = new Uint8Array([1, 2, 3])

let cloud: TestQueues
let uploads: Uploads
let ids = 0

beforeAll(async () => {
  cloud = await startQueues()
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', localSecret)
  const endpoint = process.env.AWS_ENDPOINT_URL_S3
  const forms = connectUploadForms(endpoint === undefined ? {} : { AWS_ENDPOINT_URL_S3: endpoint })
  uploads = s3Uploads(cloud.s3, forms, cloud.bucket, Date.now)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await cloud.stop()
})

/** The status of a form that is sent with `content`, and the id of its upload. */
async function sent(
  content: Uint8Array<ArrayBuffer>,
  { type = 'image/png', change = {} }: { type?: PictureType; change?: Record<string, string | undefined> } = {},
): Promise<{ uploadId: string; status: number; code: string | undefined }> {
  ids += 1
  const uploadId = String(ids).padStart(32, '0')
  const { url, fields } = await uploads.begin(uploadId, type, maxBytes)
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, ...change })) {
    if (value !== undefined) form.append(name, value)
  }
  form.append('file', new Blob([content]))
  const response = await fetch(url, { method: 'POST', body: form })
  const [, code] = /<Code>(\w+)</.exec(await response.text()) ?? []
  return { uploadId, status: response.status, code }
}

describe('a form', () => {
  it('takes the bytes of its upload, which are read as they were sent', async () => {
    const { uploadId, status } = await sent(bytes)
    expect(status).toBe(204)
    expect(await uploads.read(uploadId, maxBytes)).toEqual(bytes)
    expect(await uploads.read(uploadId, 2)).toBe('too-large')
  })

  it.each([
    ['another name', { key: 'index.html' }, 'AccessDenied'],
    ['another bucket', { bucket: 'sluice-site' }, 'AccessDenied'],
    ['another type', { 'Content-Type': 'text/html' }, 'AccessDenied'],
    ['a field that was not signed', { 'x-amz-meta-a': 'b' }, 'AccessDenied'],
    ['a redirect', { success_action_redirect: 'https://elsewhere.example' }, 'AccessDenied'],
    ['no policy', { Policy: undefined }, 'AccessDenied'],
    ['a policy of its own', { Policy: Buffer.from('{"conditions":[]}').toString('base64') }, 'SignatureDoesNotMatch'],
    ['another signature', { 'X-Amz-Signature': '0'.repeat(64) }, 'SignatureDoesNotMatch'],
  ])('with %s is refused', async (_, change, expected) => {
    const { uploadId, status, code } = await sent(bytes, { change })
    expect({ status, code }).toEqual({ status: 403, code: expected })
    expect(await uploads.read(uploadId, maxBytes)).toBeUndefined()
  })

  it('with more bytes than allowed, or none, is refused', async () => {
    expect(await sent(new Uint8Array(maxBytes))).toMatchObject({ status: 204 })
    expect(await sent(new Uint8Array(maxBytes + 1))).toMatchObject({ status: 400, code: 'EntityTooLarge' })
    expect(await sent(new Uint8Array(0))).toMatchObject({ status: 400, code: 'EntityTooSmall' })
  })

  it('ends after ten minutes', async () => {
    const before = Date.now()
    const { expiresAt } = await uploads.begin('0'.repeat(32), 'image/png', maxBytes)
    expect(expiresAt).toBeGreaterThanOrEqual(before + 600_000)
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 600_000)
    vi.useFakeTimers({ now: Date.now() - 601_000, toFake: ['Date'] })
    const { url, fields } = await uploads.begin('0'.repeat(32), 'image/png', maxBytes)
    vi.useRealTimers()
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([bytes]))
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(403)
  })

  it('may be sent by a page of another origin, which asks first', async () => {
    const { url } = await uploads.begin('0'.repeat(32), 'image/png', maxBytes)
    const origin = 'https://shop.example'
    const asked = await fetch(url, { method: 'OPTIONS', headers: { origin } })
    expect(asked.status).toBe(200)
    expect(asked.headers.get('access-control-allow-methods')).toBe('POST')
  })
})

it.each<[string, UploadResult]>([
  ['a picture', result],
  ['a refusal', { refused: 'picture-active' }],
])('an upload keeps %s when it is finished, and not its bytes; both may be repeated', async (_, came) => {
  const { uploadId } = await sent(bytes)
  expect(await uploads.result(uploadId)).toBeUndefined()
  for (let time = 1; time <= 2; time += 1) {
    await uploads.finish(uploadId, came)
    expect(await uploads.read(uploadId, maxBytes)).toBeUndefined()
    expect(await uploads.result(uploadId)).toEqual(came)
  }
})

it('a published picture is WebP, and every cache may keep it', async () => {
  await s3Pictures(cloud.s3, cloud.bucket).put('pictures/a-300.webp', bytes)
  const head = await cloud.s3.send(new HeadObjectCommand({ Bucket: cloud.bucket, Key: 'pictures/a-300.webp' }))
  expect(head).toMatchObject({ ContentType: 'image/webp', CacheControl: 'public, max-age=31536000, immutable' })
})
