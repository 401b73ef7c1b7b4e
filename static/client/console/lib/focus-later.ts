import { useLayoutEffect, useRef, useState } from 'preact/hooks'

type Find = () => HTMLElement | null | undefined

/** Moves the focus once what was changed is drawn. */
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
