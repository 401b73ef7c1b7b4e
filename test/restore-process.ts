/**
 * Runs around each unit test file. These files share a process, so each one must restore its state.
 */
import { afterAll, beforeAll, vi } from 'vitest'

let environment: NodeJS.ProcessEnv

beforeAll(() => {
  environment = { ...process.env }
})

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
})
