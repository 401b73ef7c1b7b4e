/** The time that a text of events promises. */
import { expect, it } from 'vitest'
import { rotationMs } from '../../core/endpoint.ts'
import english from '../../words/en.json' with { type: 'json' }

it('says how long the former secret of an endpoint signs', () => {
  expect(english.messages['console/events']['event.rotateEffect']).toContain(`for ${rotationMs / 3_600_000} hours`)
})
