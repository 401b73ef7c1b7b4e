import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

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
    include: ['test/**/*.test.ts'],
    globalSetup: existsSync('build.ts') ? ['test/build-once.ts'] : [],
    // Each file starts parts of its own on free ports; two at a time suit the smallest machine we support.
    maxWorkers: 2,
    // Pages of one file that mostly wait may wait together; more of them would be slow for want of processors.
    maxConcurrency: 3,
    // Long enough for a machine that is busy with something else; no test measures speed by them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
})
