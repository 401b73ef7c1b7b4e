/**
 * `node dist/verify-draw.mjs <address or folder>`: verifies a draw from its published files (options/draw/docs/reference.md).
 * The bundle is one file, for any machine with Node 20 or newer.
 *
 * Exit code 0: the draw is as published. 1: it has a fault. 2: an argument is wrong, or a file cannot be read. 3: no fault so
 * far, and not drawn yet. 4: the draw is void.
 */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { bytesToHex } from '@noble/hashes/utils.js'
import { isMain } from '../../../cli/is-main.ts'
import { type StartStep, startStep } from '../../../cli/progress.ts'
import { textInBytes } from '../../../core/lib/file-text.ts'
import { verifyRound } from '../core/beacon.ts'
import { checkDraw, type DrawCheck, type DrawSource, firstBytes, type VerifyRound } from '../core/check-draw.ts'
import { idOf, variantOf } from '../core/list.ts'

const usage = `node verify-draw.mjs <address or folder> [--rules HASH] [--known FILE] [--winners]

  Checks a draw: rules, heads, list, beacon, ranks and allocation, and names what is wrong.

  --rules HASH     the hash of the rules as you saw it earlier, 64 hexadecimal digits
  --known FILE     lists, steps and receipts that you kept, one a line
  --winners        print the id of each entrant who was offered a unit, and the number of the variant`

export type VerifyDrawPorts = {
  print: (line: string) => void
  startStep: StartStep
  verifyRound: VerifyRound
  clock?: () => number
}

/** Prints the result and returns the exit code. */
export async function runVerifyDraw(
  args: string[],
  { print, startStep, verifyRound, clock = Date.now }: VerifyDrawPorts,
): Promise<number> {
  const options = parseOptions(args)
  if (options === undefined) {
    print(usage)
    return 2
  }
  const { place, rules, known, showsWinners } = options
  const source = openSource(place)
  let step: ReturnType<StartStep> | undefined
  try {
    const found = await checkDraw(source, {
      verifyRound,
      now: clock(),
      known: { ...(rules !== undefined && { rules }), ...(await readKnownLines(known)) },
      onProgress: (done, total) => {
        step ??= startStep('checking', total)
        step.to(done)
      },
    })
    step?.end()
    for (const line of resultLines(found, showsWinners)) print(line)
    if (found.faults.length > 0) return 1
    return found.state === 'drawn' ? 0 : found.state === 'void' ? 4 : 3
  } catch (error) {
    step?.end()
    if (!(error instanceof Error)) throw error
    const isMemory = error instanceof RangeError && !('code' in error)
    if (!isMemory && !('code' in error) && !(error instanceof Unreadable)) throw error
    print(isMemory ? `this machine has too little memory for the list: ${error.message}` : error.message)
    return 2
  }
}

class Unreadable extends Error {}

function parseOptions(args: string[]) {
  try {
    const options = { rules: { type: 'string' }, known: { type: 'string' }, winners: { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [place, ...others] = positionals
    if (place === undefined || others.length > 0) return undefined
    const rules = values.rules?.trim().toLowerCase()
    if (rules !== undefined && !/^[0-9a-f]{64}$/.test(rules)) return undefined
    return { place, rules, known: values.known, showsWinners: values.winners === true }
  } catch {
    return undefined
  }
}

/** Returns a reader of the files at an address, or in a folder. */
function openSource(location: string): DrawSource {
  if (!/^https?:\/\//i.test(location)) {
    return (path, maxBytes) =>
      firstBytes(Readable.toWeb(createReadStream(join(location, path))), maxBytes).catch(ignoreMissing)
  }
  const base = location.endsWith('/') ? location : `${location}/`
  return async (path, maxBytes) => {
    const failed = (error: unknown) => {
      throw new Unreadable(`${path} cannot be fetched from ${base}`, { cause: error })
    }
    const response = await fetch(new URL(path, base)).catch(failed)
    if (response.status === 404 || response.status === 403) return undefined
    if (!response.ok) throw new Unreadable(`${response.url} answers ${response.status}`)
    return response.body === null ? new Uint8Array() : firstBytes(response.body, maxBytes).catch(failed)
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Reads known lines and sorts them by the kind in their headers. */
async function readKnownLines(file: string | undefined) {
  const text = file === undefined ? '' : textInBytes(await readFile(file))
  if (text === undefined) throw new Unreadable(`${file} is neither UTF-8 nor UTF-16 with a byte order mark`)
  const lines = text.split(/\s+/).filter((line) => line !== '')
  const ofKind = (kind: string) =>
    lines.filter((line) => Buffer.from(line.split('.')[0] ?? '', 'base64url').includes(`"draw-${kind}+jwt"`))
  const [lists, steps] = [ofKind('list'), ofKind('step')]
  return { lists, steps, receipts: lines.filter((line) => !lists.includes(line) && !steps.includes(line)) }
}

function* resultLines(found: DrawCheck, showsWinners: boolean): Generator<string> {
  const { faults, state, rules, signed, list, result } = found
  if (rules !== undefined) yield `sale        ${rules.sale}`
  if (rules?.minLevel !== undefined) yield `level       ${rules.minLevel} and above`
  if (rules?.beacon.isLocal) yield 'beacon      run by the shop itself, so it proves nothing'
  if (signed !== undefined) yield `list        ${signed.count}`
  if (list !== undefined && result !== undefined) {
    yield `entries     ${result.queues.reduce((sum, { length }) => sum + length, 0)}`
    yield `offers      ${result.allocation.holds.size}`
    for (const entry of showsWinners ? result.allocation.holds.keys() : [])
      yield `offered     ${bytesToHex(idOf(list, entry))} ${variantOf(list, entry)}`
  }
  for (const { fault, detail } of faults) yield `✗ ${fault}: ${detail}`
  if (faults.length > 0) return
  if (state === 'open') yield 'No fault so far. The draw is open.'
  if (state === 'void')
    yield 'The draw is void: its list was not published before the round of the beacon. No unit is given by it.'
  if (state === 'closed') yield 'No fault so far. The round of the beacon is not published yet.'
  if (state === 'drawn') yield '✓ The draw is as published.'
}

if (isMain(import.meta.url)) {
  process.exitCode = await runVerifyDraw(process.argv.slice(2), { print: console.log, startStep, verifyRound })
}
