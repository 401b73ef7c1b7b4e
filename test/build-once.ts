/**
 * Prepared once per run, before its first test: the deployed bundles, so that every test runs the
 * deployed code, and Chromium, which two test files would otherwise unpack at the same time.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { build } from '../build.ts'

// Every project loads this module again, in the same process and in no fixed order.
const run = globalThis as typeof globalThis & { preparedForTests?: Promise<void> }

export async function setup(): Promise<void> {
  run.preparedForTests ??= prepare()
  await run.preparedForTests
}

async function prepare(): Promise<void> {
  await build()
  if (process.env.CHROMIUM_PATH === undefined) {
    await promisify(execFile)(process.execPath, ['test/browser/unpack.ts'])
  }
}
