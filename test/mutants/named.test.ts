import { expect, it } from 'vitest'
import { sourceOf } from './draw.ts'
import { namedMutants } from './named.ts'

it.each(namedMutants)('$name: its text is in $file exactly once', ({ file, search }) => {
  expect(sourceOf(file).split(search)).toHaveLength(2)
})
