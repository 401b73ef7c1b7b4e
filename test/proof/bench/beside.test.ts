import { describe, expect, it } from 'vitest'
import { compared, measureBeside } from '../../../proof/bench/beside.ts'

/** A round of the measurement `path` with two columns. */
const round = (accepted: number, load: string) => [
  {
    name: 'path',
    heads: ['many', 'one'],
    lines: [
      { what: 'accepted/s', value: [accepted.toLocaleString('en'), '100'] },
      { what: 'p50 / p99 ms', value: ['1 / 2', '3 / 4'] },
      { what: 'processors that other programs used', value: load },
    ],
  },
]

describe('a measurement beside that of another folder', () => {
  it('has the medians of both, and the median and range of the ratio of each round', () => {
    const now = [round(1500, '0.20 of 2'), round(3000, '0.40 of 2'), round(1200, '0.30 of 2')]
    const former = [round(1000, '0.20 of 2'), round(1000, '0.20 of 2'), round(1000, '0.20 of 2')]
    const [path, ...others] = compared(now, former)
    expect(others).toEqual([])
    expect(path?.name).toBe('path, 3 rounds in turns')
    expect(path?.lines).toEqual([
      { what: 'accepted/s; many', value: ['1500', '1000', '1.50', '1.20 to 3.00'] },
      { what: 'accepted/s; one', value: ['100', '100', '1.00', '1.00 to 1.00'] },
      { what: 'processors that other programs used', value: ['0.3', '0.2', '1.50', '1.00 to 2.00'] },
    ])
  })

  it('leaves out what only one of them measures', () => {
    const [former] = round(1000, '0.20 of 2')
    const fewer = { ...former, name: 'path', lines: former?.lines.slice(2) ?? [] }
    expect(compared([round(1500, '0.20 of 2')], [[fewer]])[0]?.lines).toHaveLength(1)
  })

  it('has no ratio to nothing', () => {
    const [path] = compared([round(1500, '0.20 of 2')], [round(0, '0.00 of 2')])
    expect(path?.lines[0]?.value).toEqual(['1500', '0', '–', '–'])
  })

  it('needs a folder with measurements', async () => {
    const beside = { folder: import.meta.dirname, rounds: 1, print: () => {} }
    await expect(measureBeside(['edge'], beside)).rejects.toThrow(
      `--beside: ${import.meta.dirname} has no proof/bench/bench.ts`,
    )
  })
})
