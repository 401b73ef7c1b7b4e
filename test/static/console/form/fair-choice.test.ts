import { describe, expect, it } from 'vitest'
import { fairChoice } from '../../../../static/client/console/form/fair-choice.ts'
import type { FormText } from '../../../../static/client/console/form/form-text.ts'
import { sale } from '../../../core/api/live-answer.ts'
import { blueBowl, definitionOf } from '../blue-bowl.ts'

const typed: FormText = { ...blueBowl, price: '10', currency: 'EUR' }
const yesterday = new Date(2026, 10, 19, 12).getTime()
const closesAt = new Date(2026, 10, 20, 11, 57).getTime()
const choiceFor = (shoppers: number, change: Partial<FormText> = {}, now = yesterday) =>
  fairChoice({ ...typed, ...change }, undefined, { from: 1, to: shoppers }, now)

describe('the fair choice for an expected crowd', () => {
  it('is first come, first served where there is a unit for each', () => {
    expect(choiceFor(100)).toEqual({ seconds: 0, isShort: false, odds: 1, times: 1, timesThen: 1 })
    expect(choiceFor(1_000_000, { stock: '-1' })).toMatchObject({ odds: 1, times: 1 })
  })

  it('is short random turns where they are enough, and says what first come, first served does', () => {
    expect(choiceFor(5000)).toEqual({
      ...{ seconds: 40, isShort: false, odds: 50 },
      ...{ times: Number.POSITIVE_INFINITY, timesThen: 1.25 },
    })
    expect(choiceFor(5000, { spreadSeconds: '20' })).toMatchObject({ seconds: 40, times: 1.5 })
  })

  it('is a draw where the turns would be long, and its fields make a sale that draws', () => {
    const choice = choiceFor(50_000)
    // 400 s would be fair; a spread has 300 at most.
    expect(choice).toMatchObject({
      seconds: 300,
      isShort: true,
      odds: 500,
      draw: { closesAt, isChosen: false },
    })
    const chosen = { ...typed, ...choice?.draw?.fields }
    expect(definitionOf(chosen)).toMatchObject({
      draw: { closesAt, claimSeconds: 3600 },
      limitPerShopper: 1,
      earlyAccess: { list: 'only' },
    })
    expect(fairChoice(chosen, undefined, { from: 1, to: 50_000 }, yesterday)).toMatchObject({
      seconds: 0,
      times: 1,
      draw: { closesAt, isChosen: true },
    })
  })

  it('proposes no draw that leaves less than half an hour to enter, or after the first start', () => {
    expect(choiceFor(50_000, {}, closesAt - 30 * 60_000)).toHaveProperty('draw')
    expect(choiceFor(50_000, {}, closesAt - 30 * 60_000 + 1)).not.toHaveProperty('draw')
    expect(choiceFor(50_000, { kind: 'coupon' })).toHaveProperty('draw')
    const started = { ...sale, epoch: 1 }
    expect(fairChoice(typed, started, { from: 1, to: 50_000 }, yesterday)).not.toHaveProperty('draw')
  })

  it('waits for a form that is valid', () => {
    expect(choiceFor(5000, { stock: 'many' })).toBeUndefined()
  })
})
