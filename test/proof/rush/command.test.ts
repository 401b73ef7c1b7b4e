import { describe, expect, it } from 'vitest'
import { rushedStack } from '../../../proof/bench/own-system.ts'
import { type RushFlags, rushCommand } from '../../../proof/rush/command.ts'

function flagsOf(...words: string[]): RushFlags {
  const command = rushCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  return command.parse(words, { from: 'user' }).opts()
}

describe('the fault of a rush', () => {
  it.each([
    ['sqs:down:5000', { target: 'sqs', mode: 'down', forMs: 5000 }],
    ['redis:slow:100:0.5', { target: 'redis', mode: 'slow', forMs: 100, rate: 0.5 }],
    ['redis/db-2:down:5000', { target: 'redis', database: 'db-2', mode: 'down', forMs: 5000 }],
  ])('%s is read', (text, fault) => {
    expect(flagsOf('--fault', text).fault).toEqual(fault)
  })

  it.each(['sqs', 'sqs:down', 'moon:down:1', 'sqs/db-2:down:1', 'sqs:down:soon'])('%s is refused', (text) => {
    expect(() => flagsOf('--fault', text)).toThrow(/--fault/)
  })

  it('does not end the rush because its own system was started without fault proxies', () => {
    expect(rushedStack(true, 1).faults).toBe(true)
    expect(rushedStack(false, 1).faults, 'without a fault they would only cost time').toBe(false)
  })
})
