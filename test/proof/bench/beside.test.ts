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
      ...['1', '2'].map((value, at) => ({
        what: `p50 / p99 ms; many; number ${at + 1} of # / #`,
        value: [value, value, '1.00', '1.00 to 1.00'],
      })),
      ...['3', '4'].map((value, at) => ({
        what: `p50 / p99 ms; one; number ${at + 1} of # / #`,
        value: [value, value, '1.00', '1.00 to 1.00'],
      })),
      { what: 'processors that other programs used', value: ['0.3', '0.2', '1.50', '1.00 to 2.00'] },
    ])
  })

  it('names what only one of them measures, and has no ratio of it', () => {
    const [former] = round(1000, '0.20 of 2')
    const fewer = { ...former, name: 'path', lines: former?.lines.slice(2) ?? [] }
    const lines = compared([round(1500, '0.20 of 2')], [[fewer]])[0]?.lines
    expect(lines?.map(({ what }) => what)).toEqual(['processors that other programs used', 'not in both'])
    expect(lines?.[1]?.value).toContain('accepted/s; many | accepted/s; one | p50 / p99 ms; many')
  })

  it('compares each number of a text that both write alike, and no list of rounds', () => {
    const of = (value: string) => [{ name: 'million', lines: [{ what: 'processor time', value }] }]
    const [million] = compared([of('9.5 µs (6.6 in the pre-gate)')], [of('19 µs (6.6 in the pre-gate)')])
    expect(million?.lines.map(({ value }) => value[2])).toEqual(['0.50', '1.00'])
    const [list] = compared([of('1.1 1.2 1.3 1.4 1.5')], [of('1.1 1.2 1.3 1.4 1.5')])
    expect(list?.lines).toEqual([])
    const [other] = compared([of('2 s')], [of('2 ms')])
    expect(other?.lines.map(({ what }) => what)).toEqual(['not in both'])
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
