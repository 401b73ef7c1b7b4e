/** Runs around each test file that shares a process with others, so that each one leaves it as it was. */
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
