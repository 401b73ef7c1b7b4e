/** The lists of `options/lists/`, which are written from the folders of the options. */
import { listTexts } from '../options/write-lists.ts'
import type { Finding, Tree } from './tree.ts'

export function checkOptionLists(tree: Tree): Finding[] {
  const expected = new Map([...listTexts()].map(([file, text]) => [`options/${file}`, text]))
  const present = tree.list('options/lists')
  return [...new Set([...expected.keys(), ...present])]
    .filter((file) => !present.includes(file) || tree.text(file) !== expected.get(file))
    .map((file) => ({
      ...{ file, line: 1 },
      what: expected.has(file) ? 'is not what the options add; run npm run build' : 'is no list; delete it',
    }))
}
