import { existsSync, readFileSync } from 'node:fs'
import { configDefaults, defineConfig, type UserWorkspaceConfig } from 'vitest/config'

/** Long plays and tests that wait in real time: `npm run test:soak` runs them. */
const soak = ['test/**/*.soak.ts']

/**
 * Files whose tests start no whole system. They share two processes: starting one for each file
 * costs more than most files.
 */
const units = [
  'test/*.test.ts',
  'test/{core,edge,static,redis,contract,functions,infra,cli,mutants}/**/*.test.ts',
  'test/bench/{faults,rush}/**/*.test.ts',
]

/** Files whose tests only visit a whole system and break no part of it: they share one. */
const visits = [
  'test/browser/**/*.test.ts',
  'test/cli/{sale,smoke}/whole-system.test.ts',
  'test/journey/{bad-input,coupons,flip,http-api-doc,one-sale,packets}.test.ts',
]

/** The same rule as in the bundles: a `.lua` import is the file's text. */
const luaText = {
  name: 'lua-text',
  enforce: 'pre' as const,
  load(id: string) {
    const file = id.split('?')[0] ?? id
    return file.endsWith('.lua') ? `export default ${JSON.stringify(readFileSync(file, 'utf8'))}` : undefined
  },
}

/** One group of files. Groups with one `order` run together, `maxWorkers` files at a time. */
const project = (
  order: number,
  maxWorkers: number,
  options: NonNullable<UserWorkspaceConfig['test']>,
): UserWorkspaceConfig => ({
  plugins: [luaText],
  test: {
    ...options,
    maxWorkers,
    sequence: { groupOrder: order },
    // Pages of one file that mostly wait may wait together; more of them would be slow for want of
    // processors.
    maxConcurrency: 3,
    // Long enough for a machine that is busy with something else; no test measures speed by them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

// Most of a test of a whole system is waiting, for a schedule or for a person's pace.
const system = (options: NonNullable<UserWorkspaceConfig['test']>) => project(0, 2, options)

export default defineConfig({
  test: {
    // Once for all projects; a project that inherited it would build again.
    globalSetup: existsSync('build.ts') ? ['test/build-once.ts'] : [],
    reporters: ['default'],
    projects: [
      system({ name: 'visits', include: visits, globalSetup: ['test/shared-shop.ts'] }),
      system({
        name: 'systems',
        include: ['test/**/*.test.ts'],
        exclude: [...configDefaults.exclude, ...units, ...visits],
      }),
      system({ name: 'soak', include: soak }),
      project(1, 2, {
        name: 'units',
        include: units,
        exclude: [...configDefaults.exclude, ...visits],
        isolate: false,
        setupFiles: ['test/restore-process.ts'],
      }),
    ],
  },
})
