/** The description of events in the API. */
import { expect, it } from 'vitest'
import { createEventChecker } from '../../../../proof/described-api.ts'
import { describeApi } from '../../../../static/api/openapi.ts'
import { eventTypes, testEventType } from '../../core/names.ts'

const api = describeApi('1.2.3')

it('the description of the API has each event that is sent to the shop’s own systems, with a valid example', () => {
  expect(Object.keys(api.webhooks)).toEqual([...eventTypes, testEventType])
  const faults = createEventChecker(api)
  for (const [type, { post }] of Object.entries(api.webhooks)) {
    const { example } = post?.requestBody?.content['application/json'] ?? {}
    expect(faults(JSON.stringify(example)), type).toEqual([])
    const wrong = { type, timestamp: '', data: { colour: 'brown' } }
    expect(faults(JSON.stringify(wrong)), type).not.toEqual([])
  }
  expect(faults('{"type":"order.lost"}')).toEqual(['the event order.lost is not described'])
})
