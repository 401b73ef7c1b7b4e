import { describe, expect, it } from 'vitest'
import { expectedCrowd, type MeasuredCrowd, wholeCrowd } from '../../../core/people/crowd.ts'

const former = (opened: number, came: number, reminders = 2 * opened): MeasuredCrowd => ({
  ...{ reminders, opened, came },
})
const asked = { asked: 1000, opened: 0 }

describe('the crowd that reminders promise', () => {
  it('is 2 to 10 shoppers for each of the half that follows its link, before a start was measured', () => {
    expect(expectedCrowd(asked, [])).toEqual({ from: 1000, to: 5000 })
  })

  it('is unknown without reminders, and none that came is left out', () => {
    expect(expectedCrowd({ asked: 0, opened: 0 }, [former(100, 500)])).toBeUndefined()
    expect(expectedCrowd({ asked: 1000, opened: 900 }, [former(100, 50)])?.from).toBe(900)
  })

  it('follows the shares of former starts, and is narrower with each of them', () => {
    // A quarter followed the link, and five requests came for each.
    const one = former(100, 500, 400)
    expect(expectedCrowd(asked, [one])).toEqual({ from: 630, to: 2500 })
    expect(expectedCrowd(asked, [one, one])).toEqual({ from: 830, to: 1900 })
    expect(expectedCrowd(asked, [one, one, one])).toEqual({ from: 1000, to: 1500 })
    expect(expectedCrowd(asked, [one, one, former(100, 1000, 400)])).toEqual({ from: 1000, to: 3000 })
  })

  it('leaves out a start with too few followers to say anything', () => {
    expect(expectedCrowd(asked, [former(4, 400)])).toEqual(expectedCrowd(asked, []))
  })

  it('adds up over the windows of a sale, and what came once each was measured', () => {
    expect(wholeCrowd([null])).toBeUndefined()
    const first = { from: 10, to: 50, came: 30 }
    expect(wholeCrowd([first, null, { from: 5, to: 9, came: null }])).toEqual({
      from: 15,
      to: 59,
      came: null,
    })
    expect(wholeCrowd([first, { from: 5, to: 9, came: 8 }])).toEqual({ from: 15, to: 59, came: 38 })
  })
})
