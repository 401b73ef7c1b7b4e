/**
 * Data flows one way: pages → edge → functions → redis. Each folder may import only what lies below
 * it, and what reads the environment, connects or locks is in named places, so that the tree shows
 * the architecture. A file of an option obeys the rules of its tier.
 */

import { seamNames, seams } from '../options/write-registry.ts'
import {
  deployedIn,
  type Import,
  isHandler,
  loadedBy,
  type Module,
  modulesOf,
  optionOf,
  pageTiers,
  rulePathOf,
} from './modules.ts'
import { type Finding, findingAt, type Tree } from './tree.ts'

type ImportRule = { from: RegExp; refused: RegExp; types?: 'allowed'; what: string }

/** Scripts that shoppers download, without the modules that only build the site. */
const ofShoppers = /^static\/(?!api\/|(?:build|preview|site|seams)\.ts$)/

const importRules: readonly ImportRule[] = [
  {
    from: /^core\//,
    refused: /^(?!\/core\/|\/words\/|zod\/mini$|csv-parse\/|@noble\/)/,
    what: 'core/ is pure: pass the value in',
  },
  { from: /^core\//, refused: /^\/words\//, types: 'allowed', what: 'core/ has no texts: only their type' },
  { from: /^client\/(?!elements\/)/, refused: /^(?!\/client\/)/, what: 'client/ is a package of its own' },
  {
    from: /^client\/elements\//,
    refused: /^(?!\/(?:client|core|templates\/messages)\/)/,
    what: 'elements may import the client, core/ and their words only',
  },
  { from: /^redis\//, refused: /^\/(?!redis|core)/, what: 'redis/ may import core/ only' },
  { from: /^edge\//, refused: /^\/(?!edge|core|redis)/, what: 'edge/ may import core/ and redis/ only' },
  {
    from: /^functions\//,
    refused: /^\/(?!functions|core|redis|templates)/,
    what: 'functions/ may import core/, redis/ and templates/ only',
  },
  {
    from: /^templates\//,
    refused: /^\/(?!templates|core|languages|words)/,
    what: 'templates/ may import core/ and words only',
  },
  {
    from: /^web\//,
    refused: /^\/(?!web|core|templates\/messages\/|client\/[\w-]+\.ts$)/,
    what: 'web/ may import core/, words and the client only',
  },
  {
    from: ofShoppers,
    refused: /^\/templates\/(?!messages\/)/,
    what: 'the build and functions render: scripts of shoppers may import words only',
  },
  {
    from: /^static\//,
    refused: /^\/(?!static|web|core|templates|client\/[\w-]+\.ts$)/,
    what: 'static/ may import web/, core/, templates/ and the client only',
  },
  {
    from: /^console\//,
    refused: /^\/(?!console|web|core|templates\/messages\/|client\/[\w-]+\.ts$|static\/preview\.ts$)/,
    what: 'the console may import web/, core/, words, the client and static/preview.ts only',
  },
  {
    from: /^system\//,
    refused: /^\/(?!system|core|functions)/,
    what: 'system/ may import core/ and functions/ only',
  },
  { from: /^system\//, refused: /^[^/]/, types: 'allowed', what: 'system/ uses no package' },
  {
    from: /^cli\//,
    refused: /^\/(?!cli|client\/[\w-]+\.ts$|core|system|infra|edge|functions|proof\/invariants|templates\/messages\/)/,
    what: 'cli/ may import rules, the client, tables of the system and settings of stages only',
  },
  {
    from: /^proof\/invariants\//,
    refused: /^\/(?!proof\/invariants|core)/,
    what: 'invariants are pure: read elsewhere',
  },
  {
    from: /^infra\//,
    refused: /^\/(?:cli|local|proof|test|templates|web|static|console)\//,
    what: 'put what both need into system/',
  },
  { from: /^local\//, refused: /^\/(?:infra|proof|test)\//, what: 'put what both need into system/' },
  { from: /./, refused: /^\/(?:functions\/[^/]+\/[^/]+\.|edge\/)handler\.ts$/, what: 'no function calls another' },
  {
    from: /^functions\/(?!entries\/)/,
    refused: /^\/functions\/entries\//,
    what: 'only entries are wired',
  },
  {
    from: /^edge\//,
    refused:
      /^\/redis\/(?!(?:gate\/(?:gate|admit|armed-token|demand|members|shared-lists|used-challenges)|upstash-rest|errors)\.ts$)/,
    what: 'the edge knows nothing of the stock (S17)',
  },
  { from: /^(?!functions\/lib\/lock\.ts$)/, refused: /^\/redis\/lock\.ts$/, what: 'use functions/lib/lock.ts (K2)' },
]

/** The rooms of functions/, each with the rooms that it may import, types included: from the bottom to the top. */
const below: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  table: ['lib'],
  buy: ['lib'],
  gate: ['lib', 'table'],
  sales: ['lib', 'table'],
  orders: ['lib', 'table', 'sales'],
  packets: ['lib', 'table', 'sales', 'orders'],
  tick: ['lib', 'table', 'sales'],
  recovery: ['lib', 'table', 'sales', 'orders'],
  repair: ['lib', 'table', 'gate', 'sales', 'orders', 'tick', 'recovery'],
  control: ['lib', 'table', 'gate', 'sales', 'orders', 'recovery'],
  people: ['lib', 'table', 'sales', 'orders', 'packets', 'control'],
  entries: [
    'lib',
    'table',
    'buy',
    'gate',
    'sales',
    'orders',
    'packets',
    'tick',
    'recovery',
    'repair',
    'control',
    'people',
  ],
}

/** Why an import of an option, or by one, is refused: an option can be deleted without a change of another file. */
function faultOfOption({ from, to }: Import): string | undefined {
  const [own, other] = [optionOf(from), optionOf(to)]
  if (/^\/options\/[^/]+\/test\//.test(to)) return 'only tests import tests'
  if (other === undefined || other === own || own === 'registry') return undefined
  if (own !== undefined) return 'an option may import the engine and itself only'
  if (other !== 'registry') return 'the engine imports the registry of options only'
  return from.startsWith('core/') && from !== 'core/options.ts' ? 'core/ imports it in core/options.ts only' : undefined
}

/** `places` are files that match; `may` are others that are allowed to. */
type CodeRule = { pattern: RegExp; places: readonly string[]; may?: RegExp; what: string }

const handlers = /^(?:functions\/[^/]+\/[^/]+\.|edge\/)handler\.ts$/
const codeRules: readonly CodeRule[] = [
  {
    pattern: /\b(?:new|extends) Redis\b/,
    places: ['redis/client.ts'],
    what: 'makes a Redis client; use the factory in redis/client.ts (S20)',
  },
  {
    pattern: /\bconnectRedis\(/,
    places: ['redis/client.ts', 'functions/entries/redis.ts'],
    what: 'connects to Redis; use functions/entries/redis.ts (S20)',
  },
  {
    pattern: /\bconnectRest\(/,
    places: ['redis/upstash-rest.ts', 'edge/memory/gate-store.ts'],
    what: 'connects to the gate’s store; use edge/memory/gate-store.ts (S20)',
  },
  {
    pattern: /\bconnect(?:Stock|Gate)\(/,
    places: ['functions/entries/redis.ts', 'functions/entries/connect.ts', 'functions/entries/reserve.handler.ts'],
    may: handlers,
    what: 'connects outside of a handler; take the client as a parameter (S20)',
  },
  {
    pattern: /\bSETNX\b|['"]NX['"]/i,
    // The second is the first use of a solved challenge, for which nothing waits.
    places: ['redis/lock.ts', 'redis/gate/used-challenges.ts'],
    what: 'sets a key that must not exist; take locks with functions/lib/lock.ts (K3, K7)',
  },
  {
    pattern: /\b(?:acquire|take|try)Lock\b/,
    places: ['redis/lock.ts', 'functions/lib/lock.ts'],
    what: 'takes a lock by itself; use functions/lib/lock.ts (K3, K7)',
  },
  {
    pattern: /process\.env\b/,
    places: [],
    may: handlers,
    what: 'reads the environment; read it in the handler and pass the value on',
  },
  {
    pattern: /\bnew \w+Client\(|\bconnect[A-Z]\w*\(/,
    places: [],
    may: /^(?!functions\/)|^functions\/(?:entries|table)\//,
    what: 'makes a client; make it in functions/entries/',
  },
  {
    pattern: /\bdynamo[A-Z]\w*\(/,
    places: [],
    may: /^(?!functions\/)|^functions\/(?:entries|table)\//,
    what: 'makes a store; take it as a parameter, and make it in functions/entries/',
  },
  {
    pattern: /^(?![\s\S]*\buserAgent\()[\s\S]*(?:await fetch\(|from 'node:https')/,
    places: [],
    may: /^(?:console|static|web)\//,
    what: 'sends requests without a User-Agent; take it from core/lib/user-agent.ts',
  },
]

export function checkArchitecture(tree: Tree): Finding[] {
  const deployed = deployedIn(tree)
  const modules = [...deployed, ...modulesOf(tree, 'system', 'cli', 'infra', 'local', 'proof/invariants')]
  const importsOf = (among: readonly Module[]) => among.flatMap(({ imports }) => imports)
  const refuse = ({ from, line, to }: Import, what: string) => ({
    ...{ file: from, line, what: `imports ${to.replace(/^\//, '')}; ${what}` },
  })

  const imports = importRules.flatMap(({ from, refused, types, what }) =>
    importsOf(from.source === '.' ? deployed : modules)
      .filter((one) => from.test(rulePathOf(one.from)) && refused.test(rulePathOf(one.to)))
      .filter((one) => !(types === 'allowed' && one.typeOnly))
      .map((one) => refuse(one, what)),
  )
  const options = importsOf([...deployed, ...modulesOf(tree, 'system', 'cli', 'infra', 'local', 'proof')])
    .map((one) => ({ one, what: faultOfOption(one) }))
    .flatMap(({ one, what }) => (what === undefined ? [] : refuse(one, what)))
  const groupOf = (file: string) => rulePathOf(file).split('/')[1] ?? ''
  // Functions of an option are above all rooms, and below the entries.
  const roomsOf = (group: string) => below[group === 'options' ? 'entries' : group] ?? []
  const groups = importsOf(deployed)
    .filter(({ from, to }) => /^functions\//.test(rulePathOf(from)) && /^\/functions\//.test(rulePathOf(to)))
    .map((one) => ({ ...one, group: groupOf(one.from), other: groupOf(one.to.slice(1)) }))
    .filter(({ group, other }) => group !== other && other !== 'options' && !roomsOf(group).includes(other))
    .map((one) => refuse(one, `functions/${one.group} may import ${roomsOf(one.group).join(', ') || 'no other room'}`))
  const folders = new Set(tree.list('functions').map(groupOf))
  const unknown = [...new Set([...folders, ...Object.keys(below)])]
    .filter((group) => !folders.has(group) || below[group] === undefined)
    .map((group) => ({
      file: `functions/${group}`,
      line: 1,
      what: 'has no place in checks/architecture.ts; add it',
    }))

  // Only who deploys loads the CDK.
  const started = modulesOf(tree, 'local', 'cli').filter(({ file }) => file !== 'cli/deploy.ts')
  const code = codeRules.flatMap(({ pattern, places, may, what }) => {
    const matching = deployed.filter((one) => pattern.test(one.code))
    return [
      ...matching
        .filter(({ file }) => !places.includes(file) && !may?.test(rulePathOf(file)))
        .map((one) => findingAt(one.file, one.code, one.code.search(pattern), what)),
      ...places
        .filter((place) => !matching.some(({ file }) => file === place))
        .map((file) => ({
          file,
          line: 1,
          what: `no longer matches ${pattern}; correct checks/architecture.ts`,
        })),
    ]
  })
  return [
    ...imports,
    ...options,
    ...waiting(deployed),
    ...groups,
    ...unknown,
    ...code,
    ...packages(tree, importsOf([...deployed, ...started])),
    ...cloud(tree, deployed),
  ]
}

/** Finds seams of core/ that load the module which folds them: the import would be a cycle. */
function waiting(deployed: readonly Module[]): Finding[] {
  const ofCore = seams.filter((seam) => seam.startsWith('core/')).map((seam) => `${seam}.ts`)
  return deployed
    .filter(({ file }) => optionOf(file) !== undefined && ofCore.includes(rulePathOf(file)))
    .filter(({ file }) => loadedBy(deployed, [file]).some((loaded) => loaded.file === 'core/options.ts'))
    .map(({ file }) => ({ file, line: 1, what: 'loads core/options.ts, which loads it; import less of core/' }))
}

/** Code that is shipped, or runs after `npm ci --omit=dev`, may import only run-time dependencies. */
function packages(tree: Tree, imports: readonly Import[]): Finding[] {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(tree.text('package.json'))
  const names = Object.keys(dependencies)
  // Modules of the runtime of CloudFront Functions, which are the only `.js` files of the edge.
  const ofCloudFront = (from: string, to: string) =>
    /^edge\/[\w-]+\.js$/.test(from) && (to === 'cloudfront' || to === 'crypto')
  return imports
    .filter(({ to, typeOnly }) => !typeOnly && /^(?!node:)[@a-z]/.test(to))
    .filter(({ from, to }) => !ofCloudFront(from, to))
    .filter(({ to }) => !names.some((name) => to === name || to.startsWith(`${name}/`)))
    .map(({ from, line, to }) => {
      return { file: from, line, what: `imports ${to}; list it under "dependencies" of package.json` }
    })
}

/** infra/ and system/ describe the cloud by paths, names and numbers: nothing that they load talks to a service. */
function cloud(tree: Tree, deployed: readonly Module[]): Finding[] {
  const client = /\bnew \w+Client\(|\bfetch\(|process\.env/
  const entries = modulesOf(tree, 'infra', 'system')
    .flatMap(({ imports }) => imports)
    .filter(({ to, typeOnly }) => !typeOnly && /^\/(?:edge|functions)\//.test(rulePathOf(to)))
    .map(({ to }) => to.slice(1))
  return loadedBy(deployed, entries)
    .filter(({ file, code }) => isHandler(file) || client.test(code))
    .map(({ file, code }) =>
      findingAt(file, code, code.search(client), 'is loaded by infra/ or system/, and talks to a service; split it'),
    )
}

const allFolders = [
  'core',
  'redis',
  'edge',
  'functions',
  ...pageTiers,
  'client',
  'system',
  'infra',
  'cli',
  'local',
  'proof',
  'checks',
]

const declaration = /^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm

const isOfOption = (file: string) => file.startsWith('options/')

/** Finds exported names that mean two things, wherever they are. */
export function checkNames(tree: Tree): Finding[] {
  const first = new Map<string, string>()
  return modulesOf(tree, ...allFolders).flatMap(({ file, code }) =>
    [...code.matchAll(declaration)].flatMap(({ index, 1: name = '' }) => {
      const other = first.get(name) ?? file
      first.set(name, other)
      // A Lambda's entry is always called `handler`, and an option names its object for a seam after the seam. The published
      // client declares the types of the API anew, because it stands alone.
      if (other === file || name === 'handler' || file === 'client/types.ts') return []
      if ([file, other].some(isOfOption) && seamNames.includes(name)) return []
      return [findingAt(file, code, index, `exports ${name}, as ${other} does; rename or share it`)]
    }),
  )
}
