/**
 * Comments are sentences, and identifiers are the usual words of the field. `prose.json` lists the words at which a sentence
 * without a subject begins ("Of those that …"), and the names that only this project would use, each with the usual one.
 */
import * as z from 'zod/mini'
import { type Finding, findingAt, type Tree } from './tree.ts'

const format = z.object({ starts: z.array(z.string()), names: z.record(z.string(), z.string()) })

const comments = {
  lua: /--\[\[[\s\S]*?\]\]|--[^\n]*/g,
  script: /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gm,
}
/** Strings of one line, whose words are for people. */
const strings = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g
/** The marks before a line of a comment. */
const margin = /^[ \t]*(?:\/?\*+\/?|\/\/|--(?:\[\[)?)?[ \t]*/gm

/** The text with spaces instead of `part`, so that indices stay. */
const without = (text: string, part: RegExp) => text.replace(part, (found) => found.replaceAll(/[^\n]/g, ' '))

export function checkProse(tree: Tree): Finding[] {
  const { starts, names } = format.parse(JSON.parse(tree.text('checks/prose.json')))
  const fragment = new RegExp(`(?<=^\\s*|[.!?:]\\s+)(?:${starts.join('|')})\\s(?:\\S+ ?){0,4}`, 'g')
  const usual = Object.entries(names).map(([old, name]) => [new RegExp(`\\b(?:${old})\\b`, 'g'), name] as const)
  const files = tree.all().filter((file) => /\.(?:ts|tsx|js|mjs|lua)$/.test(file) && !file.startsWith('examples/'))
  return files.flatMap((file) => {
    const text = tree.text(file)
    const comment = comments[file.endsWith('.lua') ? 'lua' : 'script']
    const code = without(without(text, comment), strings)
    const prose = [...text.matchAll(comment)].flatMap(({ 0: part, index }) =>
      [...without(part, margin).matchAll(fragment)].map((found) => ({
        start: found[0].trim(),
        at: index + found.index,
      })),
    )
    return [
      ...prose.map(({ start, at }) => findingAt(file, text, at, `"${start} …" has no subject; write a sentence`)),
      ...usual.flatMap(([old, name]) =>
        [...code.matchAll(old)].map((found) =>
          findingAt(file, text, found.index, `${found[0]} is no usual name; write ${name}`),
        ),
      ),
    ]
  })
}
