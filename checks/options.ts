/** The files of `options/registry/`, which follow from the folders of the options. */
import { registryTexts } from '../options/write-registry.ts'
import type { Finding, Tree } from './tree.ts'

export function checkRegistry(tree: Tree): Finding[] {
  const expected = new Map([...registryTexts()].map(([file, text]) => [`options/${file}`, text]))
  const present = tree.list('options/registry')
  return [...new Set([...expected.keys(), ...present])]
    .filter((file) => !present.includes(file) || tree.text(file) !== expected.get(file))
    .map((file) => ({
      ...{ file, line: 1 },
      what: expected.has(file) ? 'is not what the options add; run npm run build' : 'is no seam; delete it',
    }))
}
