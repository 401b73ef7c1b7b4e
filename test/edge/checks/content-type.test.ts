import { describe, expect, it } from 'vitest'
import { controlEvent, forwardedOf, openGate, refusalOf, unthrottled } from '../support.ts'

describe('the content type check', () => {
  const { buy, control, handler, time } = openGate(unthrottled)
  const send = async (type: string | string[]) => buy({ headers: { 'content-type': type } })

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'takes %s',
    async (type) => {
      forwardedOf(await send(type))
    },
  )

  it.each<string | string[]>([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'application/jsonp',
    'text/json',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    '',
    ['application/json', 'application/json'],
  ])('refuses a body sent as %j, so that forms of other sites fail', async (type) => {
    expect(refusalOf(await send(type))).toMatchObject({ status: 415, code: 'unsupported-media-type' })
  })

  it('checks a marketer’s call with a body in the same way, and none without a body', async () => {
    const withBody = await controlEvent(time.now, { body: '{"now":true}' })
    expect(refusalOf(await handler(withBody)).code).toBe('unsupported-media-type')
    forwardedOf(await control())
  })
})
