/**
 * Prepared once per run, before its first test: the deployed bundles, so that every test runs the
 * deployed code, and Chromium and Redis, which test files would otherwise unpack at the same time and within the limit of
 * a hook. And a folder for files that several test files share, which is gone after the run.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { buildIfChanged } from '../build.ts'
import { findRedisOnce } from '../local/redis/redis-server.ts'

// Every project loads this module again, in the same process and in no fixed order.
const run = globalThis as typeof globalThis & { preparedForTests?: Promise<string> }

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.preparedForTests ??= prepare()
  const sharedFolder = await run.preparedForTests
  project.provide('sharedFolder', sharedFolder)
  return () => rm(sharedFolder, { recursive: true, force: true })
}

async function prepare(): Promise<string> {
  const hasOwnBrowser = process.env.CHROMIUM_PATH !== undefined
  const unpacked = hasOwnBrowser || promisify(execFile)(process.execPath, ['test/browser/unpack.ts'])
  await Promise.all([buildIfChanged(), unpacked, findRedisOnce(console.error)])
  return mkdtemp(join(tmpdir(), 'sluice-tests-'))
}
