/** Checks which parts of an error a log line contains. */
import { describe, expect, it } from 'vitest'
import { errorFacts } from '../../../functions/lib/telemetry.ts'

describe('an error in a log line', () => {
  it('has its name, its message, its cause, and its stack frames', () => {
    const facts = errorFacts(new TypeError('no such sale', { cause: new RangeError('too far') }))
    expect(facts).toMatchObject({ error: 'TypeError', reason: 'no such sale', cause: 'RangeError: too far' })
    const places = facts.at as readonly string[]
    expect(places[0]).toMatch(/^at .*telemetry\.test\.ts:\d+:\d+\)?$/)
    expect(places.length).toBeLessThanOrEqual(5)
  })

  it('takes only the lines after the message as stack frames, even if the message looks like one', () => {
    const facts = errorFacts(new Error('first\n    at token=abc (x.ts:1:1)\nlast'))
    expect(JSON.stringify(facts.at)).not.toContain('token')
    expect((facts.at as readonly string[]).length).toBeGreaterThan(0)
  })

  it('is logged even when it is not an Error', () => {
    expect(errorFacts('oops')).toEqual({ error: 'not an Error' })
  })
})
