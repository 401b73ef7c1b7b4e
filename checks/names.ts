/** An exported name means one thing in all that is read and bundled together. */
import { listNames } from '../options/write-lists.ts'
import { type Finding, findingAt } from './finding.ts'
import { modulesOf } from './modules.ts'
import type { Tree } from './tree.ts'

const programs: readonly (readonly string[])[] = [
  ['core', 'redis', 'functions', 'system'],
  ['core', 'redis', 'edge', 'system'],
  ['core', 'static'],
  ['core', 'cli', 'system'],
  ['core', 'redis', 'proof', 'local', 'system'],
  ['core', 'infra', 'system'],
]

const declaration = /^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm

const isOfOption = (file: string) => file.startsWith('options/')

export function checkNames(tree: Tree): Finding[] {
  const found = programs.flatMap((folders) => {
    const first = new Map<string, string>()
    return modulesOf(tree, ...folders).flatMap(({ file, code }) =>
      [...code.matchAll(declaration)].flatMap(({ index, 1: name = '' }) => {
        const other = first.get(name) ?? file
        first.set(name, other)
        // A Lambda's entry is always called `handler`, and what an option adds to a list is called as the list.
        if (other === file || name === 'handler' || (isOfOption(file) && listNames.includes(name))) return []
        return [findingAt(file, code, index, `exports ${name}, as ${other} does; rename or share it`)]
      }),
    )
  })
  return [...new Map(found.map((one) => [`${one.file} ${one.what}`, one])).values()]
}
