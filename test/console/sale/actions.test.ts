import { describe, expect, it } from 'vitest'
import { actionsFor, opensByItself } from '../../../console/sale/actions.ts'

const early = { startsAt: 60_000, now: 0 }
const never = { ...early, flag: 'off', epoch: 0, warmed: true, inStep: true } as const
const running = { ...early, flag: 'on', epoch: 1, warmed: true, inStep: true } as const

const due = { ...never, now: early.startsAt }
const between = { ...running, flag: 'off', phase: 'scheduled' } as const
const behind = { ...running, inStep: false } as const

describe('what a marketer may do', () => {
  it.each<[string, Parameters<typeof actionsFor>[0], string]>([
    ['a draft (G1)', { ...never, warmed: false, phase: 'draft' }, 'start open-now delete'],
    ['a warmed sale (G1)', { ...never, phase: 'scheduled' }, 'start open-now close delete'],
    ['a sale that opens by itself (G2)', { ...running, phase: 'scheduled' }, 'open-now pause close'],
    ['an open sale (G2)', { ...running, phase: 'open' }, 'pause close'],
    ['a sale that is sold out', { ...running, phase: 'sold-out' }, 'pause close'],
    ['a pause (G3)', { ...running, flag: 'paused', phase: 'paused' }, 'resume close'],
    ['a sale that ended (G3)', { ...running, flag: 'closed', phase: 'ended' }, ''],
    ['a draft that is due: it is opened, not scheduled', { ...due, warmed: false, phase: 'draft' }, 'open-now delete'],
    ['a warmed sale that is due', { ...due, phase: 'scheduled' }, 'open-now close delete'],
    ['a sale between two windows (R7)', between, 'open-now pause close'],
    ['an archived sale', { ...never, archivedAt: 1, phase: 'ended' }, ''],
    ['an archived sale that was started', { ...running, archivedAt: 1, inStep: false, phase: 'ended' }, ''],
    ['a sale that was never started', { ...never, flag: 'closed', phase: 'ended' }, 'delete'],
    ['a close that is not yet everywhere (G1-G3)', { ...behind, flag: 'closed', phase: 'ended' }, 'close'],
    ['a start that is not yet everywhere (G1-G3)', { ...behind, phase: 'open' }, 'start pause close'],
    ['a start in time that is not', { ...behind, phase: 'scheduled' }, 'start open-now pause close'],
    ['a pause that is not', { ...behind, flag: 'paused', phase: 'paused' }, 'pause resume close'],
    ['a sale that the clock ended: no start of it is repeated', { ...behind, phase: 'ended' }, 'resume'],
    [
      'a draft, of which nothing is repeated',
      { ...never, warmed: false, inStep: false, phase: 'draft' },
      'start open-now delete',
    ],
  ])('follows from %s', (_, sale, actions) => {
    expect(actionsFor(sale).join(' ')).toBe(actions)
  })

  it('begins with warming where that is not yet everywhere', () => {
    expect(actionsFor({ ...never, inStep: false, phase: 'scheduled' })[0]).toBe('warm')
  })
})

it('a sale between two windows opens by itself (R7)', () => {
  const sales = [between, { ...never, phase: 'scheduled' }, { ...running, phase: 'open' }] as const
  expect(sales.map(opensByItself)).toEqual([true, false, false])
})
