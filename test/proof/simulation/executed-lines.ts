/** Reads the lines of a folder that a Node process has executed from its NODE_V8_COVERAGE directory. */
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A file by its path in the folder, the numbers of its lines with code that runs, and of those among them that never ran. */
export type FileLines = { file: string; code: readonly number[]; missed: readonly number[] }

type Range = { startOffset: number; endOffset: number; count: number }
type Report = { result: { url: string; functions: { ranges: Range[] }[] }[] }

/** The files of `folder` that the process has loaded. */
export function executedLines(reports: string, folder: string): FileLines[] {
  const url = pathToFileURL(path.resolve(folder)).href
  return readdirSync(reports).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(path.join(reports, name), 'utf8')) as Report
    const own = result.filter((script) => script.url.startsWith(`${url}/`))
    return own.map((script) => {
      const file = fileURLToPath(script.url)
      const ranges = script.functions.flatMap((one) => one.ranges)
      return { file: path.relative(folder, file), ...linesOf(readFileSync(file, 'utf8'), ranges) }
    })
  })
}

/** Node runs the source without its types and at the same offsets. The innermost range of a place counts. */
function linesOf(source: string, ranges: readonly Range[]): Pick<FileLines, 'code' | 'missed'> {
  const counts = new Array<number>(source.length).fill(1)
  const outermostFirst = ranges.toSorted((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset))
  for (const { startOffset, endOffset, count } of outermostFirst) counts.fill(count, startOffset, endOffset)
  const running = stripTypeScriptTypes(source).replace(notRun, (text) => text.replace(/\S/g, ' '))
  const code: number[] = []
  const missed: number[] = []
  let offset = 0
  for (const [at, line] of running.split('\n').entries()) {
    const places = [...line.matchAll(/[^\s{}()[\],;]/g)].map(({ index }) => offset + index)
    if (places.length > 0) code.push(at + 1)
    if (places.length > 0 && places.every((place) => counts[place] === 0)) missed.push(at + 1)
    offset += line.length + 1
  }
  return { code, missed }
}

/** Comments and imports. No text of a store has what looks like one. */
const notRun = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|^import [\s\S]*?from '.*'$/gm
