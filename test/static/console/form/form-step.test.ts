import { describe, expect, it } from 'vitest'
import { fieldPaths } from '../../../../static/client/console/form/fields.ts'
import {
  errorsBefore,
  firstWrong,
  stepBeside,
  stepNames,
  stepOf,
} from '../../../../static/client/console/form/form-steps.tsx'
import { blueBowl, errorsOf } from '../blue-bowl.ts'

describe('the steps of a new sale', () => {
  it('ask for every field before the last one, which only checks', () => {
    const steps = new Set(fieldPaths.map(stepOf))
    expect([...steps].sort()).toEqual(['what', 'when'])
  })

  it.each([
    ['title', 'what'],
    ['translations.zh-CN.title', 'what'],
    ['packets.totalAmount', 'what'],
    ['pictures.1.alt', 'what'],
    ['pictures', 'what'],
    ['variants.0.stock', 'what'],
    ['startsAt', 'when'],
    ['windows', 'when'],
    ['windows.2.totalAmount', 'when'],
    ['coupons.validUntil', 'when'],
    ['throttle.perIp.limit', 'when'],
  ])('show an error at %s in the step %s', (place, step) => {
    expect(stepOf(place)).toBe(step)
  })

  it('stop at the errors before a step, and not at those behind it', () => {
    const errors = errorsOf({ ...blueBowl, title: '', endsAt: '' })
    expect(Object.keys(errorsBefore('when', errors))).toEqual(['title'])
    expect(Object.keys(errorsBefore('check', errors)).sort()).toEqual(['endsAt', 'title'])
    expect(errorsBefore('what', errors)).toEqual({})
    expect(firstWrong(errors)).toBe('what')
    expect(firstWrong({ endsAt: { key: 'error.time' } })).toBe('when')
    expect(firstWrong({})).toBeUndefined()
  })

  it('end at the first and at the last', () => {
    expect(stepNames.map((step) => stepBeside(step, 1))).toEqual(['when', 'check', 'check'])
    expect(stepNames.map((step) => stepBeside(step, -1))).toEqual(['what', 'what', 'when'])
  })
})
