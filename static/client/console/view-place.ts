/** The page gives its context to all components of a view. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Arguments, Messages } from '../../messages/text.ts'
import type { Key } from './lib/kind-words.ts'
import type { ViewContext } from './view.ts'

export const ViewPlace = createContext<ViewContext | undefined>(undefined)

/** @throws outside of a view */
export function useView(): ViewContext {
  const context = useContext(ViewPlace)
  if (context === undefined) throw new Error('a component of a view is drawn outside of one')
  return context
}

/** The same for a view with words of its own, which come with its script and not with the first screen. @throws as `useView` does */
export function useViewWith<M extends Messages>(_own: M) {
  const context = useView()
  const { voice } = context
  const t = voice.t as (key: Key | (keyof M & string), args?: Arguments) => string
  return { ...context, voice: { ...voice, t } }
}
