/** Runs around each test of the first run, and notes the probes (`withProbes`) that the test reaches. */
import { afterEach, beforeAll } from 'vitest'

declare global {
  /** The ids of mutants that were reached since the last test. */
  var reachedMutants: Set<number> | undefined
}

declare module 'vitest' {
  interface TaskMeta {
    /** The mutants that a test reaches, or that the import of a file reaches. */
    reachedMutants?: number[]
  }
}

globalThis.reachedMutants ??= new Set()
const reached = globalThis.reachedMutants

function taken(): number[] {
  const ids = [...reached]
  reached.clear()
  return ids
}

let imported: number[] = []

beforeAll(() => {
  imported = taken()
})

afterEach(({ task }) => {
  task.file.meta.reachedMutants ??= imported
  task.meta.reachedMutants = taken()
})
