/** Manages a small form: its inputs by path, and the error of one of them. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useView } from '../view.ts'
import { type FieldProps, focusField } from './field.tsx'
import { type Row, textAt, withPart } from './text-parts.ts'

/**
 * `prefix` starts the names of the fields; `words` returns their label and hint. `complain` focuses an input and shows its
 * error until its text changes or `forget` is called.
 */
export function useEntryForm<Name extends string, Texts extends Row>(
  prefix: string,
  words: (name: Name) => Pick<FieldProps, 'label' | 'hint'>,
  texts: Texts,
  enter: (texts: Texts) => void,
) {
  const { announce } = useView()
  const [complaint, setComplaint] = useState<{ name: Name; why: string; about: string }>()
  return {
    complain(name: Name, why: string): void {
      setComplaint({ name, why, about: textAt(texts, name) })
      focusField(`${prefix}${name}`)
      // A message about the previous entry would seem to be about this one.
      announce('')
    },
    forget: () => setComplaint(undefined),
    input: (name: Name, isHidden = false) => ({
      field: {
        ...{ name: `${prefix}${name}`, ...words(name), isHidden },
        error: complaint?.name === name && complaint.about === textAt(texts, name) ? complaint.why : '',
      },
      value: textAt(texts, name),
      enter: (value: string) => enter(withPart(texts, name, value)),
    }),
  }
}

type Find = () => HTMLElement | null | undefined

/** Moves the focus after the next draw. */
export function useFocusLater(): (find: Find) => void {
  const wanted = useRef<Find>(undefined)
  const [, draw] = useState(0)
  useLayoutEffect(() => {
    const find = wanted.current
    wanted.current = undefined
    find?.()?.focus()
  })
  return (find) => {
    wanted.current = find
    draw((n) => n + 1)
  }
}
