import { existsSync, readFileSync } from 'node:fs'
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import { LongestFirst } from './test/sequence.ts'
import { alone, pages, soak, templates, tools } from './test/tiers.ts'

/** Files whose tests only visit a whole system and break no part of it: they share one. */
const visits = [
  '{test,options/*/test}/browser/**/*.test.ts',
  'test/journey/{checkout,coupons,flip,one-sale,packets}.test.ts',
]

/** Files that start a system of their own. */
const systems = ['{test,options/*/test}/journey/*.test.ts']

/** The same rule as in the bundles: a `.lua` import is the file's text. */
const luaText = {
  name: 'lua-text',
  enforce: 'pre' as const,
  load(id: string) {
    const file = id.split('?')[0] ?? id
    return file.endsWith('.lua') ? `export default ${JSON.stringify(readFileSync(file, 'utf8'))}` : undefined
  },
}

/**
 * Files with a whole system wait half of the time, for a page or for a queue, so there are twice as many as processors of a
 * small machine. Units only compute: a third worker loads all modules again, and each file takes longer.
 */
const [systemsAtOnce, unitsAtOnce] = [4, 2]

const project = (options: NonNullable<UserWorkspaceConfig['test']>): UserWorkspaceConfig => ({
  plugins: [luaText],
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    maxWorkers: systemsAtOnce,
    ...options,
    // Most objects of a test die with it; the default collects them too often.
    execArgv: ['--max-semi-space-size=32'],
    // Pages of one file that mostly wait may wait together; more of them would be slow for want of
    // processors.
    maxConcurrency: 3,
    // Long enough for a machine that is busy with something else; no test measures speed by them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // The default of one second is less than a page or a queue needs on a busy machine.
    expect: { poll: { timeout: 100_000 } },
  },
})

/** Files that share a few processes: to start one for each, and to load the same modules again, takes longer than most files. */
const oneProcessForMany = { isolate: false, setupFiles: ['test/restore-process.ts'] }

const others = [...configDefaults.exclude, ...tools, ...templates, ...pages, ...visits, ...systems]

export default defineConfig({
  test: {
    // Once for all projects; a project that inherited it would build again.
    globalSetup: existsSync('build.ts') ? ['test/build-once.ts'] : [],
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      project({
        name: 'visits',
        include: visits,
        exclude: [...configDefaults.exclude, ...pages],
        globalSetup: ['test/shared-shop.ts'],
        ...oneProcessForMany,
      }),
      project({
        name: 'systems',
        include: systems,
        exclude: [...configDefaults.exclude, ...visits, ...pages, ...tools],
      }),
      project({ name: 'tools', include: [...tools, ...templates] }),
      project({ name: 'pages', include: pages, globalSetup: ['test/shared-shop.ts'], ...oneProcessForMany }),
      project({ name: 'soak', include: soak, exclude: [...configDefaults.exclude, ...alone] }),
      project({ name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } }),
      // They install packages of npm and of Debian: `npm test -- --examples` runs them.
      project({
        name: 'examples',
        include: ['test/examples/*.example.ts'],
        globalSetup: ['test/shared-shop.ts'],
      }),
      // They start no whole system.
      project({
        name: 'units',
        include: ['{test,options/*/test}/**/*.test.ts'],
        exclude: others,
        maxWorkers: unitsAtOnce,
        sequence: { groupOrder: 1 },
        ...oneProcessForMany,
      }),
    ],
  },
})
