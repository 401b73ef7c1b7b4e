import { expect, it } from 'vitest'
import { planRush, type RushFlags, rushCommand } from '../../../../proof/rush/command.ts'

const startStep = () => ({ to: () => {}, end: () => {} })
const wanted = (...words: string[]) =>
  planRush({ ...rushCommand().parse(words, { from: 'user' }).opts<RushFlags>(), seed: 1, startStep })

it('a rush with a draw has at most as many units as a draw may have', () => {
  expect(wanted('--mode', 'draw')).toMatchObject({
    kind: 'orders',
    options: { mode: 'draw', shoppers: 1000, stock: 100 },
  })
  for (const mode of ['draw', 'all'])
    expect(wanted('--mode', mode, '--stock', '20001')).toMatchObject({
      detail: '--mode needs a --stock of 1 to 20000.',
    })
  expect(wanted('--mode', 'spread', '--stock', '20001')).toMatchObject({ kind: 'orders' })
})
