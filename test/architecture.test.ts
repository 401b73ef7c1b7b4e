/**
 * Data flows one way: static → edge → functions → redis. Each folder may import only what lies below it, so
 * the tree a reader sees is the architecture that runs. Read from the import statements themselves.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const deployedFolders = ['core', 'redis', 'edge', 'functions', 'static']
const sharedFunctionParts = new Set(['publishing', 'sales', 'adapters', 'http'])

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

/** Imports of our own files from `folder` that go anywhere but `allowed`, as readable lines. */
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

  it('let core import nothing but itself and the schema library', () => {
    const outside = deployed
      .filter(({ file }) => file.startsWith('core/'))
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => to !== 'zod/mini' && !to.startsWith('core/'))
    expect(outside).toEqual([])
  })

  it('let redis import core only', () => {
    expect(strays('redis', ['redis', 'core'])).toEqual([])
  })

  it('let the edge import core and redis only', () => {
    expect(strays('edge', ['edge', 'core', 'redis'])).toEqual([])
  })

  it('let functions import core, redis and the page templates only', () => {
    expect(strays('functions', ['functions', 'core', 'redis', 'static/pages'])).toEqual([])
  })

  it('let pages import core only', () => {
    expect(strays('static', ['static', 'core'])).toEqual([])
  })

  it('keep every function apart from every other function', () => {
    const partOf = (file: string) => file.split('/')[1] ?? ''
    const isShared = (part: string) => sharedFunctionParts.has(part) || part.endsWith('.ts')
    const crossing = deployed
      .filter(({ file }) => file.startsWith('functions/'))
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => to.startsWith('functions/'))
      .filter(({ from, to }) => partOf(from) !== partOf(to) && !isShared(partOf(to)))
      // An adapter implements the port that a use case declares; it may know that type and nothing else of it.
      .filter(({ from, typeOnly }) => !(partOf(from) === 'adapters' && typeOnly))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(crossing).toEqual([])
  })

  it('let nothing deployed import the local system, the measurements or the tests', () => {
    const upward = deployed
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => /^(?:local|bench|test|infra)\/|^build\.ts$/.test(to))
    expect(upward).toEqual([])
  })
})

describe('the way of a click', () => {
  it('takes no lock anywhere: scripts and conditions decide (K7)', () => {
    const scripts = readdirSync(path.join(root, 'redis')).filter((file) => file.endsWith('.lua'))
    const sources = scripts.map((file) => readFileSync(path.join(root, 'redis', file), 'utf8'))
    const all = [...sources, ...deployed.map(({ code }) => code)]
    expect(scripts).toContain('reserve.lua')
    expect(all.filter((code) => /\bSETNX\b|['"]NX['"]|\b(?:acquire|take|try)Lock\b/i.test(code))).toEqual([])
  })
})

const isHandler = (file: string) => /^(?:functions\/[^/]+|edge)\/handler\.ts$/.test(file)

describe('Redis', () => {
  it('is reached through clients of one factory, made once per process by a handler or the edge (S20)', () => {
    const makers = deployed.filter(({ code }) => /\bnew Redis\(/.test(code)).map(({ file }) => file)
    expect(makers).toEqual(['redis/client.ts'])
    const callersOf = (name: RegExp, except: string) =>
      deployed.filter(({ file, code }) => file !== except && name.test(code)).map(({ file }) => file)
    const connecting = callersOf(/\bconnectRedis\(/, 'redis/client.ts')
    expect(connecting.filter((file) => !/^functions\/adapters\/redis\.ts$|^edge\//.test(file))).toEqual([])
    const stores = callersOf(/\bconnect(?:Stock|Gate)\(/, 'functions/adapters/redis.ts')
    expect(stores.filter((file) => !isHandler(file))).toEqual([])
    expect(stores).toContain('functions/reserve/handler.ts')
  })

  it('keeps the stock apart: the edge knows nothing of it but the flags of the gate (S17)', () => {
    const known = deployed
      .filter(({ file }) => file.startsWith('edge/'))
      .flatMap(({ imports }) => imports)
      .filter(({ to }) => to.startsWith('redis/'))
      .map(({ to }) => to)
    expect(known).toContain('redis/gate.ts')
    expect(
      known.filter((to) => !['redis/gate.ts', 'redis/client.ts', 'redis/errors.ts'].includes(to)),
    ).toEqual([])
  })
})

describe('the edges of the system', () => {
  it('are the only places that read the environment', () => {
    const readers = deployed.filter(({ file, code }) => /process\.env\b/.test(code) && !isHandler(file))
    expect(readers.map(({ file }) => file)).toEqual([])
  })

  it('are the only places in a function that construct adapters', () => {
    const builders = deployed
      .filter(({ file }) => file.startsWith('functions/') && !isHandler(file))
      .filter(({ file }) => !file.startsWith('functions/adapters/'))
      .filter(({ code, imports }) => /\bnew \w+Client\(/.test(code) || imports.some(isAdapter))
      .map(({ file }) => file)
    expect(builders).toEqual([])
  })

  it('ship only packages that are run-time dependencies', () => {
    const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    const names = dependencyNames(manifest)
    const missing = deployed
      .flatMap(({ imports }) => imports)
      .filter(({ to, ours, typeOnly }) => !typeOnly && !ours && !to.startsWith('node:'))
      .filter(({ to }) => !names.some((name) => to === name || to.startsWith(`${name}/`)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(missing).toEqual([])
  })
})

function isAdapter({ to, typeOnly }: Import): boolean {
  return to.startsWith('functions/adapters/') && !typeOnly
}

function dependencyNames(manifest: unknown): string[] {
  const found = typeof manifest === 'object' && manifest !== null && 'dependencies' in manifest
  return found ? Object.keys(manifest.dependencies ?? {}) : []
}
