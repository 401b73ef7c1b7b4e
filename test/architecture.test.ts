/**
 * Data flows one way: static → edge → functions → redis. Each folder may import only what lies
 * below it, so the tree shows the architecture. Read from the import statements themselves.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const deployedFolders = ['core', 'redis', 'edge', 'functions', 'static']
/**
 * The groups of functions/, each with the groups whose code it may run. A store implements ports of
 * the groups above it, so it may also import the types of all of them.
 */
const below: Record<string, readonly string[]> = {
  lib: [],
  sales: ['lib'],
  buy: ['lib'],
  payments: ['lib'],
  'payment-simulator': ['lib', 'payments'],
  orders: ['lib', 'sales', 'payments'],
  packets: ['lib', 'sales', 'orders'],
  repair: ['lib', 'sales', 'orders', 'packets'],
  control: ['lib', 'sales', 'orders', 'repair'],
  canary: ['lib'],
  delivery: ['lib', 'orders', 'control'],
  mail: ['lib'],
  pictures: ['lib', 'control'],
  'sign-in': ['lib'],
  stores: ['lib', 'sales', 'repair', 'mail'],
  wiring: ['lib', 'sales', 'payments', 'orders', 'stores'],
}

type Import = { from: string; to: string; ours: boolean; typeOnly: boolean }
type Module = { file: string; code: string; imports: Import[] }

const statement =
  /^\s*(?:import|export)\s+(type\s[^'"`;]*?|\{(?:\s*type\s[^,}]*,?)+\s*\}\s*)?[^'"`;]*?from\s+['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/gm

function readModule(file: string): Module {
  const source = readFileSync(path.join(root, file), 'utf8')
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(?<![:'"`\w])\/\/[^\n]*/g, '')
  const imports = [...code.matchAll(statement)].map((match): Import => {
    const specifier = match[2] ?? match[3] ?? ''
    const ours = specifier.startsWith('.')
    const to = ours ? path.posix.join(path.posix.dirname(file), specifier) : specifier
    return { from: file, to, ours, typeOnly: match[1] !== undefined }
  })
  return { file, code, imports }
}

function modulesOf(folder: string): Module[] {
  const entries = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  return entries
    .filter((entry) => /\.[cm]?[jt]s$/.test(entry) && !entry.endsWith('.d.ts'))
    .map((entry) => readModule(path.posix.join(folder, entry)))
}

// The page builder runs at build time only and ships nothing of itself.
const deployed = deployedFolders.flatMap(modulesOf).filter(({ file }) => file !== 'static/build.ts')
const within = (target: string, folders: string[]) => folders.some((f) => target.startsWith(`${f}/`))

/** Imports of our own files from `folder` outside of `allowed`, as readable lines. */
function strays(folder: string, allowed: string[]): string[] {
  return deployed
    .filter(({ file }) => file.startsWith(`${folder}/`))
    .flatMap(({ imports }) => imports)
    .filter(({ to, ours }) => ours && !within(to, allowed))
    .map(({ from, to }) => `${from} imports ${to}`)
}

describe('the layers', () => {
  it('are read from real files', () => {
    expect(deployed.filter(({ imports }) => imports.length > 0).length).toBeGreaterThan(5)
  })

  it('let core import nothing but itself, the schema library and the reader of CSV files', () => {
    const outside = deployed
      .filter(({ file }) => file.startsWith('core/'))
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => to !== 'zod/mini' && !to.startsWith('csv-parse/') && !to.startsWith('core/'))
    expect(outside).toEqual([])
  })

  it('let redis import core only', () => {
    expect(strays('redis', ['redis', 'core'])).toEqual([])
  })

  it('let the edge import core and redis only', () => {
    expect(strays('edge', ['edge', 'core', 'redis'])).toEqual([])
  })

  it('let functions import core, redis and the templates of pages and e-mails only', () => {
    const allowed = ['functions', 'core', 'redis', 'static/pages', 'static/mails']
    expect(strays('functions', allowed)).toEqual([])
  })

  it('let pages import core only', () => {
    expect(strays('static', ['static', 'core'])).toEqual([])
  })

  it('let each group of functions run only code of the groups below it', () => {
    const groupOf = (file: string) => file.split('/')[1] ?? ''
    const found = new Set(
      deployed
        .map(({ file }) => file)
        .filter((file) => file.startsWith('functions/'))
        .map(groupOf),
    )
    expect([...found].toSorted()).toEqual(Object.keys(below).toSorted())
    const crossing = deployed
      .filter(({ file }) => file.startsWith('functions/') && !isHandler(file))
      .flatMap(({ imports }) => imports)
      .filter(({ to, typeOnly }) => to.startsWith('functions/') && !typeOnly)
      .filter(({ from, to }) => groupOf(from) !== groupOf(to))
      .filter(({ from, to }) => !below[groupOf(from)]?.includes(groupOf(to)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(crossing).toEqual([])
  })

  it('let nothing import a handler: no function calls another', () => {
    const callers = deployed
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => isHandler(to))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(callers).toEqual([])
  })

  it('let nothing deployed import the local system, the measurements or the tests', () => {
    const upward = deployed
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => /^(?:system|infra|cli|local|bench|test)\/|^build\.ts$/.test(to))
    expect(upward).toEqual([])
  })
})

describe('the cloud', () => {
  const system = modulesOf('system')
  const importsOf = (modules: Module[], folder: string) =>
    modules.flatMap(({ imports }) => imports).filter(({ to, ours }) => ours && !within(to, [folder]))
  const imported = importsOf(modulesOf('infra'), 'infra')

  it('is described by paths, names and numbers: it imports no handler, and nothing that talks to a service', () => {
    const loaded = [...imported, ...importsOf(system, 'system')]
      .filter(({ typeOnly }) => !typeOnly)
      .map(({ to }) => to)
    const ran = loadedBy(loaded.filter((to) => /^(?:edge|functions)\//.test(to)))
    expect(ran.length).toBeGreaterThan(5)
    expect(ran.map(({ file }) => file).filter(isHandler)).toEqual([])
    const clients = ran.filter(({ code }) => /\bnew \w+Client\(|\bfetch\(|process\.env/.test(code))
    expect(clients.map(({ file }) => file)).toEqual([])
  })

  it('shares with the local system what is in system/, and neither imports the other', () => {
    expect(imported.filter(({ to }) => within(to, ['cli', 'local', 'bench', 'test', 'static']))).toEqual([])
    const local = importsOf(modulesOf('local'), 'local')
    expect(local.filter(({ to }) => within(to, ['infra']))).toEqual([])
    expect(local.filter(({ to }) => within(to, ['bench', 'test']))).toEqual([])
    for (const side of [imported, local]) {
      expect(side.filter(({ to }) => within(to, ['system'])).length).toBeGreaterThan(5)
    }
  })

  it('takes names, queues, behaviours, headers and rights from system/, which imports core and pure functions only', () => {
    const strays = system
      .flatMap(({ imports }) => imports)
      .filter(({ typeOnly, ours }) => ours || !typeOnly)
      .filter(({ to }) => !within(to, ['system', 'core', 'functions']))
    expect(strays).toEqual([])
  })
})

describe('the command line', () => {
  it('imports the rules, the tables of the system and the settings of the stages', () => {
    const allowed = ['cli', 'core', 'system', 'infra', 'edge', 'functions', 'static/pages', 'static/messages']
    const strays = modulesOf('cli')
      .flatMap(({ imports }) => imports)
      .filter(({ to, ours }) => ours && !within(to, allowed))
    expect(strays).toEqual([])
  })
})

/** All code that runs for `entries`: their files, and everything that these load. */
function loadedBy(entries: string[]): Module[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    const module = deployed.find((one) => one.file === file)
    if (module === undefined || found.has(file)) return
    found.add(file)
    for (const { to, ours, typeOnly } of module.imports) if (ours && !typeOnly) visit(to)
  }
  for (const entry of entries) visit(entry)
  return deployed.filter(({ file }) => found.has(file))
}

/** A script without its header. */
function scriptOf(name: string): string {
  const source = readFileSync(path.join(root, 'redis', name), 'utf8')
  return source.replace(/^#![^\n]*/, '').replace(/--\[\[[\s\S]*?\]\]|--[^\n]*/g, '')
}

describe('a lock', () => {
  const onTheWayOfAClick = [
    'edge/handler.ts',
    'functions/buy/reserve.handler.ts',
    'functions/orders/write-orders.handler.ts',
    'functions/buy/claim.handler.ts',
    'functions/packets/credit-wallets.handler.ts',
  ]
  const filesWith = (pattern: RegExp) =>
    deployed.filter(({ code }) => pattern.test(code)).map(({ file }) => file)

  it('is not used in a buy request: one script decides there, and conditions (K7)', () => {
    const clicked = loadedBy(onTheWayOfAClick)
    const files = clicked.map(({ file }) => file)
    for (const file of [
      'redis/reserve.ts',
      'redis/claim.ts',
      'edge/funnel.ts',
      'functions/lib/group-commit.ts',
    ]) {
      expect(files).toContain(file)
    }
    expect(files.filter((file) => /(?:^|\/)locks?\b/.test(file))).toEqual([])
    const own = clicked.filter(({ file }) =>
      within(file, ['edge', 'functions/buy', 'functions/orders', 'functions/packets']),
    )
    const word = /(?<![bc])lock/i
    const scripts = ['reserve.lua', 'claim.lua', 'gate.lua', 'publish-stock.lua']
    const mentions = [
      ...own.filter(({ code }) => word.test(code)).map(({ file }) => file),
      ...scripts.filter((name) => word.test(scriptOf(name))),
    ]
    expect(mentions).toEqual([])
  })

  it('is taken in one place, with its expiry in the same command (K3, K7)', () => {
    // The other one is the first use of a solved challenge, for which nothing waits.
    expect(filesWith(/\bSETNX\b|['"]NX['"]/i).toSorted()).toEqual([
      'redis/lock.ts',
      'redis/used-challenges.ts',
    ])
    expect(filesWith(/\b(?:acquire|take|try)Lock\b/).toSorted()).toEqual([
      'functions/lib/lock.ts',
      'redis/lock.ts',
    ])
    const scripts = readdirSync(path.join(root, 'redis')).filter((file) => file.endsWith('.lua'))
    // A filter always replaces the former one.
    expect(scripts.filter((name) => /\bSETNX\b|'NX'|'SET'/i.test(scriptOf(name)))).toEqual([
      'publish-filter.lua',
    ])
  })

  it('is in the gate’s store, so that a waiting client never touches the stock (K2)', () => {
    const importers = deployed.flatMap(({ imports }) => imports).filter(({ to }) => to === 'redis/lock.ts')
    expect(importers.map(({ from }) => from)).toEqual(['functions/lib/lock.ts'])
    const lock = deployed.find(({ file }) => file === 'functions/lib/lock.ts')?.code ?? ''
    const stores = [...lock.matchAll(/\b(?:acquire|renew|release)Lock\((\w+(?:\.\w+)?),/g)].map(
      ([, store]) => store,
    )
    expect(stores).toHaveLength(3)
    expect(stores.filter((store) => store !== 'gate' && store !== 'ports.gate')).toEqual([])
    expect(namingsOfGate(lock)).toEqual(['gate: Commander'])
    for (const file of ['functions/wiring/repair.ts', 'functions/wiring/release.ts']) {
      expect(namingsOfGate(deployed.find((one) => one.file === file)?.code ?? ''), file).toEqual([])
    }
    const makers = deployed.filter(({ file }) => isHandler(file) && loads(file, 'functions/wiring/repair.ts'))
    expect(makers.length).toBeGreaterThan(0)
    const connect = deployed.find(({ file }) => file === 'functions/stores/connect.ts')
    expect(namingsOfGate(connect?.code ?? '')).toEqual([
      'gate: RedisClient }',
      expect.stringMatching(/^gate: connectGate\(/),
    ])
    for (const { file, code } of makers) {
      expect(namingsOfGate(code), file).toEqual([])
      expect(code).toMatch(/\bconnectStores\(/)
    }
  })
})

/** Wherever a value gets the name `gate`, or one of that name gets another. */
function namingsOfGate(code: string): string[] {
  return [...code.matchAll(/\bgate\s*(?::|=(?![=>]))[^\n]*|:\s*gate\b/g)].map(([text]) => text)
}

const loads = (entry: string, target: string) => loadedBy([entry]).some(({ file }) => file === target)

const isHandler = (file: string) => /^(?:functions\/[^/]+\/[^/]+\.|edge\/)handler\.ts$/.test(file)

describe('Redis', () => {
  it('is reached through clients of one factory, made once per process by a handler or the edge (S20)', () => {
    const makers = deployed
      .filter(({ code }) => /\b(?:new|extends) Redis\b/.test(code))
      .map(({ file }) => file)
    expect(makers).toEqual(['redis/client.ts'])
    const callersOf = (name: RegExp, except: string) =>
      deployed.filter(({ file, code }) => file !== except && name.test(code)).map(({ file }) => file)
    const connecting = callersOf(/\bconnectRedis\(/, 'redis/client.ts')
    expect(connecting).toEqual(['functions/stores/redis.ts'])
    const small = callersOf(/\bconnectRest\(/, 'redis/rest.ts')
    expect(small).toEqual(['edge/memory/gate-store.ts'])
    const stores = callersOf(/\bconnect(?:Stock|Gate)\(/, 'functions/stores/redis.ts')
    expect(stores.filter((file) => !isHandler(file))).toEqual(['functions/stores/connect.ts'])
    expect(stores).toContain('functions/buy/reserve.handler.ts')
  })

  it('keeps the stock separate: the edge uses nothing of it but the gate’s own data (S17)', () => {
    const known = deployed
      .filter(({ file }) => file.startsWith('edge/'))
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => to.startsWith('redis/'))
      .map(({ to }) => to)
    expect(known).toContain('redis/gate.ts')
    expect(
      known.filter(
        (to) =>
          !/^redis\/(?:gate|admit|demand|members|shared-lists|used-challenges|rest|errors)\.ts$/.test(to),
      ),
    ).toEqual([])
  })
})

describe('the edges of the system', () => {
  it('are the only places that read the environment', () => {
    const readers = deployed.filter(({ file, code }) => /process\.env\b/.test(code) && !isHandler(file))
    expect(readers.map(({ file }) => file)).toEqual([])
  })

  it('are the only places in a function that construct adapters, by themselves or by their wiring', () => {
    const others = deployed
      .filter(({ file }) => file.startsWith('functions/') && !isHandler(file))
      .filter(({ file }) => !file.startsWith('functions/stores/'))
    const builders = others.filter(({ imports }) => imports.some(isAdapter)).map(({ file }) => file)
    expect(builders.filter((file) => !isWiring(file))).toEqual([])
    expect(builders).toContain('functions/wiring/release.ts')
    const makers = others.filter(({ code }) => /\bnew \w+Client\(|\bconnect[A-Z]\w*\(/.test(code))
    expect(makers.map(({ file }) => file)).toEqual([])
    const wired = others.filter(({ imports }) => imports.some(({ to }) => isWiring(to)))
    expect(wired.map(({ file }) => file).filter((file) => !isWiring(file))).toEqual([])
  })

  it('ship only packages that are run-time dependencies', () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    const names = dependencyNames(manifest)
    // Modules of the runtime of CloudFront Functions, which are the only `.js` files of the edge.
    const ofCloudFront = (from: string, to: string) =>
      /^edge\/[\w-]+\.js$/.test(from) && (to === 'cloudfront' || to === 'crypto')
    const missing = deployed
      .flatMap(({ imports }) => imports)
      .filter(({ to, ours, typeOnly }) => !typeOnly && !ours && !to.startsWith('node:'))
      .filter(({ from, to }) => !ofCloudFront(from, to))
      .filter(({ to }) => !names.some((name) => to === name || to.startsWith(`${name}/`)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(missing).toEqual([])
  })
})

/** What is read and bundled together; a Lambda's entry is always called `handler`. */
const programs: Readonly<Record<string, readonly string[]>> = {
  'the functions': ['core', 'redis', 'functions', 'system'],
  'the edge': ['core', 'redis', 'edge', 'system'],
  'the pages': ['core', 'static'],
  'the command line': ['core', 'cli', 'system'],
  'the tools': ['core', 'redis', 'bench', 'simulation', 'local', 'system'],
  'the cloud': ['core', 'infra', 'system'],
}

const declaration = /^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm

describe('a name', () => {
  it.each(Object.entries(programs))('is exported from one file only in %s', (_name, folders) => {
    const files = new Map<string, string[]>()
    for (const { file, code } of folders.flatMap(modulesOf)) {
      for (const [, name = ''] of code.matchAll(declaration)) {
        files.set(name, [...new Set([...(files.get(name) ?? []), file])])
      }
    }
    expect(files.size).toBeGreaterThan(100)
    const repeated = [...files].filter(([name, where]) => where.length > 1 && name !== 'handler')
    expect(repeated).toEqual([])
  })
})

const isWiring = (file: string) => file.startsWith('functions/wiring/')

function isAdapter({ to, typeOnly }: Import): boolean {
  return to.startsWith('functions/stores/') && !typeOnly
}

function dependencyNames(manifest: unknown): string[] {
  const found = typeof manifest === 'object' && manifest !== null && 'dependencies' in manifest
  return found ? Object.keys(manifest.dependencies ?? {}) : []
}
