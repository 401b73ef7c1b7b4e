/** One script decides a click, and conditions: no lock is on its way (K7). Types keep locks in the gate's store (K2). */

import { deployedIn, loadedBy } from './modules.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const onTheWayOfAClick = [
  'edge/handler.ts',
  'functions/entries/reserve.handler.ts',
  'functions/entries/write-orders.handler.ts',
]

export function checkLocks(tree: Tree): Finding[] {
  return [...onTheWay(tree), ...inScripts(tree)]
}

/** A script without its header and comments, on the same lines. */
const scriptOf = (tree: Tree, file: string) =>
  tree
    .text(file)
    .replace(/^#![^\n]*/, '')
    .replace(/--\[\[[\s\S]*?\]\]|--[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ''))

function onTheWay(tree: Tree): Finding[] {
  const what = 'uses a lock on the way of a click; decide by one script or by conditions of the table (K7)'
  const word = /(?<![bc])lock/i
  const clicked = loadedBy(deployedIn(tree), onTheWayOfAClick)
  const scripts = ['buy/reserve', 'gate/gate', 'gate/publish-stock'].map((name) => `redis/${name}.lua`)
  const texts = [
    ...clicked.filter(({ file }) => /^(?:edge|functions\/(?:buy|entries|orders|packets))\//.test(file)),
    ...scripts.map((file) => ({ file, code: scriptOf(tree, file) })),
  ]
  return [
    ...clicked.filter(({ file }) => /\/locks?\b/.test(file)).map(({ file }) => ({ file, line: 1, what })),
    ...texts
      .filter(({ code }) => word.test(code))
      .map(({ file, code }) => findingAt(file, code, code.search(word), what)),
  ]
}

function inScripts(tree: Tree): Finding[] {
  const setting = /\bSETNX\b|'NX'|'SET'/i
  return (
    tree
      .list('redis')
      .filter((file) => file.endsWith('.lua'))
      .map((file) => ({ file, code: scriptOf(tree, file) }))
      // A filter always replaces the former one.
      .filter(({ file, code }) => file !== 'redis/gate/publish-filter.lua' && setting.test(code))
      .map(({ file, code }) => {
        const what = 'sets a plain key, as a lock does; take locks with functions/lib/lock.ts (K3, K7)'
        return findingAt(file, code, code.search(setting), what)
      })
  )
}
