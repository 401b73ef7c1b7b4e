import { describe, expect, it } from 'vitest'
import { actionsFor, opensByItself } from '../../../../static/client/console/sale/actions.ts'

const early = { startsAt: 60_000, now: 0 }
const never = { ...early, flag: 'off', epoch: 0, warmed: true, inStep: true } as const
const running = { ...early, flag: 'on', epoch: 1, warmed: true, inStep: true } as const

describe('what a marketer may do', () => {
  it('follows the sale from draft to end (G1-G3)', () => {
    expect(actionsFor({ ...never, warmed: false, phase: 'draft' })).toEqual(['start', 'open-now', 'delete'])
    expect(actionsFor({ ...never, phase: 'scheduled' })).toEqual(['start', 'open-now', 'close', 'delete'])
    expect(actionsFor({ ...running, phase: 'scheduled' })).toEqual(['open-now', 'pause', 'close'])
    expect(actionsFor({ ...running, phase: 'open' })).toEqual(['pause', 'close'])
    expect(actionsFor({ ...running, phase: 'sold-out' })).toEqual(['pause', 'close'])
    expect(actionsFor({ ...running, flag: 'paused', phase: 'paused' })).toEqual(['resume', 'close'])
    expect(actionsFor({ ...running, flag: 'closed', phase: 'ended' })).toEqual([])
  })

  it('schedules a sale only before its time: what is due can be opened now', () => {
    const due = { ...never, now: early.startsAt }
    expect(actionsFor({ ...due, warmed: false, phase: 'draft' })).toEqual(['open-now', 'delete'])
    expect(actionsFor({ ...due, phase: 'scheduled' })).toEqual(['open-now', 'close', 'delete'])
  })

  it('lets a sale between two windows be opened early, be kept shut and be closed (R7)', () => {
    const between = { ...running, flag: 'off', phase: 'scheduled' } as const
    expect(actionsFor(between)).toEqual(['open-now', 'pause', 'close'])
    expect(opensByItself(between)).toBe(true)
    expect(opensByItself({ ...never, phase: 'scheduled' })).toBe(false)
    expect(opensByItself({ ...running, phase: 'open' })).toBe(false)
  })

  it('offers nothing on an archived sale', () => {
    expect(actionsFor({ ...never, archivedAt: 1, phase: 'ended' })).toEqual([])
    expect(actionsFor({ ...running, archivedAt: 1, inStep: false, phase: 'ended' })).toEqual([])
  })

  it('lets only a sale that was never started be deleted', () => {
    expect(actionsFor({ ...never, flag: 'closed', phase: 'ended' })).toEqual(['delete'])
  })
})

describe('an action whose change is not yet everywhere', () => {
  const behind = { ...running, inStep: false } as const

  it('can be asked for again: Close for good after a close, Start after a start (G1-G3)', () => {
    expect(actionsFor({ ...behind, flag: 'closed', phase: 'ended' })).toEqual(['close'])
    expect(actionsFor({ ...behind, phase: 'open' })).toEqual(['start', 'pause', 'close'])
    expect(actionsFor({ ...behind, phase: 'scheduled' })).toEqual(['start', 'open-now', 'pause', 'close'])
    expect(actionsFor({ ...behind, flag: 'paused', phase: 'paused' })).toEqual(['pause', 'resume', 'close'])
    expect(actionsFor({ ...never, inStep: false, phase: 'scheduled' })[0]).toBe('warm')
  })

  it('is one that the sale still allows: a sale that the clock ended is resumed, not started', () => {
    expect(actionsFor({ ...behind, phase: 'ended' })).toEqual(['resume'])
  })

  it('is nothing to repeat before there is anything on the shelf', () => {
    expect(actionsFor({ ...never, warmed: false, inStep: false, phase: 'draft' })).toEqual([
      'start',
      'open-now',
      'delete',
    ])
  })
})
