/** Whether a file is the program that runs, or only imported. */
import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** True for the address of the program. It is called by the path that was typed, which may have links, and Node gives its address without them. */
export function isMain(address: string, called = process.argv[1]): boolean {
  return called !== undefined && existsSync(called) && realpathSync(called) === fileURLToPath(address)
}
