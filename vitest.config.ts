import { existsSync, readFileSync } from 'node:fs'
import { configDefaults, defineConfig } from 'vitest/config'

/** Files whose tests start no whole system. They share two processes: starting one for each file costs more than most files. */
const units = [
  'test/*.test.ts',
  'test/{core,edge,static,redis,contract,functions,infra}/**/*.test.ts',
  'test/bench/{faults,rush}/**/*.test.ts',
]

export default defineConfig({
  plugins: [
    {
      // The same rule as in the bundles: a `.lua` import is the file's text.
      name: 'lua-text',
      enforce: 'pre',
      load(id) {
        const file = id.split('?')[0] ?? id
        return file.endsWith('.lua')
          ? `export default ${JSON.stringify(readFileSync(file, 'utf8'))}`
          : undefined
      },
    },
  ],
  test: {
    globalSetup: existsSync('build.ts') ? ['test/build-once.ts'] : [],
    // Pages of one file that mostly wait may wait together; more of them would be slow for want of processors.
    maxConcurrency: 3,
    // Long enough for a machine that is busy with something else; no test measures speed by them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: units,
          isolate: false,
          setupFiles: ['test/restore-process.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'systems',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...units],
          // Most of a system test is waiting, for a schedule or for a person's pace.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
})
