/**
 * A measurement of this folder beside the same of another one, such as a checkout of the former commit: both are played in
 * turns, each time in a process of its own, so that other load on the machine affects them alike.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { parse } from '../../core/lib/parse.ts'
import { inTurns, type Measurement } from './harness.ts'
import { median } from './statistics.ts'

const here = join(dirname(fileURLToPath(import.meta.url)), '../..')
const program = 'proof/bench/bench.ts'

/** Enough for a median that one disturbed round does not change. */
export const usualRounds = 5

const measurements = z.array(
  z.object({
    name: z.string(),
    heads: z.optional(z.array(z.string())),
    lines: z.array(z.object({ what: z.string(), value: z.union([z.string(), z.array(z.string())]) })),
  }),
)

type Played = z.infer<typeof measurements>

type Beside = { folder: string; rounds: number; print: (line: string) => void }

/**
 * Plays `bench` with `args` in both folders.
 * @throws when the other folder has no measurements, or a run of either has no result
 */
export async function measureBeside(
  args: readonly string[],
  { folder: given, rounds, print }: Beside,
): Promise<Measurement[]> {
  const folder = resolve(given)
  for (const needed of [program, 'node_modules']) {
    if (!existsSync(join(folder, needed))) throw new Error(`--beside: ${folder} has no ${needed}`)
  }
  const lanes = [here, folder]
  const played = await inTurns(lanes, { rounds, warmUps: 0, isRotated: true }, async (lane, round) => {
    print(`round ${round} of ${rounds}: ${lane}`)
    return play(lane, args)
  })
  return compared(played.get(here) ?? [], played.get(folder) ?? [])
}

/** A missed target ends the process with 1, and its result is a result. */
function play(folder: string, args: readonly string[]): Promise<Played> {
  const options = ['--max-semi-space-size=32', '--import', './lua-hooks.ts', program]
  return new Promise((resolvePlayed, reject) => {
    const child = execFile(
      process.execPath,
      [...options, ...args, '--json'],
      { cwd: folder, maxBuffer: 100_000_000 },
      (failure, stdout) => {
        const read = parse(measurements, jsonIn(stdout))
        if (read.ok) resolvePlayed(read.value)
        else reject(new Error(`${folder}: the measurement has no result`, { cause: failure ?? undefined }))
      },
    )
    child.stderr?.pipe(process.stderr)
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The numbers of both side by side, and their ratio in each round. What only one of both measures, or puts in other words,
 * is named at the end.
 */
export function compared(now: readonly Played[], former: readonly Played[]): Measurement[] {
  return (now[0] ?? []).map(({ name }) => {
    const [ours, theirs] = [now, former].map((rounds) => rounds.map((round) => numbersOf(round, name)))
    const whats = [...(ours?.[0]?.keys() ?? [])]
    const all = new Set([...(ours ?? []), ...(theirs ?? [])].flatMap((round) => [...round.keys()]))
    const isCompared = (what: string) => ours?.[0]?.has(what) && theirs?.some((round) => round.has(what))
    const alone = [...all].filter((what) => !isCompared(what))
    return {
      name: `${name}, ${now.length} rounds in turns`,
      heads: ['this folder', 'the other', 'ratio', 'its range'],
      lines: [
        ...whats.flatMap((what) => {
          const pairs = (ours ?? []).flatMap((round, at) => {
            const [one, other] = [round.get(what), theirs?.[at]?.get(what)]
            return one === undefined || other === undefined ? [] : [{ one, other }]
          })
          return pairs.length === 0 ? [] : [lineOf(what, pairs)]
        }),
        ...(alone.length === 0 ? [] : [{ what: 'not in both', value: alone.join(' | ') }]),
      ],
    }
  })
}

function lineOf(what: string, pairs: readonly { one: number; other: number }[]) {
  const ratios = pairs.map(({ one, other }) => one / other).filter(Number.isFinite)
  const shown = (value: number) => String(Number(value.toPrecision(4)))
  const ratio = (values: readonly number[]) => (values.length === 0 ? '–' : median(values).toFixed(2))
  const range = ratios.length === 0 ? '–' : `${ratio([Math.min(...ratios)])} to ${ratio([Math.max(...ratios)])}`
  return {
    what,
    value: [
      ...[pairs.map(({ one }) => one), pairs.map(({ other }) => other)].map((all) => shown(median(all))),
      ...[ratio(ratios), range],
    ],
  }
}

/** The numbers of a measurement by what they are, those of several columns with the head of theirs. */
function numbersOf(played: Played, name: string): Map<string, number> {
  const { heads = [], lines } = played.find((one) => one.name === name) ?? { heads: [], lines: [] }
  const found = new Map<string, number>()
  for (const { what, value } of lines) {
    for (const [at, text] of [value].flat().entries()) {
      const head = Array.isArray(value) ? heads[at] : undefined
      for (const [part, number] of numbersIn(text))
        found.set([what, head, part].filter((one) => one !== undefined).join('; '), number)
    }
  }
  return found
}

/** A value with more numbers is a list, such as the ratio of each round. */
const mostNumbers = 4

/**
 * The number of a value such as `1,234`, `98.2 %` or `0.20 of 2`, and those of `1.2 / 3.4` or `9.5 µs (6.6)`, each with
 * its place in the text.
 */
function numbersIn(text: string): [part: string | undefined, number: number][] {
  const whole = text.trim().replace(/ of \d+$/, '')
  const pattern = /-?\d[\d,]*(?:\.\d+)?/g
  const numbers = (whole.match(pattern) ?? []).map((digits) => Number(digits.replaceAll(',', '')))
  const shape = whole.replaceAll(pattern, '#')
  if (numbers.length > mostNumbers) return []
  if (numbers.length === 1 && /^#(?: %)?$/.test(shape)) return [[undefined, numbers[0] ?? Number.NaN]]
  return numbers.map((number, at) => [`number ${at + 1} of ${shape}`, number])
}
