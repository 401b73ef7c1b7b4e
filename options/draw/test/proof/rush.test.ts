import { expect, it } from 'vitest'
import { planRush, type RushFlags, rushCommand } from '../../../../proof/rush/command.ts'

const startStep = () => ({ to: () => {}, end: () => {} })
const wanted = (...words: string[]) =>
  planRush({ ...rushCommand().parse(words, { from: 'user' }).opts<RushFlags>(), seed: 1, startStep })

it('a rush with a draw has at most as many units as a draw may have', () => {
  for (const mode of ['draw', 'all'])
    expect(wanted('--mode', mode, '--stock', '20001')).toEqual({
      detail: expect.stringContaining('stock must be 1 to 20000 in a sale that draws'),
    })
  for (const words of [['draw'], ['spread', '--stock', '20001']])
    expect(wanted('--mode', ...words)).toHaveProperty('options')
})
