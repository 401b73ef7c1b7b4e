/**
 * Compares the header of each Redis script with its own text, so that the comment stays correct.
 * `test/redis/headers.test.ts` runs each script and compares what its wrapper sends and reads.
 */
import path from 'node:path'
import { keysOf } from '../local/upstash/key-positions.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

export type ScriptFile = {
  file: string
  name: string
  source: string
  firstLine: string
  header: string
  body: string
  /** Its shape, type and fields. */
  keys: string[][]
  args: string[]
  order: number[]
  codes: Record<string, number>
}

function readScript(file: string, source: string): ScriptFile {
  const [, firstLine = '', header = '', body = ''] = /^([^\n]*)\n--\[\[\n(.*?)\n\]\]\n(.*)$/s.exec(source) ?? []
  const unwrapped = header.replaceAll(/\n {20,}/g, ' ')
  const numbered = (word: string) => [...unwrapped.matchAll(new RegExp(`^  ${word}\\[(\\d+)\\] (.*)$`, 'gm'))]
  const [, reply = ''] = header.split('\n  Reply ')
  return {
    file,
    name: path.posix.basename(file, '.lua'),
    source,
    firstLine,
    header,
    body,
    keys: numbered('KEYS').map(([, , text = '']) => text.split(/ {2,}/)),
    args: numbered('ARGV').map(([, , text = '']) => text),
    order: [...numbered('KEYS'), ...numbered('ARGV')].map(([, number]) => Number(number)),
    codes: Object.fromEntries(
      [...reply.matchAll(/^ +(\d+) ([a-z-]+)\b/gm)].map(([, code, kind]) => [String(kind), Number(code)]),
    ),
  }
}

export const scriptsIn = (tree: Tree): ScriptFile[] =>
  tree
    .list('redis')
    .filter((file) => file.endsWith('.lua'))
    .map((file) => readScript(file, tree.text(file)))

const numbersIn = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, number]) => Number(number)))].sort((a, b) => a - b).join()

const oneTo = ({ length }: readonly unknown[]) => Array.from({ length }, (_, at) => at + 1).join()

export const checkScripts = (tree: Tree): Finding[] => scriptsIn(tree).flatMap(faultsIn)

function faultsIn({ file, source, name, header, body, firstLine, ...script }: ScriptFile): Finding[] {
  const found: Finding[] = []
  const inHeader = (text: string, what: string) => found.push(findingAt(file, source, source.indexOf(text), what))
  const inBody = (index: number, what: string) =>
    found.push(findingAt(file, source, source.length - body.length + index, what))

  if (firstLine !== '#!lua flags=allow-key-locking')
    inHeader('', 'locks every key; begin with #!lua flags=allow-key-locking')
  if (!new RegExp(`^ {2}${name}: .+\\.\n\n`).test(header))
    inHeader('--[[', `has no sentence of purpose; begin the header with "${name}: …."`)

  const { keys, args } = script
  if (script.order.join() !== [oneTo(keys), oneTo(args)].filter(Boolean).join())
    inHeader('KEYS[', 'documents KEYS and ARGV out of order; number each from 1, KEYS first')
  for (const [word, documented] of Object.entries({ KEYS: keys, ARGV: args })) {
    const used = numbersIn(body, new RegExp(`\\b${word}\\[(\\d+)\\]`, 'gi'))
    if (used !== oneTo(documented))
      inHeader(`${word}[`, `documents ${word} ${oneTo(documented)} and uses ${used}; correct the header`)
  }

  const calls = [...body.matchAll(/call\(([^()]*)/g)]
  if (calls.length === 0) inBody(0, 'calls no command of Redis; remove the script')
  for (const { index, 1: text = '' } of calls) {
    const [command = '', ...rest] = text.split(/,\s*/)
    const undeclared = keysOf([command.slice(1, -1), ...rest])?.filter((key) => !/^keys\[\d\]$/i.test(key))
    if (undeclared?.length !== 0) inBody(index, `gives Redis a key that it does not declare: ${text}; use KEYS`)
  }
  for (const { index, 2: key, 3: rest = '' } of body.matchAll(/call\('(H\w+)', keys\[(\d)\]([^)]*)\)/gi)) {
    const [, type, fields = ''] = keys[Number(key) - 1] ?? []
    if (type !== 'hash') inBody(index, `uses KEYS[${key}] as a hash; document it as one`)
    for (const [, field = ''] of rest.matchAll(/'([a-z]\w*)'/g))
      if (!fields.split(/, |; /).includes(field))
        inBody(index, `uses the field ${field}; add it to KEYS[${key}] of the header`)
  }

  const returned = numbersIn(body, /return (?:\{|answer\()(\d+)/g)
  const codes = numbersIn(Object.values(script.codes).join(' '), /(\d+)/g)
  if (returned !== codes)
    inHeader('  Reply ', `documents the codes ${codes} and replies ${returned}; correct the header`)
  const chance = body.search(/'TIME'|math\.random|os\./i)
  if (chance !== -1) inBody(chance, 'reads the clock or draws; pass the value in ARGV')
  return found
}
