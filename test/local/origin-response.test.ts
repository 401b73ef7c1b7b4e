/** The function that sees the bucket's answers, run and checked as CloudFront does. */
import type { CloudFrontHeaders, CloudFrontResponseEvent } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { afterOrigin } from '../../local/cdn/origin-response.ts'

const answer = {
  status: 404,
  headers: {
    'content-type': 'application/xml',
    'transfer-encoding': 'chunked',
    connection: 'keep-alive',
    'x-amz-request-id': '1',
    'set-cookie': ['a=1', 'b=2'],
  },
  body: Buffer.from('<Error/>'),
}
const chunked = { 'transfer-encoding': [{ value: 'chunked' }] }

/** The final answer for this result of the function. */
const saying = (result: { status: string; headers?: CloudFrontHeaders; body?: string }) =>
  afterOrigin(async () => result, '/nothing', answer)

describe('the event', () => {
  it('shows the request and the answer, but no body and no header that functions never see', async () => {
    let seen: CloudFrontResponseEvent | undefined
    await afterOrigin(
      async (event) => {
        seen = event
        const [record] = event.Records
        return record?.cf.response ?? { status: '500' }
      },
      '/sales/mug/index.html',
      answer,
    )
    const cf = seen?.Records[0]?.cf
    expect(cf?.config.eventType).toBe('origin-response')
    expect(cf?.request).toMatchObject({ method: 'GET', uri: '/sales/mug/index.html', querystring: '' })
    expect(cf?.request.origin).toMatchObject({ s3: { customHeaders: {} } })
    expect(cf?.response).toEqual({
      status: '404',
      statusDescription: 'Not Found',
      headers: {
        'content-type': [{ key: 'content-type', value: 'application/xml' }],
        'transfer-encoding': [{ key: 'transfer-encoding', value: 'chunked' }],
        'x-amz-request-id': [{ key: 'x-amz-request-id', value: '1' }],
        'set-cookie': [
          { key: 'set-cookie', value: 'a=1' },
          { key: 'set-cookie', value: 'b=2' },
        ],
      },
    })
  })
})

describe('the answer of the function', () => {
  it('replaces the bucket’s; a body that it does not set stays the bucket’s', async () => {
    const own = { ...chunked, 'content-type': [{ value: 'text/plain' }] }
    const replaced = await saying({ status: '410', headers: own, body: 'gone' })
    expect([replaced.status, replaced.headers['content-type'], String(replaced.body)]).toEqual([
      410,
      'text/plain',
      'gone',
    ])
    expect((await saying({ status: '404', headers: chunked })).body).toBe(answer.body)
    expect((await saying({ status: '404', headers: chunked, body: '' })).body).toHaveLength(0)
  })

  it.each([
    ['removes a read-only header', { status: '404', headers: {} }, 'read-only'],
    [
      'changes a read-only header',
      { status: '404', headers: { 'transfer-encoding': [{ value: 'gzip' }] } },
      'transfer-encoding',
    ],
    ['adds one', { status: '404', headers: { ...chunked, via: [{ value: 'us' }] } }, 'via'],
    [
      'adds a forbidden one',
      { status: '404', headers: { ...chunked, 'x-cache': [{ value: 'x' }] } },
      'x-cache',
    ],
    ['has no status', { status: '', headers: chunked }, 'status'],
    ['is too long', { status: '404', headers: chunked, body: 'x'.repeat(1024 * 1024 + 1) }, 'bytes'],
  ])('is rejected as CloudFront does when it %s', async (_, result, complaint) => {
    await expect(saying(result)).rejects.toThrow(complaint)
  })

  it('may have other lengths and other header names than the bucket’s, unlike a request', async () => {
    const headers = { ...chunked, 'content-length': [{ value: '4' }], 'accept-encoding': [{ value: 'x' }] }
    expect((await saying({ status: '404', headers, body: 'four' })).status).toBe(404)
  })
})
