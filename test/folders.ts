/** Folders of tests. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    sharedFolder: string
  }
}

/** A new empty folder, which is gone after the run. */
export const newFolder = (name: string): string => mkdtempSync(join(inject('sharedFolder'), `${name}-`))
