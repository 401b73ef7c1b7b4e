/** One script decides a click, and conditions: no lock is on its way (K7). Locks are in the gate's store (K2). */

import { deployedIn, isHandler, loadedBy, type Module } from './modules.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

const onTheWayOfAClick = [
  'edge/handler.ts',
  'functions/entries/reserve.handler.ts',
  'functions/entries/write-orders.handler.ts',
]

export function checkLocks(tree: Tree): Finding[] {
  const deployed = deployedIn(tree)
  return [...onTheWay(tree, deployed), ...inScripts(tree), ...inTheStoreOfTheGate(deployed)]
}

/** A script without its header and comments, on the same lines. */
const scriptOf = (tree: Tree, file: string) =>
  tree
    .text(file)
    .replace(/^#![^\n]*/, '')
    .replace(/--\[\[[\s\S]*?\]\]|--[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ''))

function onTheWay(tree: Tree, deployed: readonly Module[]): Finding[] {
  const what = 'uses a lock on the way of a click; decide by one script or by conditions of the table (K7)'
  const word = /(?<![bc])lock/i
  const clicked = loadedBy(deployed, onTheWayOfAClick)
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

/** Wherever a value gets the name `gate`, or one of that name gets another. */
const namingsOfGate = (code: string): string[] =>
  [...code.matchAll(/\bgate\s*(?::|=(?![=>]))[^\n]*|:\s*gate\b/g)].map(([text]) => text)

const repairs = 'functions/entries/repair-ports.ts'

/** A client that waits for a lock never touches the stock. */
function inTheStoreOfTheGate(deployed: readonly Module[]): Finding[] {
  const codeOf = (file: string) => loadedBy(deployed, [file]).find((one) => one.file === file)?.code ?? ''
  const file = 'functions/lib/lock.ts'
  const lock = codeOf(file)
  const stores = [...lock.matchAll(/\b(?:acquire|renew|release)Lock\((\w+(?:\.\w+)?),/g)]
    .filter(([, store]) => store !== 'gate' && store !== 'ports.gate')
    .map(({ index, 1: store }) => findingAt(file, lock, index, `locks in ${store}; use the gate’s store (K2)`))
  const makers = deployed
    .filter((one) => isHandler(one.file))
    .filter((one) => loadedBy(deployed, [one.file]).some((other) => other.file === repairs))
  const namings: [file: string, ...expected: string[]][] = [
    [file, 'gate: Commander'],
    ['functions/entries/connect.ts', 'gate: RedisClient }', 'gate: connectGate('],
    [repairs],
    ...makers.map((one): [string] => [one.file]),
  ]
  const renamed = namings.flatMap(([place, ...expected]) => {
    const found = namingsOfGate(codeOf(place))
    const isSame = found.length === expected.length && expected.every((one, at) => found[at]?.startsWith(one))
    const what = `names another store \`gate\`: ${found.join(' ')}; name it otherwise (K2)`
    return isSame ? [] : [{ file: place, line: 1, what }]
  })
  const unconnected = /\bconnectStores\(/.test(codeOf(repairs))
    ? []
    : [{ file: repairs, line: 1, what: 'repairs without connectStores; connect by it (K2)' }]
  return [...stores, ...renamed, ...unconnected]
}
