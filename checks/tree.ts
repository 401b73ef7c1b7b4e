/** The files of the repository as the checks read them, and what a check finds in one. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Paths are relative to the root of the repository, with `/`. */
export type Tree = {
  /** Every file under a folder, at any depth, in alphabetical order. */
  list(folder: string): readonly string[]
  /** Every file of the repository, without what is installed or built. */
  all(): readonly string[]
  /** @throws when the file is missing */
  text(file: string): string
}

const root = fileURLToPath(new URL('..', import.meta.url))

function remembered<Value>(read: (key: string) => Value): (key: string) => Value {
  const known = new Map<string, Value>()
  return (key) => {
    const value = known.get(key) ?? read(key)
    known.set(key, value)
    return value
  }
}

/** The top of the repository, without git and the names that `.gitignore` lists. */
const ignored = [
  '.git',
  ...readFileSync(path.join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((name) => name.replace(/\/$/, '')),
]
const topEntries = remembered(() =>
  readdirSync(root, { withFileTypes: true }).filter(({ name }) => !ignored.includes(name) && !name.endsWith('.log')),
)

export const repository: Tree = {
  all: () => topEntries('').flatMap((entry) => (entry.isFile() ? [entry.name] : repository.list(entry.name))),
  list: remembered((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.posix.join(path.relative(root, entry.parentPath), entry.name))
      .toSorted(),
  ),
  text: remembered((file) => readFileSync(path.join(root, file), 'utf8')),
}

/** A line of `npm run check`: `what` says what is wrong, and behind a semicolon what to do. */
export type Finding = { file: string; line: number; what: string }

export const printed = ({ file, line, what }: Finding): string => `${file}:${line}: ${what}`

/** A finding at an index of a file's text; at its beginning where the index is -1. */
export const findingAt = (file: string, text: string, index: number, what: string): Finding => ({
  ...{ file, what, line: text.slice(0, Math.max(index, 0)).split('\n').length },
})
