/** The time that a text of events promises. */
import { expect, it } from 'vitest'
import { catalogue } from '../../../../templates/messages/language-files.ts'
import { words } from '../../../../templates/messages/text.ts'
import { rotationMs } from '../../core/endpoint.ts'

it('says how long the former secret of an endpoint signs', () => {
  expect(words(catalogue('console/events')['event.rotateEffect'], 'en')).toContain(
    `for ${rotationMs / 3_600_000} hours`,
  )
})
