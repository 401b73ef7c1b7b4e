import { describe, expect, it } from 'vitest'
import { actionButtons } from '../../../console/sale/actions.ts'
import { shownLive } from '../../../console/sale/notices.ts'
import { aLive, sale } from '../../core/api/live-answer.ts'

const draft = { ...sale, flag: 'off', epoch: 0, warmed: false, startsAt: 60_000 } as const
const late = { ...draft, startsAt: 0 }
const armed = { ...sale, windows: [], startsAt: 60_000, endsAt: 120_000 }

describe('the buttons of a sale', () => {
  it.each([
    ['open', {}, ['do.pause main', 'do.close danger']],
    ['a draft', { sale: draft, phase: 'draft' }, ['do.start main', 'do.open-now plain', 'do.delete danger']],
    ['a late draft', { sale: late, phase: 'draft' }, ['do.open-now main', 'do.delete danger']],
    // Opening early is possible, but must not look like the thing to do.
    ['armed', { sale: armed, phase: 'scheduled' }, ['do.open-now plain', 'do.pause plain', 'do.close danger']],
    // A pause would stop nothing that sells.
    ['sold out', { phase: 'sold-out' }, ['do.pause plain', 'do.close danger']],
    // The button that recovers the sale is the main one.
    ['frozen', { frozen: true }, ['do.pause plain', 'do.close danger']],
    ['behind', { inStep: false }, ['do.repeat main', 'do.pause plain', 'do.close danger']],
    // Nobody knows whether it is behind: to start a live sale again would look like it was off.
    [
      'whose Redis does not answer',
      shownLive({ ...aLive, stock: null, unavailable: ['redis'], inStep: false }, false),
      ['do.pause main', 'do.close danger'],
    ],
    ['archived', { sale: { ...sale, archivedAt: 1 } }, []],
  ] as const)('that is %s have one main action at most', (_name, change, buttons) => {
    const shown = actionButtons({ ...aLive, ...change })
    expect(shown.map(({ label, look }) => `${label} ${look}`)).toEqual(buttons)
  })
})
